#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda policies`: the policies and placers with their options.
[[nodiscard]] std::unique_ptr<Command> make_policies_command();

}  // namespace voda::command_line

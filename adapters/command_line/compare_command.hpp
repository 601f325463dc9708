#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda compare`: one trace under several policies, a row for each.
[[nodiscard]] std::unique_ptr<Command> make_compare_command();

}  // namespace voda::command_line

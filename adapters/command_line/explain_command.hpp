#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda explain`: why jobs of a snapshot get what they get, and what would change it.
[[nodiscard]] std::unique_ptr<Command> make_explain_command();

}  // namespace voda::command_line

#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda completion`: prints the script that lets a shell complete command lines.
[[nodiscard]] std::unique_ptr<Command> make_completion_command();

}  // namespace voda::command_line

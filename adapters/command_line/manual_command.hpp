#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda manual`: prints the manual page, made from the same descriptions as help.
[[nodiscard]] std::unique_ptr<Command> make_manual_command();

}  // namespace voda::command_line

#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda allocate`: how many GPUs each job of a snapshot gets.
[[nodiscard]] std::unique_ptr<Command> make_allocate_command();

}  // namespace voda::command_line

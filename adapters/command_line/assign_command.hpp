#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda assign`: an optimal assignment of rows to columns with the prices that prove it.
[[nodiscard]] std::unique_ptr<Command> make_assign_command();

}  // namespace voda::command_line

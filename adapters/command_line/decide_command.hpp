#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda decide`: allocation, placement and the plan that leads there, through the Scheduler.
[[nodiscard]] std::unique_ptr<Command> make_decide_command();

}  // namespace voda::command_line

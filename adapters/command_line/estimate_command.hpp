#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda estimate`: when jobs of a snapshot or a record will start and end.
[[nodiscard]] std::unique_ptr<Command> make_estimate_command();

}  // namespace voda::command_line

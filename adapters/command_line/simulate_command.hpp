#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda simulate`: one trace under one policy, with result files.
[[nodiscard]] std::unique_ptr<Command> make_simulate_command();

}  // namespace voda::command_line

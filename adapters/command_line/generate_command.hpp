#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda generate`: a workload from a seed, as a trace in the format `voda`.
[[nodiscard]] std::unique_ptr<Command> make_generate_command();

}  // namespace voda::command_line

#pragma once

#include <memory>

#include "command_line/command.hpp"

namespace voda::command_line {

/// `voda fit`: a workload profile from traces, and how well it fits them.
[[nodiscard]] std::unique_ptr<Command> make_fit_command();

}  // namespace voda::command_line

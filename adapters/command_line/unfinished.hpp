#pragma once

#include <string>

#include "command_line/command.hpp"
#include "command_line/run_options.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::command_line {

/// Warns on `context.err` about jobs that never finished: how many, which ones first, and why.
void warn_of_unfinished(const PreparedRun& run,
                        const SimulationResult& result,
                        const std::string& policy,
                        const Context& context);

}  // namespace voda::command_line

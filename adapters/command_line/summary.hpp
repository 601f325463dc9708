#pragma once

#include <string>

#include "command_line/json_text.hpp"
#include "voda/simulator/report.hpp"

namespace voda::command_line {

/// The figures of a run that are the same on every machine: what summary.json holds.
[[nodiscard]] Json summary_json(const SimulationSummary& summary);

/// Seconds per decision; 0 without decisions.
[[nodiscard]] double time_per_decision_s(const SimulationSummary& summary);

/// The figures of a run for people, with the time per decision.
[[nodiscard]] std::string summary_text(const SimulationSummary& summary);

}  // namespace voda::command_line

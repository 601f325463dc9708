#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line/json_text.hpp"
#include "voda/simulator/goodness_of_fit.hpp"

namespace voda::command_line {

/// How well a workload fits traces, and how well one that was fitted to their first halves does.
struct FitReports {
  WorkloadFitReport whole{};
  std::optional<WorkloadFitReport> first_half{};
  std::optional<WorkloadFitReport> later_half{};  // which that fit has not seen
};

/// A table with a legend.
[[nodiscard]] std::string fit_table(const FitReports& reports);

/// An object for each property: the figures of the table and the quantiles behind them.
[[nodiscard]] std::vector<Json> fit_rows(const FitReports& reports);

/// The same figures and the quantiles behind them.
[[nodiscard]] Json fit_json(const FitReports& reports);

}  // namespace voda::command_line

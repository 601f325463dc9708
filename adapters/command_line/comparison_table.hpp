#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command_line/result_sheet.hpp"
#include "command_line/style.hpp"
#include "command_line/table.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::command_line {

/// The jobs that a figure is taken over; one over finished jobs is missing when none finished.
enum class Over : std::uint8_t { all_jobs, finished_jobs };

/// The head of a column of figures.
struct ColumnHead {
  std::string header{};
  Quantity quantity = Quantity::count;
  Best best = Best::smallest;
  Over over = Over::finished_jobs;
};

/// A column whose values are a figure of each result; missing ones are NaN.
template <class Figure>
[[nodiscard]] Column figure_column(std::span<const SimulationResult> results,
                                   ColumnHead head,
                                   Figure figure) {
  Column column{
      .header = std::move(head.header), .quantity = head.quantity, .best = head.best, .values = {}};
  column.values.reserve(results.size());
  for (const SimulationResult& result : results) {
    const bool is_missing = head.over == Over::finished_jobs && result.summary.finished == 0;
    column.values.push_back(is_missing ? std::numeric_limits<double>::quiet_NaN()
                                       : static_cast<double>(figure(result.summary)));
  }
  return column;
}

/// The figures of the results; wide: all of a summary.
[[nodiscard]] std::vector<Column> comparison_columns(std::span<const SimulationResult> results,
                                                     Detail detail = Detail::always);

/// What the words of the table mean.
inline constexpr std::string_view comparison_legend =
    "JCT: job completion time, wait: mean waiting time, useful: work done over GPU time there "
    "was,\n"
    "unfair: the worst job's time over its time alone on an equal share, stops: preemptions,\n"
    "decision: mean time to decide, *: best of its column.\n";

/// A row for each policy, the best of each column marked; wide: all figures of a summary.
[[nodiscard]] std::string comparison_table(const std::vector<std::string>& policies,
                                           const std::vector<SimulationResult>& results,
                                           Detail detail,
                                           const Style& style);

}  // namespace voda::command_line

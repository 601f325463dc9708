#include "command_line/comparison_table.hpp"

#include <string>
#include <string_view>
#include <utility>

#include "command_line/summary.hpp"
#include "command_line/table.hpp"

namespace voda::command_line {
namespace {

using Summary = SimulationSummary;

/// Columns whose values are figures of the summaries.
class Columns {
 public:
  explicit Columns(std::span<const SimulationResult> results) : results_(results) {}

  template <class Figure>
  void add(std::string_view header, Quantity quantity, Best best, Over over, Figure figure) {
    columns_.push_back(figure_column(
        results_,
        {.header = std::string(header), .quantity = quantity, .best = best, .over = over},
        figure));
  }

  template <class Figure>
  void add_seconds(std::string_view header, Figure figure) {
    add(header, Quantity::seconds, Best::smallest, Over::finished_jobs, figure);
  }

  template <class Figure>
  void add_count(std::string_view header, Best best, Figure figure) {
    add(header, Quantity::count, best, Over::all_jobs, figure);
  }

  template <class Figure>
  void add_share(std::string_view header, Figure figure) {
    add(header, Quantity::percent, Best::largest, Over::finished_jobs, figure);
  }

  template <class Figure>
  void add_ratio(std::string_view header, Figure figure) {
    add(header, Quantity::ratio, Best::smallest, Over::finished_jobs, figure);
  }

  [[nodiscard]] std::vector<Column> taken() && { return std::move(columns_); }

 private:
  std::span<const SimulationResult> results_{};
  std::vector<Column> columns_{};
};

void add_narrow(Columns& columns) {
  columns.add_count("done", Best::largest, [](const Summary& s) { return s.finished; });
  columns.add_seconds("mean JCT", [](const Summary& s) { return s.jct_s.mean; });
  columns.add_seconds("p50", [](const Summary& s) { return s.jct_s.p50; });
  columns.add_seconds("p99", [](const Summary& s) { return s.jct_s.p99; });
  columns.add_seconds("wait", [](const Summary& s) { return s.waited_s.mean; });
  columns.add_seconds("makespan", [](const Summary& s) { return s.makespan_s; });
  columns.add_share("useful", [](const Summary& s) { return s.utilization_useful; });
  columns.add_ratio("unfair", [](const Summary& s) { return s.fairness_worst; });
  columns.add_count("resizes", Best::smallest, [](const Summary& s) { return s.resizes; });
  columns.add_count("stops", Best::smallest, [](const Summary& s) { return s.preemptions; });
  columns.add("decision", Quantity::seconds, Best::smallest, Over::all_jobs, time_per_decision_s);
}

void add_wide(Columns& columns) {
  columns.add_seconds("p90", [](const Summary& s) { return s.jct_s.p90; });
  columns.add_seconds("p95", [](const Summary& s) { return s.jct_s.p95; });
  columns.add_seconds("longest", [](const Summary& s) { return s.jct_s.max; });
  columns.add_seconds("wait p50", [](const Summary& s) { return s.waited_s.p50; });
  columns.add_seconds("wait p90", [](const Summary& s) { return s.waited_s.p90; });
  columns.add_seconds("wait p95", [](const Summary& s) { return s.waited_s.p95; });
  columns.add_seconds("wait p99", [](const Summary& s) { return s.waited_s.p99; });
  columns.add_seconds("longest wait", [](const Summary& s) { return s.waited_s.max; });
  columns.add_share("held", [](const Summary& s) { return s.utilization_held; });
  columns.add_ratio("fairness", [](const Summary& s) { return s.fairness_mean; });
  columns.add_count("migrations", Best::smallest, [](const Summary& s) { return s.migrations; });
  columns.add_count("moved", Best::smallest, [](const Summary& s) { return s.moved_workers; });
  columns.add_count("forced", Best::smallest, [](const Summary& s) { return s.forced_moves; });
  columns.add_count("decisions", Best::smallest, [](const Summary& s) { return s.decisions; });
  columns.add_count(
      "jobs p50", Best::smallest, [](const Summary& s) { return s.active_jobs_median; });
  columns.add_count("jobs p99", Best::smallest, [](const Summary& s) { return s.active_jobs_p99; });
}

}  // namespace

std::vector<Column> comparison_columns(std::span<const SimulationResult> results, Detail detail) {
  Columns columns(results);
  add_narrow(columns);
  if (detail == Detail::wide)
    add_wide(columns);
  return std::move(columns).taken();
}

std::string comparison_table(const std::vector<std::string>& policies,
                             const std::vector<SimulationResult>& results,
                             Detail detail,
                             const Style& style) {
  std::vector<std::string> names;
  names.reserve(policies.size());
  for (const std::string& policy : policies)
    names.push_back(escaped(policy));
  return table_text("policy", names, comparison_columns(results, detail), style);
}

}  // namespace voda::command_line

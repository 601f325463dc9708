#include "command_line/summary.hpp"

#include <fmt/format.h>

#include "command_line/time_text.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// Figures over finished jobs: null when there are none.
class FinishedFigures {
 public:
  explicit FinishedFigures(const SimulationSummary& summary) : has_any_(summary.finished > 0) {}

  [[nodiscard]] Json of(double value) const { return has_any_ ? Json(value) : Json(nullptr); }

  [[nodiscard]] Json of(const Distribution& distribution) const {
    return {{"mean", of(distribution.mean)},
            {"p50", of(distribution.p50)},
            {"p90", of(distribution.p90)},
            {"p95", of(distribution.p95)},
            {"p99", of(distribution.p99)},
            {"max", of(distribution.max)}};
  }

 private:
  bool has_any_ = false;
};

std::string distribution_text(std::string_view name, const Distribution& distribution) {
  return fmt::format("{:<12} {:>13} {:>13} {:>13} {:>13} {:>13} {:>13}\n",
                     name,
                     duration_text(distribution.mean),
                     duration_text(distribution.p50),
                     duration_text(distribution.p90),
                     duration_text(distribution.p95),
                     duration_text(distribution.p99),
                     duration_text(distribution.max));
}

}  // namespace

double time_per_decision_s(const SimulationSummary& summary) {
  return summary.decisions == 0 ? 0
                                : summary.decision_time_s / static_cast<double>(summary.decisions);
}

Json summary_json(const SimulationSummary& summary) {
  const FinishedFigures finished(summary);
  return {{"jobs", summary.jobs},
          {"finished", summary.finished},
          {"unfinished", summary.unfinished},
          {"jct_s", finished.of(summary.jct_s)},
          {"waited_s", finished.of(summary.waited_s)},
          {"makespan_s", finished.of(summary.makespan_s)},
          {"utilization_held", finished.of(summary.utilization_held)},
          {"utilization_useful", finished.of(summary.utilization_useful)},
          {"fairness_mean", finished.of(summary.fairness_mean)},
          {"fairness_worst", finished.of(summary.fairness_worst)},
          {"resizes", summary.resizes},
          {"migrations", summary.migrations},
          {"preemptions", summary.preemptions},
          {"moved_workers", summary.moved_workers},
          {"forced_moves", summary.forced_moves},
          {"decisions", summary.decisions},
          {"active_jobs_median", summary.active_jobs_median},
          {"active_jobs_p99", summary.active_jobs_p99}};
}

std::string summary_text(const SimulationSummary& summary) {
  if (summary.finished == 0)
    return fmt::format("none of {} finished; {}\n",
                       counted(summary.jobs, "job"),
                       counted(summary.decisions, "decision"));
  std::string text = fmt::format("{} of {} finished in {}\n\n",
                                 summary.finished,
                                 counted(summary.jobs, "job"),
                                 duration_text(summary.makespan_s));
  text += fmt::format("{:<12} {:>13} {:>13} {:>13} {:>13} {:>13} {:>13}\n",
                      "",
                      "mean",
                      "p50",
                      "p90",
                      "p95",
                      "p99",
                      "max");
  text += distribution_text("completion", summary.jct_s);
  text += distribution_text("waiting", summary.waited_s);
  text += fmt::format("\nGPUs held {:.1f} %, useful {:.1f} %\n",
                      100 * summary.utilization_held,
                      100 * summary.utilization_useful);
  text += fmt::format("finish-time fairness {:.2f} on average, {:.2f} at worst\n",
                      summary.fairness_mean,
                      summary.fairness_worst);
  text += fmt::format("{}, {}, {}; {} moved, {} of them forced\n",
                      counted(summary.resizes, "resize"),
                      counted(summary.migrations, "migration"),
                      counted(summary.preemptions, "preemption"),
                      counted(summary.moved_workers + summary.forced_moves, "worker"),
                      summary.forced_moves);
  text += fmt::format("{} with {} in the median",
                      counted(summary.decisions, "decision"),
                      counted(summary.active_jobs_median, "job"));
  if (summary.decision_time_s > 0)
    text += fmt::format(", {} each", duration_text(time_per_decision_s(summary)));
  return text + "\n";
}

}  // namespace voda::command_line

#pragma once

#include "voda/simulator/report.hpp"

#include <algorithm>
#include <numeric>

namespace voda {
namespace report_detail {

/// The smallest value that at least `percent` of the sorted values do not exceed (nearest rank).
[[nodiscard]] inline double quantile(std::span<const double> sorted, std::size_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace report_detail

VODA_INLINE Distribution distribution_of(std::vector<double> values) {
  if (values.empty())
    return {};
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  std::ranges::sort(values);
  return {.mean = sum / static_cast<double>(values.size()),
          .p50 = report_detail::quantile(values, 50),
          .p90 = report_detail::quantile(values, 90),
          .p95 = report_detail::quantile(values, 95),
          .p99 = report_detail::quantile(values, 99),
          .max = values.back()};
}

VODA_INLINE SimulationSummary summarize(std::span<const JobOutcome> outcomes) {
  SimulationSummary result{.jobs = static_cast<std::int64_t>(outcomes.size())};
  std::vector<double> jcts;
  std::vector<double> waits;
  std::vector<double> fairness;
  TimePoint first = never;
  TimePoint last = TimePoint::min();
  for (const JobOutcome& outcome : outcomes) {
    result.resizes += outcome.resizes;
    result.migrations += outcome.migrations;
    result.preemptions += outcome.preemptions;
    first = std::min(first, outcome.submitted);
    if (outcome.status != JobStatus::finished)
      continue;
    jcts.push_back(to_seconds(outcome.jct()));
    waits.push_back(to_seconds(outcome.waited));
    fairness.push_back(outcome.fairness);
    last = std::max(last, *outcome.finished);
  }
  result.finished = static_cast<std::int64_t>(jcts.size());
  result.unfinished = result.jobs - result.finished;
  if (!jcts.empty())
    result.makespan_s = to_seconds(last - first);
  result.jct_s = distribution_of(std::move(jcts));
  result.waited_s = distribution_of(std::move(waits));
  const Distribution shares = distribution_of(std::move(fairness));
  result.fairness_mean = shares.mean;
  result.fairness_worst = shares.max;
  return result;
}

}  // namespace voda

#pragma once

#include <algorithm>
#include <cstdint>

#include "voda/allocators/impl/explaining.hpp"
#include "voda/allocators/impl/tiresias_queues.hpp"

namespace voda::allocators_detail {

/// Rank, keys and what the queues of Tiresias say of the job; returns what is left at its turn in a walk that gave `base`.
[[nodiscard]] inline GpuCount explain_queues(const AllocationProblem& problem,
                                             const TiresiasQueues& queues,
                                             const TiresiasRules& rules,
                                             const Allocation& base,
                                             Explanation& explanation) {
  const JobIndex job = explanation.job;
  check_contestant(*problem.arrival_order, job);
  const Turn turn = turn_of(
      queues.order(), job, problem.capacity, [&base](JobIndex other) { return base[other]; });
  explanation.rank = turn.rank;
  const auto& entry = queues.order()[turn.rank.place - 1];
  const Counters& counters = queues.counters(entry);
  const auto queue = static_cast<std::int64_t>(entry.key.queue());
  const JobColumns& columns = *problem.columns;
  explanation.keys = {{"queue", queue},
                      {"waits", std::int64_t{columns.current[job] == 0 ? 1 : 0}},
                      {"last_started", columns.last_started[job]},
                      {"submitted", columns.submitted[job]}};
  if (std::ranges::find(queues.promoted(), job) != queues.promoted().end()) {
    append(explanation, ReasonCode::promoted, {{"waited", problem.since_promotion(job).waited}});
  }
  append(explanation,
         ReasonCode::in_queue,
         {{"queue", queue}, {"service_s", to_seconds(counters.service)}});
  const auto wait = time_to_change(entry.key.queue(), counters, explanation.gpus, rules);
  if (explanation.gpus == 0 && wait) {
    const auto at = saturating_add(problem.now.time_since_epoch().count(), *wait);
    append(explanation, ReasonCode::not_promoted, {{"at", TimePoint(Duration(at))}});
  }
  return turn.left;
}

}  // namespace voda::allocators_detail

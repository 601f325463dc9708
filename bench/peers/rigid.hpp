#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "voda/model/allocation.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::peers {

// FIFO, SRJF and Tiresias as Voda 0.2.2 decides them: sort all jobs, walk the list, give what is asked for while it fits.
// The differences from Voda that policies.md (sections 1, 3 and 5) demands are kept: requested sizes, running jobs first.

/// Jobs in the order of a key, equals in arrival order; stands for Voda's stable sort of the whole list.
template <class Key>
[[nodiscard]] std::vector<JobIndex> sorted_by(const AllocationProblem& problem, const Key& key) {
  const JobColumns& columns = *problem.columns;
  std::vector<JobIndex> order = *problem.arrival_order;
  std::ranges::sort(order, [&](JobIndex a, JobIndex b) {
    return std::tuple(key(a), columns.submitted[a], std::string_view(columns.id[a].value)) <
           std::tuple(key(b), columns.submitted[b], std::string_view(columns.id[b].value));
  });
  return order;
}

/// Gives every job of `order` that holds nothing what it requests, skipping what does not fit.
inline void give_requests(const AllocationProblem& problem,
                          const std::vector<JobIndex>& order,
                          GpuCount& left,
                          Allocation& gpus) {
  for (const JobIndex job : order) {
    const GpuCount size = problem.columns->requested[job];
    if (gpus[job] == 0 && size <= left) {
      gpus[job] = size;
      left -= size;
    }
  }
}

[[nodiscard]] inline Allocation fifo(const AllocationProblem& problem) {
  const auto order = sorted_by(problem, [](JobIndex) { return 0; });
  std::vector<JobIndex> running;
  for (const JobIndex job : order) {
    if (problem.columns->current[job] > 0)
      running.push_back(job);
  }
  Allocation gpus(problem.columns->size(), 0);
  GpuCount left = problem.capacity;
  give_requests(problem, running, left, gpus);
  give_requests(problem, order, left, gpus);
  return gpus;
}

[[nodiscard]] inline Allocation srjf(const AllocationProblem& problem) {
  const auto order = sorted_by(problem, [&](JobIndex job) {
    return problem.remaining_work(job, "srjf") /
           problem.columns->speedup[job](problem.columns->requested[job]);
  });
  Allocation gpus(problem.columns->size(), 0);
  GpuCount left = problem.capacity;
  give_requests(problem, order, left, gpus);
  return gpus;
}

/// Queue of a job: two queues, one threshold of 3600 GPU-seconds; after promotion (knob 8, 0 for never) again the first.
[[nodiscard]] inline int tiresias_queue(const AllocationProblem& problem,
                                        JobIndex job,
                                        double knob) {
  const Counters counters = problem.since_promotion(job);
  if (to_seconds(counters.service) < 3600)
    return 0;
  const double wait = knob * static_cast<double>(counters.executed.count());
  const bool is_promoted = knob > 0 && problem.columns->current[job] == 0 &&
                           static_cast<double>(counters.waited.count()) >= wait;
  return is_promoted ? 0 : 1;
}

[[nodiscard]] inline std::vector<JobIndex> tiresias_order(const AllocationProblem& problem,
                                                          double knob = 8) {
  const JobColumns& columns = *problem.columns;
  return sorted_by(problem, [&](JobIndex job) {
    return std::tuple(
        tiresias_queue(problem, job, knob), columns.current[job] == 0, columns.last_started[job]);
  });
}

[[nodiscard]] inline Allocation tiresias(const AllocationProblem& problem) {
  Allocation gpus(problem.columns->size(), 0);
  GpuCount left = problem.capacity;
  give_requests(problem, tiresias_order(problem), left, gpus);
  return gpus;
}

}  // namespace voda::peers

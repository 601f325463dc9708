#pragma once

#include <vector>

#include "peers/rigid.hpp"
#include "voda/model/allocation.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::peers {

/// Elastic-FIFO and Elastic-SRJF as Voda 0.2.2 decides them: minimums in order, then one step per job and round.
///
/// Its defects are mended: no job exceeds its maximum (Voda's Elastic-SRJF does when minimum and maximum are equal, and
/// panics) and a left-over GPU never goes to a job that could not start.
[[nodiscard]] inline Allocation round_robin(const AllocationProblem& problem,
                                            const std::vector<JobIndex>& order) {
  const JobColumns& columns = *problem.columns;
  Allocation gpus(columns.size(), 0);
  GpuCount left = problem.capacity;
  const auto take_step = [&](JobIndex job) {
    const GpuCount next = next_size(columns.sizes[job], gpus[job]);
    const auto& speed = columns.speedup[job];
    if (next == 0 || next - gpus[job] > left || speed(next) <= speed(gpus[job]))
      return false;
    left -= next - gpus[job];
    gpus[job] = next;
    return true;
  };
  std::vector<JobIndex> started;
  for (const JobIndex job : order) {
    if (take_step(job))
      started.push_back(job);
  }
  bool has_moved = true;
  while (has_moved) {
    has_moved = false;
    for (const JobIndex job : started)
      has_moved |= take_step(job);
  }
  return gpus;
}

[[nodiscard]] inline Allocation elastic_fifo(const AllocationProblem& problem) {
  return round_robin(problem, sorted_by(problem, [](JobIndex) { return 0; }));
}

[[nodiscard]] inline Allocation elastic_srjf(const AllocationProblem& problem) {
  return round_robin(problem, sorted_by(problem, [&](JobIndex job) {
                       return problem.remaining_work(job, "elastic_srjf");
                     }));
}

}  // namespace voda::peers

#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "voda/policy/allocator.hpp"
#include "voda/scheduler/decision.hpp"

namespace voda::scheduler_detail {

/// The caps that follow from jobs that could not be placed; each lies below the size that was tried.
[[nodiscard]] inline std::vector<Capped> caps_of(const AllocationProblem& problem,
                                                 const AllocationDecision& allocation,
                                                 std::span<const Unplaced> unplaced) {
  std::vector<Capped> result;
  for (const Unplaced& failed : unplaced) {
    const GpuCount below = allocation.gpus[failed.job] - 1;
    const GpuCount placeable = std::min(failed.placeable_gpus, below);
    result.push_back({.job = failed.job,
                      .cap = largest_size(problem.columns->sizes[failed.job], placeable),
                      .reason = failed.reason,
                      .free_gpus = failed.free_gpus});
  }
  return result;
}

/// The same problem with smaller maximums. A job whose cap lies below its minimum takes no part; one whose requested size
/// lies above its cap keeps that request, which rigid policies then answer with 0.
[[nodiscard]] inline AllocationProblem capped_problem(const AllocationProblem& problem,
                                                      std::span<const Capped> caps) {
  auto columns = std::make_shared<JobColumns>(*problem.columns);
  for (const Capped& capped : caps)
    columns->sizes[capped.job].max = capped.cap;
  auto order = std::make_shared<std::vector<JobIndex>>();
  for (const JobIndex job : *problem.arrival_order) {
    if (columns->sizes[job].max >= columns->sizes[job].min)
      order->push_back(job);
  }
  AllocationProblem result = problem;
  result.columns = std::move(columns);
  result.arrival_order = std::move(order);
  return result;
}

}  // namespace voda::scheduler_detail

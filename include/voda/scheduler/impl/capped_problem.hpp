#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "voda/policy/allocator.hpp"
#include "voda/scheduler/decision.hpp"

namespace voda::scheduler_detail {

/// Caps the jobs that could not be placed below the size that was tried; a job keeps its latest cap only.
inline void add_caps(const AllocationProblem& problem, PoolDecision& decision) {
  for (const Unplaced& failed : decision.placement->unplaced) {
    const GpuCount below = decision.allocation.gpus[failed.job] - 1;
    const GpuCount placeable = std::min(failed.placeable_gpus, below);
    std::erase_if(decision.capped,
                  [&](const Capped& earlier) { return earlier.job == failed.job; });
    decision.capped.push_back({.job = failed.job,
                               .cap = largest_size(problem.columns->sizes[failed.job], placeable),
                               .reason = failed.reason,
                               .free_gpus = failed.free_gpus});
  }
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

/// The capped jobs that hold nothing, by arrival.
[[nodiscard]] inline std::vector<JobIndex> left_out(const AllocationProblem& problem,
                                                    const PoolDecision& decision) {
  IndexedVector<JobIndex, std::uint8_t> is_out(problem.columns->size(), 0);
  for (const Capped& capped : decision.capped) {
    is_out[capped.job] = decision.allocation.gpus[capped.job] == 0 ? 1 : 0;
  }
  std::vector<JobIndex> result;
  for (const JobIndex job : *problem.arrival_order) {
    if (is_out[job] != 0)
      result.push_back(job);
  }
  return result;
}

/// GPUs per node that a placement leaves free.
[[nodiscard]] inline IndexedVector<NodeIndex, GpuCount> free_gpus(const NodeColumns& nodes,
                                                                  const JobColumns& jobs,
                                                                  const Placement& placement) {
  IndexedVector<NodeIndex, GpuCount> result;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    result.push_back(nodes.usable_gpus(IndexedVector<NodeIndex, NodeId>::index_of(i)));
  for (std::size_t i = 0; i < placement.size(); ++i) {
    const auto job = IndexedVector<JobIndex, JobId>::index_of(i);
    for (const NodeIndex node : placement[job])
      result[node] -= jobs.sizes[job].gpus_per_worker;
  }
  return result;
}

/// The most GPUs that a job could have of free ones.
[[nodiscard]] inline GpuCount room_for(const JobColumns& jobs,
                                       JobIndex job,
                                       const IndexedVector<NodeIndex, GpuCount>& free) {
  const GpuCount per_worker = jobs.sizes[job].gpus_per_worker;
  GpuCount result = 0;
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto node = IndexedVector<NodeIndex, GpuCount>::index_of(i);
    const auto& eligible = jobs.eligible[job];
    if (eligible == nullptr || std::ranges::binary_search(*eligible, node))
      result += free[node] / per_worker * per_worker;
  }
  return result;
}

/// The contest of the jobs that were left out for the GPUs that stayed free; nobody in it when none of them has room.
[[nodiscard]] inline AllocationProblem leftover_problem(const AllocationProblem& problem,
                                                        const NodeColumns& nodes,
                                                        const PoolDecision& decision) {
  AllocationProblem result = problem;
  auto columns = std::make_shared<JobColumns>(*problem.columns);
  auto order = std::make_shared<std::vector<JobIndex>>();
  const auto free = free_gpus(nodes, *columns, decision.placement->placement);
  result.capacity = std::accumulate(free.begin(), free.end(), GpuCount{0});
  for (const JobIndex job : left_out(problem, decision)) {
    AllowedSizes& sizes = columns->sizes[job];
    sizes.max = largest_size(sizes, room_for(*columns, job, free));
    if (sizes.max >= sizes.min)
      order->push_back(job);
  }
  result.columns = std::move(columns);
  result.arrival_order = std::move(order);
  return result;
}

/// Jobs that got something of the leftovers are capped at what they could have had of them.
inline void raise_caps(const AllocationProblem& offer, PoolDecision& decision) {
  for (Capped& capped : decision.capped) {
    if (capped.cap == 0 && decision.allocation.gpus[capped.job] > 0)
      capped.cap = offer.columns->sizes[capped.job].max;
  }
}

/// What a policy says of jobs that wait: nothing to hand out, but counters to reset and an instant of review.
[[nodiscard]] inline AllocationProblem waiting_problem(const AllocationProblem& problem,
                                                       std::vector<JobIndex> waiting) {
  AllocationProblem result = problem;
  result.capacity = 0;
  result.arrival_order = std::make_shared<const std::vector<JobIndex>>(std::move(waiting));
  return result;
}

/// Adds the resets and the review that a decision about other jobs asks for.
inline void add_review(const JobColumns& jobs,
                       const AllocationDecision& other,
                       AllocationDecision& decision) {
  for (const JobIndex job : other.resets) {
    if (std::ranges::find(decision.resets, job) == decision.resets.end())
      decision.resets.push_back(job);
  }
  std::ranges::sort(decision.resets, {}, [&](JobIndex job) { return jobs.id[job].value; });
  if (other.review_at)
    decision.review_at = std::min(decision.review_at.value_or(*other.review_at), *other.review_at);
}

}  // namespace voda::scheduler_detail

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// Which size a rigid policy hands out.
enum class RigidSize : std::uint8_t { requested, minimum };

/// The size a rigid policy serves a job with; 0 when a cap of the scheduler lies below it.
[[nodiscard]] inline GpuCount rigid_size(const JobColumns& columns, JobIndex job, RigidSize size) {
  const AllowedSizes& sizes = columns.sizes[job];
  const GpuCount gpus = size == RigidSize::requested ? columns.requested[job] : sizes.min;
  return gpus <= sizes.max ? gpus : 0;
}

/// The size at which an elastic policy starts a job; 0 when the job would make no progress there.
[[nodiscard]] inline GpuCount useful_minimum(const JobColumns& columns, JobIndex job) {
  const GpuCount minimum = columns.sizes[job].min;
  return columns.speedup[job](minimum) > 0 ? minimum : 0;
}

/// R(n) = w / S(n); infinite where the curve is rounded to 0, also when nothing is left.
[[nodiscard]] inline double remaining_time(const JobColumns& columns,
                                           JobIndex job,
                                           double work,
                                           GpuCount size) {
  const double speed = columns.speedup[job](size);
  return speed > 0 ? work / speed : std::numeric_limits<double>::infinity();
}

/// A decision that gives nobody anything.
[[nodiscard]] inline AllocationDecision empty_decision(const AllocationProblem& problem) {
  return {.gpus = Allocation(problem.columns->size())};
}

/// Jobs with a key each, sorted by (key, arrival); `key_of` is called once per job. O(J log J).
template <class KeyOf>
[[nodiscard]] std::vector<JobIndex> ranked(std::span<const JobIndex> arrival_order, KeyOf key_of) {
  struct Ranked {
    double key = 0;
    std::uint32_t arrival = 0;
  };

  std::vector<Ranked> order;
  order.reserve(arrival_order.size());
  for (const JobIndex job : arrival_order) {
    order.push_back({.key = key_of(job), .arrival = static_cast<std::uint32_t>(order.size())});
  }
  std::ranges::sort(order, [](const Ranked& a, const Ranked& b) {
    if (a.key < b.key)
      return true;
    if (b.key < a.key)
      return false;
    return a.arrival < b.arrival;
  });
  std::vector<JobIndex> result;
  result.reserve(order.size());
  for (const Ranked& ranked : order)
    result.push_back(arrival_order[ranked.arrival]);
  return result;
}

/// Gives each job of `order` its size when it fits into what is left, skips it otherwise; returns what is left. O(J).
template <class Size>
[[nodiscard]] GpuCount serve_in_order(std::span<const JobIndex> order,
                                      GpuCount left,
                                      Allocation& gpus,
                                      Size size) {
  for (const JobIndex job : order) {
    const GpuCount wanted = size(job);
    if (wanted > left)
      continue;
    gpus[job] = wanted;
    left -= wanted;
  }
  return left;
}

}  // namespace voda::allocators_detail

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// The next size of a job if it is affordable and faster, else 0.
[[nodiscard]] inline GpuCount useful_next(const JobColumns& columns,
                                          JobIndex job,
                                          GpuCount size,
                                          GpuCount left) {
  const GpuCount next = next_size(columns.sizes[job], size);
  if (next == 0 || next - size > left)
    return 0;
  const SpeedupCurve& speed = columns.speedup[job];
  return speed(next) > speed(size) ? next : 0;
}

/// Steps of equal cost, each to a faster size, that a job can take from its minimum on.
struct EqualSteps {
  GpuCount count = 0;
  GpuCount cost = 0;
  bool is_all = false;  ///< no useful step follows; false: not known
};

/// The steps up to where the curve first stops rising; O(1). For sizes with a step only.
[[nodiscard]] inline EqualSteps equal_steps(const JobColumns& columns, JobIndex job) {
  const AllowedSizes& sizes = columns.sizes[job];
  const SpeedupCurve& speed = columns.speedup[job];
  EqualSteps result{.cost = sizes.step};
  const GpuCount rising = std::min(speed.rises_to(), sizes.max);
  if (rising > sizes.min)
    result.count = (rising - sizes.min) / sizes.step;
  const GpuCount next = next_size(sizes, sizes.min + result.count * sizes.step);
  result.is_all = next == 0 || !(speed(next) > speed(sizes.min + result.count * sizes.step));
  return result;
}

/// Passes over jobs at their minimums, one step each.
class RoundRobin {
 public:
  /// Hands out at most `left` GPUs to the jobs of `order`, of which those that cannot step any more are dropped.
  /// O(J log K) for jobs whose sizes are equally far apart, plus the steps past dips of their curves; else O(J + steps).
  void grow(const JobColumns& columns,
            std::vector<JobIndex>& order,
            GpuCount left,
            AllocationDecision& decision) {
    Allocation& gpus = decision.gpus;
    if (left > 0)
      left = take_full_rounds(columns, order, left, decision);
    while (!order.empty() && left > 0) {
      std::size_t kept = 0;
      for (const JobIndex job : order) {
        ++decision.effort;
        const GpuCount next = useful_next(columns, job, gpus[job], left);
        if (next == 0)
          continue;
        left -= next - gpus[job];
        gpus[job] = next;
        if (left == 0)
          return;
        order[kept++] = job;
      }
      order.resize(kept);
    }
  }

 private:
  /// Takes at once the rounds in which everybody who has a step left can afford it; returns what is left.
  GpuCount take_full_rounds(const JobColumns& columns,
                            std::vector<JobIndex>& order,
                            GpuCount left,
                            AllocationDecision& decision) {
    steps_.clear();
    steps_.reserve(order.size());
    GpuCount cost = 0;
    GpuCount most_rounds = std::numeric_limits<GpuCount>::max();
    for (const JobIndex job : order) {
      const AllowedSizes& sizes = columns.sizes[job];
      if (sizes.step == 0 && sizes.min < sizes.max)
        return left;
      if (sizes.min == sizes.max) {
        steps_.push_back(0);
        continue;
      }
      if (cost != 0 && cost != sizes.step)
        return left;
      const EqualSteps known = equal_steps(columns, job);
      cost = known.cost;
      if (!known.is_all)
        most_rounds = std::min(most_rounds, known.count);
      steps_.push_back(known.count);
    }
    if (cost == 0)
      return left;
    const GpuCount rounds = std::min(most_rounds, full_rounds(left / cost, decision.effort));
    std::size_t kept = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      const GpuCount taken = std::min(rounds, steps_[i]);
      decision.gpus[order[i]] += taken * cost;
      left -= taken * cost;
      if (steps_[i] > rounds || rounds == most_rounds)
        order[kept++] = order[i];
    }
    order.resize(kept);
    return left;
  }

  /// The largest number of rounds with at most `budget` steps together: each estimate spreads what those with fewer steps
  /// leave over the others, so it only rises.
  [[nodiscard]] GpuCount full_rounds(GpuCount budget, std::int64_t& effort) const {
    GpuCount rounds = 0;
    while (true) {
      effort += std::ssize(steps_);
      std::int64_t spent = 0;
      std::int64_t open = 0;
      for (const GpuCount steps : steps_) {
        spent += steps <= rounds ? steps : 0;
        open += steps <= rounds ? 0 : 1;
      }
      if (open == 0)
        return std::numeric_limits<GpuCount>::max();
      const auto next = static_cast<GpuCount>((budget - spent) / open);
      if (next == rounds)
        return rounds;
      rounds = next;
    }
  }

  std::vector<GpuCount> steps_{};  // known ones of each job
};

}  // namespace voda::allocators_detail

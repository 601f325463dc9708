#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "voda/allocators/impl/round_robin.hpp"
#include "voda/allocators/impl/serving.hpp"
#include "voda/allocators/impl/session.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// How the elastic policies hand out what the minimums leave.
enum class Growth : std::uint8_t { round_robin, greedy, in_order };

/// The fastest allowed size of at most `left`, the smallest of equals; 0 when none fits. O(sizes up to the flat part).
[[nodiscard]] inline GpuCount fastest_size(const JobColumns& columns, JobIndex job, GpuCount left) {
  const AllowedSizes& sizes = columns.sizes[job];
  const SpeedupCurve& speed = columns.speedup[job];
  if (std::min(left, sizes.max) <= speed.rises_to())
    return largest_size(sizes, left);
  GpuCount best = 0;
  for (GpuCount size = next_size(sizes, 0); size != 0 && size <= left;
       size = next_size(sizes, size)) {
    if (speed(size) > speed(best))
      best = size;
    if (size >= speed.flat_from())
      break;
  }
  return best;
}

/// What Elastic-FIFO and Elastic-SRJF share: both phases in `order`.
class ElasticService {
 public:
  template <class Order>
  void serve(const AllocationProblem& problem,
             const Order& order,
             Growth growth,
             AllocationDecision& decision) {
    const JobColumns& columns = *problem.columns;
    clear(problem, decision);
    Allocation& gpus = decision.gpus;
    GpuCount left = problem.capacity;
    if (growth == Growth::in_order) {
      for (const auto& entry : order) {
        const JobIndex job = job_of(entry);
        gpus[job] = fastest_size(columns, job, left);
        left -= gpus[job];
      }
      return;
    }
    growing_.clear();
    growing_.reserve(order.size());
    for (const auto& entry : order) {
      const JobIndex job = job_of(entry);
      if (left == 0)
        break;
      const GpuCount minimum = columns.sizes[job].min;
      if (minimum > left || useful_minimum(columns, job) == 0)
        continue;
      gpus[job] = minimum;
      left -= minimum;
      growing_.push_back(job);
    }
    if (growth == Growth::round_robin)
      round_robin_.grow(columns, growing_, left, decision);
    if (growth == Growth::greedy)
      grow_greedily(columns, left, gpus);
  }

 private:
  /// Each holder grows as far as it can before the next one. O(J), and O(steps) beyond the rising part of a curve.
  void grow_greedily(const JobColumns& columns, GpuCount left, Allocation& gpus) const {
    for (const JobIndex job : growing_) {
      if (left == 0)
        return;
      if (columns.sizes[job].step > 0) {
        const EqualSteps steps = equal_steps(columns, job);
        const GpuCount taken = std::min(steps.count, left / steps.cost) * steps.cost;
        gpus[job] += taken;
        left -= taken;
      }
      while (const GpuCount next = useful_next(columns, job, gpus[job], left)) {
        left -= next - gpus[job];
        gpus[job] = next;
      }
    }
  }

  std::vector<JobIndex> growing_{};
  RoundRobin round_robin_{};
};

}  // namespace voda::allocators_detail

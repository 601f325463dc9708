#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voda/allocators/impl/serving.hpp"
#include "voda/allocators/impl/session.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// How the elastic policies hand out what the minimums leave.
enum class Growth : std::uint8_t { round_robin, greedy, in_order };

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

/// The fastest allowed size of at most `left`, the smallest of equals; 0 when none fits. O(sizes up to the flat part).
[[nodiscard]] inline GpuCount fastest_size(const JobColumns& columns, JobIndex job, GpuCount left) {
  const AllowedSizes& sizes = columns.sizes[job];
  const SpeedupCurve& speed = columns.speedup[job];
  if (speed.is_linear())
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
    const auto minimum = [&columns](JobIndex job) { return useful_minimum(columns, job); };
    left = serve_in_order(order, left, gpus, minimum);
    growing_.clear();
    for (const auto& entry : order) {
      if (gpus[job_of(entry)] > 0)
        growing_.push_back(job_of(entry));
    }
    if (growth == Growth::round_robin)
      grow_round_robin(columns, left, gpus);
    if (growth == Growth::greedy)
      grow_greedily(columns, left, gpus);
  }

 private:
  /// Passes over the holders, one step each; a job that cannot step now never can, since what is left only shrinks.
  /// O(J + steps).
  void grow_round_robin(const JobColumns& columns, GpuCount left, Allocation& gpus) {
    while (!growing_.empty() && left > 0) {
      std::size_t kept = 0;
      for (const JobIndex job : growing_) {
        const GpuCount next = useful_next(columns, job, gpus[job], left);
        if (next == 0)
          continue;
        left -= next - gpus[job];
        gpus[job] = next;
        growing_[kept++] = job;
      }
      growing_.resize(kept);
    }
  }

  /// Each holder grows as far as it can before the next one. O(J + steps).
  void grow_greedily(const JobColumns& columns, GpuCount left, Allocation& gpus) const {
    for (const JobIndex job : growing_) {
      if (left == 0)
        return;
      while (const GpuCount next = useful_next(columns, job, gpus[job], left)) {
        left -= next - gpus[job];
        gpus[job] = next;
      }
    }
  }

  std::vector<JobIndex> growing_{};
};

}  // namespace voda::allocators_detail

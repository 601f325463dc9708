#pragma once

#include <cstdint>
#include <limits>

#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// Which size a rigid policy hands out.
enum class RigidSize : std::uint8_t { requested, minimum };

/// The size that the option `size` of a policy asks for, whose words are the same for all.
template <class Size>
[[nodiscard]] RigidSize rigid_of(Size size) {
  return size == Size::requested ? RigidSize::requested : RigidSize::minimum;
}

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

[[nodiscard]] inline JobIndex job_of(JobIndex job) {
  return job;
}

/// The job of an entry of a ranking.
template <class Entry>
[[nodiscard]] JobIndex job_of(const Entry& entry) {
  return entry.job;
}

/// Gives each job of `order` its size when it fits into what is left, skips it otherwise; returns what is left. O(J).
template <class Order, class Size>
[[nodiscard]] GpuCount serve_in_order(const Order& order,
                                      GpuCount left,
                                      Allocation& gpus,
                                      Size size) {
  for (const auto& entry : order) {
    const JobIndex job = job_of(entry);
    const GpuCount wanted = size(job);
    if (wanted > left)
      continue;
    gpus[job] = wanted;
    left -= wanted;
  }
  return left;
}

}  // namespace voda::allocators_detail

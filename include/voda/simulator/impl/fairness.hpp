#pragma once

#include <algorithm>

#include "voda/model/allowed_sizes.hpp"
#include "voda/model/job.hpp"
#include "voda/model/units.hpp"

namespace voda::simulator_detail {

/// Finish-time fairness: a job's stay over the time that it would take alone on 1/n of its pool, n = `mean_jobs`, the mean
/// number of jobs during its stay.
[[nodiscard]] inline double finish_time_fairness(const Job& job,
                                                 Duration stay,
                                                 double mean_jobs,
                                                 GpuCount capacity) {
  const auto share = static_cast<GpuCount>(capacity / mean_jobs);
  const AllowedSizes sizes = allowed_sizes(job.spec);
  double best = job.speedup(sizes.min);
  for (GpuCount size = next_size(sizes, sizes.min); size != 0 && size <= share;
       size = next_size(sizes, size)) {
    best = std::max(best, job.speedup(size));
    if (!job.speedup.is_linear() && size >= job.speedup.flat_from())
      break;
  }
  const double alone_s = job.work->left_s / best;
  return alone_s > 0 ? to_seconds(stay) / alone_s : 1;
}

}  // namespace voda::simulator_detail

#pragma once

#include "voda/model/job_columns.hpp"

#include <algorithm>

namespace voda {

VODA_INLINE void JobColumns::resize(std::size_t slots) {
  id.resize(slots);
  submitted.resize(slots);
  sizes.resize(slots);
  requested.resize(slots);
  current.resize(slots);
  clock.resize(slots);
  last_started.resize(slots, never);
  size_changes.resize(slots);
  speedup.resize(slots);
  work.resize(slots);
  has_work.resize(slots);
  eligible.resize(slots);
}

VODA_INLINE void JobColumns::set(JobIndex slot, const Job& job, GpuCount held, TimePoint now) {
  check(job);
  const AllowedSizes formed = allowed_sizes(job.spec);
  const GpuCount rounded = largest_size(formed, job.spec.requested_gpus);
  id[slot] = job.id;
  submitted[slot] = job.submitted;
  sizes[slot] = formed;
  requested[slot] = rounded > 0 ? rounded : formed.min;
  current[slot] = held;
  clock[slot] = {
      .since_promotion = job.progress.since_promotion, .counted_at = now, .running = held};
  last_started[slot] = job.progress.last_started.value_or(never);
  size_changes[slot] = SizeChanges(job.progress.last_changed, job.progress.resized);
  speedup[slot] = job.speedup;
  work[slot] = job.work.value_or(RemainingWork{});
  has_work[slot] = job.work.has_value() ? 1 : 0;
  eligible[slot] = nullptr;
}

VODA_INLINE bool arrives_before(const JobColumns& columns, JobIndex a, JobIndex b) {
  if (columns.submitted[a] != columns.submitted[b]) {
    return columns.submitted[a] < columns.submitted[b];
  }
  return columns.id[a] < columns.id[b];
}

VODA_INLINE void sort_by_arrival(std::vector<JobIndex>& jobs, const JobColumns& columns) {
  std::ranges::sort(jobs,
                    [&columns](JobIndex a, JobIndex b) { return arrives_before(columns, a, b); });
}

}  // namespace voda

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/allowed_sizes.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/indexed_vector.hpp"
#include "voda/model/job.hpp"
#include "voda/model/speedup_curve.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// What runs for a job and since when its counters and its work are integrated.
struct JobClock {
  Counters since_promotion{};  // up to `counted_at`
  TimePoint counted_at{};
  GpuCount running = 0;  // GPUs that accrue since then
  bool operator==(const JobClock&) const = default;
};

/// The nodes that may hold a job, ascending; null: all nodes of its pool.
using EligibleNodes = std::shared_ptr<const std::vector<NodeIndex>>;

/// The jobs of a pool as columns over stable slots: one entry per slot, free slots hold defaults.
///
/// What takes part in a decision is listed by the problem's arrival order; other slots must not be read.
struct JobColumns {
  IndexedVector<JobIndex, JobId> id{};
  IndexedVector<JobIndex, TimePoint> submitted{};
  IndexedVector<JobIndex, AllowedSizes> sizes{};
  IndexedVector<JobIndex, GpuCount> requested{};  // r, rounded to an allowed size
  IndexedVector<JobIndex, GpuCount> current{};    // GPUs held by the last committed decision
  IndexedVector<JobIndex, JobClock> clock{};
  IndexedVector<JobIndex, TimePoint> last_started{};  // `never` before the first start
  IndexedVector<JobIndex, SizeChanges> size_changes{};
  IndexedVector<JobIndex, SpeedupCurve> speedup{};
  IndexedVector<JobIndex, RemainingWork> work{};  // read only where has_work
  IndexedVector<JobIndex, std::uint8_t> has_work{};
  IndexedVector<JobIndex, EligibleNodes> eligible{};

  [[nodiscard]] std::size_t size() const noexcept { return id.size(); }

  /// Grows or shrinks every column to `slots` slots.
  void resize(std::size_t slots);

  /// Writes a job into a slot, holding `current` GPUs at `now`; throws InvalidInput for an invalid job.
  void set(JobIndex slot, const Job& job, GpuCount held, TimePoint now);
};

/// Sorts slots into arrival order: (submitted, id as text) ascending.
void sort_by_arrival(std::vector<JobIndex>& jobs, const JobColumns& columns);

/// True when `a` comes before `b` in arrival order.
[[nodiscard]] bool arrives_before(const JobColumns& columns, JobIndex a, JobIndex b);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/job_columns_inl.hpp"
#endif

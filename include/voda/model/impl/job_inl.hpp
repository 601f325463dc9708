#pragma once

#include "voda/model/job.hpp"

#include <algorithm>
#include <cmath>
#include <ranges>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"

namespace voda {

VODA_INLINE SizeChanges::SizeChanges(std::optional<TimePoint> last,
                                     std::span<const TimePoint> resizes)
    : last_(last) {
  const auto latest = resizes.last(std::min(resizes.size(), most_resizes));
  std::ranges::copy(latest, resizes_.begin());
  count_ = static_cast<std::uint8_t>(latest.size());
}

VODA_INLINE void SizeChanges::add(GpuCount before, GpuCount after, TimePoint now) {
  if (before == after)
    return;
  last_ = now;
  if (before == 0 || after == 0)
    return;
  if (count_ == most_resizes) {
    std::ranges::copy(resizes_ | std::views::drop(1), resizes_.begin());
    --count_;
  }
  resizes_[count_++] = now;
}

VODA_INLINE bool SizeChanges::operator==(const SizeChanges& other) const {
  return last_ == other.last_ && std::ranges::equal(resizes(), other.resizes());
}

VODA_INLINE void accrue(Counters& counters, GpuCount gpus, Duration elapsed) {
  if (gpus <= 0) {
    counters.waited = Duration(saturating_add(counters.waited.count(), elapsed.count()));
    return;
  }
  auto& service = counters.service.gpu_microseconds;
  service = saturating_add(service, saturating_multiply(gpus, elapsed.count()));
  counters.executed = Duration(saturating_add(counters.executed.count(), elapsed.count()));
}

VODA_INLINE RemainingWork RemainingWork::continued(TimePoint now, double new_rate) const {
  RemainingWork result = *this;
  result.rate = new_rate;
  const TimePoint start = std::max(since, stalled_until);
  if (now <= start) {
    result.since = std::max(since, now);
    return result;
  }
  const double elapsed_s = static_cast<double>((now - start).count()) / 1e6;
  result.left_s = left_s - unfused(rate * elapsed_s);
  result.since = now;
  return result;
}

VODA_INLINE double RemainingWork::at(TimePoint now) const {
  return std::max(0.0, continued(now, rate).left_s);
}

VODA_INLINE TimePoint RemainingWork::done_at() const {
  if (!(rate > 0))
    return never;
  const double needed = std::floor(unfused(left_s / rate * 1e6) + 0.5);
  if (!(needed < 9e18))
    return never;
  const auto start = std::max(since, stalled_until);
  const auto microseconds = std::max<std::int64_t>(1, static_cast<std::int64_t>(needed));
  if (start.time_since_epoch().count() > 0 && microseconds > (never - start).count())
    return never;
  return start + Duration(microseconds);
}

VODA_INLINE AllowedSizes allowed_sizes(const JobSpec& spec) {
  return allowed_sizes(spec.min_gpus, spec.max_gpus, spec.sizes, spec.gpus_per_worker);
}

VODA_INLINE void check(const JobSpec& spec, const JobId& job) {
  if (spec.requested_gpus < spec.min_gpus) {
    throw InvalidInput(fmt::format("job '{}': requested_gpus {} < min_gpus {}",
                                   job.value,
                                   spec.requested_gpus,
                                   spec.min_gpus));
  }
  if (spec.requested_gpus > spec.max_gpus) {
    throw InvalidInput(fmt::format("job '{}': requested_gpus {} > max_gpus {}",
                                   job.value,
                                   spec.requested_gpus,
                                   spec.max_gpus));
  }
  try {
    static_cast<void>(allowed_sizes(spec));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("job '{}': {}", job.value, error.what()));
  }
}

VODA_INLINE void check_work(double work_s, const JobId& job) {
  if (!(work_s >= 0 && work_s <= max_seconds)) {
    throw InvalidInput(fmt::format(
        "job '{}': work_s {}; expected seconds from 0 to {:.0e}", job.value, work_s, max_seconds));
  }
}

VODA_INLINE void check(const Job& job) {
  if (job.id.value.empty())
    throw InvalidInput("job: id is empty; expected a name");
  check(job.spec, job.id);
  if (job.work)
    check_work(job.work->left_s, job.id);
  for (const auto* counters : {&job.progress.lifetime, &job.progress.since_promotion}) {
    if (counters->service.gpu_microseconds < 0 || counters->executed.count() < 0 ||
        counters->waited.count() < 0) {
      throw InvalidInput(fmt::format(
          "job '{}': progress: service {}, executed {}, waited {}; expected numbers >= 0",
          job.id.value,
          to_seconds(counters->service),
          to_seconds(counters->executed),
          to_seconds(counters->waited)));
    }
  }
  const auto& resized = job.progress.resized;
  const auto back = std::ranges::adjacent_find(resized, std::ranges::greater());
  if (back != resized.end()) {
    throw InvalidInput(
        fmt::format("job '{}': progress: resized {} s, then {} s; expected instants that ascend",
                    job.id.value,
                    to_seconds(*back),
                    to_seconds(*(back + 1))));
  }
}

}  // namespace voda

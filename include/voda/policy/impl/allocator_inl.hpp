#pragma once

#include "voda/policy/allocator.hpp"

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {

VODA_INLINE double AllocationProblem::remaining_work(JobIndex job, std::string_view policy) const {
  if (columns->has_work[job] == 0) {
    throw InvalidInput(fmt::format(
        "job '{}': work_s is missing; policy '{}' needs it", columns->id[job].value, policy));
  }
  return columns->work[job].at(now);
}

VODA_INLINE Counters AllocationProblem::since_promotion(JobIndex job) const {
  const JobClock& clock = columns->clock[job];
  Counters result = clock.since_promotion;
  if (now > clock.counted_at)
    accrue(result, clock.running, now - clock.counted_at);
  return result;
}

VODA_INLINE std::optional<TimePoint> Allocator::review_of(const AllocationProblem& /*problem*/,
                                                          const Allocation& /*gpus*/) const {
  return std::nullopt;
}

}  // namespace voda

#include "voda/policy/reasons.hpp"  // the body of Allocator::explain()

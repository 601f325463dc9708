#pragma once

#include "voda/scheduler/explain.hpp"

#include <algorithm>
#include <utility>

#include "voda/scheduler/impl/capped_problem.hpp"

namespace voda {
namespace scheduler_detail {

[[nodiscard]] inline Reason cap_reason(const Capped& capped) {
  return {.code = capped.reason == UnplacedReason::fragmentation ? ReasonCode::capped_by_split
                                                                 : ReasonCode::capped_by_room,
          .facts = {{"cap", std::int64_t{capped.cap}}, {"free", std::int64_t{capped.free_gpus}}}};
}

}  // namespace scheduler_detail

VODA_INLINE Explanation explain_size(const Allocator& allocator,
                                     const PoolState& pool,
                                     const PoolDecision& decided,
                                     TimePoint now,
                                     JobIndex job,
                                     const ExplainBounds& bounds,
                                     const NamedPolicy* policy) {
  const AllocationProblem asked = pool.allocation_problem(now);
  const AllocationProblem problem =
      decided.capped.empty() ? asked : scheduler_detail::capped_problem(asked, decided.capped);
  const AllocationDecision answer = allocator.allocate(problem);
  const auto cap = std::ranges::find(decided.capped, job, &Capped::job);
  const bool takes_part =
      std::ranges::find(*problem.arrival_order, job) != problem.arrival_order->end();
  Explanation result{.job = job, .gpus = decided.allocation.gpus[job]};
  if (takes_part && answer.gpus[job] == result.gpus) {
    result = explain_size(allocator, problem, answer, job, bounds, policy);
  } else if (result.gpus > 0) {
    result.reasons.push_back(
        {.code = ReasonCode::got_leftovers, .facts = {{"gpus", std::int64_t{result.gpus}}}});
  }
  if (cap != decided.capped.end()) {
    result.reasons.insert(result.reasons.begin(), scheduler_detail::cap_reason(*cap));
    std::erase_if(result.changes, [](const Change& change) {
      return change.kind == ChangeKind::own_maximum;  // which the cap took the place of
    });
  }
  return result;
}

VODA_INLINE std::optional<PlaceExplanation> explain_place(const Placer& placer,
                                                          const PoolState& pool,
                                                          const PoolDecision& decided,
                                                          JobIndex job,
                                                          const ExplainBounds& bounds) {
  if (!decided.placement)
    return std::nullopt;
  Allocation gpus = decided.allocation.gpus;
  const bool was_capped =
      std::ranges::find(decided.capped, job, &Capped::job) != decided.capped.end();
  if (gpus[job] > 0)
    return explain_place(
        placer, pool.placement_problem(std::move(gpus)), *decided.placement, job, bounds);
  if (!was_capped)
    return std::nullopt;
  gpus[job] = pool.jobs().sizes[job].min;
  const PlacementProblem problem = pool.placement_problem(std::move(gpus));
  return explain_place(placer, problem, placer.place(problem), job, bounds);
}

}  // namespace voda

#pragma once

#include "voda/policy/explain.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "voda/policy/impl/change_search.hpp"
#include "voda/policy/impl/place_search.hpp"
#include "voda/policy/reasons.hpp"

namespace voda {
namespace explain_detail {

/// GPUs that the last reason says are missing; 0 when it speaks of something else.
[[nodiscard]] inline std::int64_t lacking(const Explanation& explanation) {
  if (explanation.reasons.empty())
    return 0;
  const auto value = [&](std::string_view name) -> const std::int64_t* {
    for (const Fact& fact : explanation.reasons.back().facts) {
      if (fact.name == name)
        return std::get_if<std::int64_t>(&fact.value);
    }
    return nullptr;
  };
  const auto* needed = value("needed");
  const auto* free = value("free");
  return needed != nullptr && free != nullptr ? *needed - *free : 0;
}

[[nodiscard]] inline std::vector<Holder> fewest_holders(std::span<const Holder> by_gpus,
                                                        std::int64_t lacking) {
  std::vector<Holder> result;
  for (const Holder& holder : by_gpus) {
    if (lacking <= 0)
      break;
    result.push_back(holder);
    lacking -= holder.gpus;
  }
  return result;
}

}  // namespace explain_detail

VODA_INLINE Explanation explain_size(const Allocator& allocator,
                                     const AllocationProblem& problem,
                                     const AllocationDecision& decision,
                                     JobIndex job,
                                     const ExplainBounds& bounds,
                                     const NamedPolicy* policy) {
  check_contestant(*problem.arrival_order, job);
  Explanation result = allocator.explain(problem, decision, job);
  const auto holders = explain_detail::holders_by_gpus(problem, decision, job);
  const std::int64_t lacking = explain_detail::lacking(result);
  result.holders = explain_detail::fewest_holders(holders, lacking);
  explain_detail::ChangeSearch search(allocator, problem, decision, job);
  result.changes.push_back(search.more_gpus(bounds.more_gpus));
  for (const ChangeKind kind :
       {ChangeKind::own_minimum, ChangeKind::own_request, ChangeKind::own_maximum})
    result.changes.push_back(search.own_size(kind, bounds.own_sizes));
  result.changes.push_back(search.holder_gone(holders, lacking, bounds.holders));
  result.changes.push_back(search.later(bounds.reviews));
  if (policy != nullptr)
    search.options(*policy, bounds.option_values, result.changes);
  return result;
}

VODA_INLINE PlaceExplanation explain_place(const Placer& placer,
                                           const PlacementProblem& problem,
                                           const PlacementDecision& decision,
                                           JobIndex job,
                                           const ExplainBounds& bounds) {
  check_contestant(*problem.arrival_order, job);
  PlaceExplanation result{.job = job, .reasons = placer.explain(problem, decision, job)};
  const explain_detail::PlaceSearch search(placer, problem, decision, job);
  if (search.can_improve()) {
    result.changes.push_back(search.more_nodes(bounds.more_nodes));
    result.changes.push_back(search.neighbour_gone(bounds.holders));
  }
  return result;
}

}  // namespace voda

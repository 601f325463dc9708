#pragma once

#include "voda/policy/placer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "voda/policy/impl/place_facts.hpp"

namespace voda {

VODA_INLINE std::vector<Reason> Placer::explain(const PlacementProblem& problem,
                                                const PlacementDecision& decision,
                                                JobIndex job) const {
  const place_detail::PlaceFacts facts(problem, decision, job);
  std::vector<Reason> result;
  const auto failed = std::ranges::find(decision.unplaced, job, &Unplaced::job);
  if (failed != decision.unplaced.end()) {
    facts.append_refusal(*failed, result);
    return result;
  }
  facts.append_span(result);
  facts.append_workers(result);
  facts.append_moves(result);
  return result;
}

}  // namespace voda

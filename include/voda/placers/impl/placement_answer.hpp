#pragma once

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Numbers the workers of a draft and adds its cost; bounds are left at 0.
///
/// A worker keeps its node whenever the node keeps at least that many workers of its job, lower numbers first; the others
/// take the open places by number, on the nodes with most workers of the job first (so that a job that shrinks leaves its
/// thinnest node), then in the order of the nodes.
[[nodiscard]] PlacementDecision answer(const PlacementProblem& problem,
                                       const Situation& situation,
                                       const Draft& draft);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/placement_answer_inl.hpp"
#endif

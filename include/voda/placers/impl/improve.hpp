#pragma once

#include <cstddef>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/objective.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Up to so many nodes a search looks at all of them.
inline constexpr std::size_t small_cluster = 64;

/// Lowers the cost of a layout; who is placed stays. False: nothing was found; true: see the costs.
///
/// Jobs on excess nodes are folded by chains of evictions, fold.hpp. Up to small_cluster nodes a search follows: a descent
/// divides the workers of two nodes anew at least cost, wherever a job with cost is involved, until no pair gains. Then, for
/// some rounds, a few nodes around a job with cost are cleared and filled again in another order (large neighbourhood search:
/// P. Shaw, CP 1998), the descent follows, and the round counts unless the cost rises. The orders come from a fixed
/// sequence, so equal situations give equal layouts. The work is limited by counts, not by time.
bool improve(const Situation& situation, const Objective& objective, Layout& layout);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/improve_inl.hpp"
#endif

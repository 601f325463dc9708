#pragma once

#include "voda/config.hpp"
#include "voda/model/placement.hpp"
#include "voda/policy/placer.hpp"

namespace voda {

/// Says what a placement costs as an answer to a problem, term by term.
///
/// A job without workers in `placement` counts as unplaced: it costs nothing. `excess_by_level` has one entry for each
/// topology level, innermost first; domains are compared as whole paths, a node whose path is shorter than the longest
/// one is in the domain of its whole path at the missing levels. `forced` counts workers that changed their node because
/// it is lost, cordoned, not eligible any more, or too small for what is on it; `moved` counts the other survivors whose
/// node changed. Throws InvalidInput as check() does. O(nodes + jobs + workers log workers).
[[nodiscard]] PlacementCost placement_cost(const PlacementProblem& problem,
                                           const Placement& placement);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/placers/impl/cost_inl.hpp"
#endif

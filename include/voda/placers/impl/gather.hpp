#pragma once

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/objective.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Brings the workers of each job into fewer topology domains, innermost level first, where that costs nothing else.
///
/// The workers of a job on one node go to a node of a domain that the job uses already: into the gap there, or in exchange
/// with those of another job. Only workers that do not stay where they ran take part, so that nobody moves for it and no
/// job uses more nodes.
void gather(const Situation& situation, const Objective& objective, Layout& layout);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/gather_inl.hpp"
#endif

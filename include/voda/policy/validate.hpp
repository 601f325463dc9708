#pragma once

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/placer.hpp"

namespace voda {

/// Checks one answer of an allocator: one count per slot, each 0 or an allowed size, 0 outside the contest, the sum within
/// capacity, the review after now, resets among the contestants. Throws InvalidDecision naming job and rule. O(slots).
void validate(const AllocationProblem& problem, const AllocationDecision& decision);

/// Checks one answer of a placer: every job placed in full or listed as unplaced, only on usable, eligible nodes, no node
/// above its GPUs. Throws InvalidDecision naming job or node and rule. O(slots + workers + nodes).
void validate(const PlacementProblem& problem, const PlacementDecision& decision);

/// Checks a placement problem: counts are multiples of the worker size, columns fit each other, no more than
/// `most_placed_workers`; throws InvalidInput.
void check(const PlacementProblem& problem);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/validate_inl.hpp"
#endif

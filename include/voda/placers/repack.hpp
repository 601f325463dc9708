#pragma once

#include <vector>

#include "voda/config.hpp"
#include "voda/policy/placer.hpp"

namespace voda {

/// Packs every job anew and then binds the packing to the nodes so that most workers stay.
///
/// Optimises: few nodes per job by best-fit decreasing on empty anonymous nodes of the real sizes; given that packing, the
/// workers moved, to proven optimality (`bound.moved` comes from the dual prices of the assignment and equals `cost.moved`).
/// Source: T.-T. Hsieh, C.-R. Lee, "Voda: A GPU Scheduling Platform for Elastic Deep Learning in Kubernetes Clusters", IC2E
/// 2023, placement management; the code of vodascheduler 0.2.2.
/// Deviations: a job that spans nodes books only its remainder on the last one; only nodes of equal size are exchanged; the
/// order is fixed (worker size descending, workers descending, arrival) where Voda takes hash order; the assignment is
/// solved over the pairs that share a job instead of a dense matrix; worker numbers stay.
/// Limits: does not look at the current placement when packing, so it moves more than needed: see Steady.
/// Complexity: O(pieces + nonzeros) and the searches of the matching; nonzeros = pairs of nodes that share a job.
class Repack final : public Placer {
 public:
  /// Throws InvalidInput as check() does.
  [[nodiscard]] PlacementDecision place(const PlacementProblem& problem) const override;
  [[nodiscard]] std::vector<Reason> explain(const PlacementProblem& problem,
                                            const PlacementDecision& decision,
                                            JobIndex job) const override;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/placers/impl/repack_inl.hpp"
#endif

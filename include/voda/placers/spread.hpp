#pragma once

#include <vector>

#include "voda/config.hpp"
#include "voda/policy/placer.hpp"

namespace voda {

/// Puts as few workers of a job on one node as possible, so that a failing node takes few of them.
///
/// Optimises: the largest number of workers of a job on one node, job by job (worker size descending, then arrival). Among
/// nodes with equally few: where its survivors are, then the node with most free GPUs, the smaller node, the order of nodes.
/// Source: the usual counter-example to packing (`worst fit`, topology spread); here for comparison and for tests.
/// Limits: a job alone is never rearranged to make room; spans are as long as they get.
/// Complexity: O(jobs * nodes log nodes).
class Spread final : public Placer {
 public:
  /// Throws InvalidInput as check() does.
  [[nodiscard]] PlacementDecision place(const PlacementProblem& problem) const override;
  [[nodiscard]] std::vector<Reason> explain(const PlacementProblem& problem,
                                            const PlacementDecision& decision,
                                            JobIndex job) const override;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/placers/impl/spread_inl.hpp"
#endif

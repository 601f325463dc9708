#pragma once

#include <limits>
#include <vector>

#include "voda/config.hpp"
#include "voda/policy/options.hpp"
#include "voda/policy/placer.hpp"

namespace voda {

/// How much an excess node is worth.
struct SteadyOptions {
  double beta = 8;  // moves per excess node, >= 0; inf: excess first, 0: moves first

  void read(OptionReader& reader) {
    reader.read("beta",
                beta,
                {.min = 0, .max = std::numeric_limits<double>::infinity()},
                "moves that an excess node is worth");
  }
};

/// Starts from where the workers are and moves them only where it pays.
///
/// Optimises: fewest unplaced jobs, then fewest unplaced GPUs, then beta * excess span + workers moved (forced moves are
/// free); of equal answers the one with the latest arrivals unplaced, then with the least excess per topology level.
/// Source: the objective is Voda's (few nodes per job, then few migrations; Hsieh, Lee, IC2E 2023) with the terms traded
/// against each other; the searches are ejection chains (F. Glover, Discrete Applied Mathematics 65, 1996) and a large
/// neighbourhood search (P. Shaw, CP 1998) over an exact two-node exchange.
/// Method: "nobody moves" (survivors stay, the others go into the gaps by Repack's rule) is improved. Up to 64 nodes: the
/// workers of two nodes are divided anew at least cost, a knapsack; then some nodes around a job with cost are cleared and
/// filled in another order; the same from Repack's answer. Beyond: jobs on excess nodes are folded by chains of evictions;
/// Repack's answer is taken where it is cheaper, which a bound on its binding mostly rules out at once. Workers that do not
/// stay anyway are gathered in fewer topology domains. The better answer is placed again from itself until it stays, so
/// placing twice changes nothing (unless jobs are left out, where a swap of who is left out can undo the guarantee below:
/// then the answer before it is taken).
/// Guarantees: never worse than Repack and "nobody moves" in the first three terms. Work is limited by counts, not by time.
/// Limits: not proven optimal. Beyond 64 nodes a fold looks at the nodes of the jobs involved (64 of one job at most) and at
/// the eight emptiest ones only. Topology levels are looked at after all else: no worker moves and no node is added for them.
/// Complexity: O(workers + nodes) plus the folds, of which there are at most four per job on excess nodes, excess node and pass.
class Steady final : public Placer {
 public:
  explicit Steady(SteadyOptions options = {}) : options_(options) {}

  /// Throws InvalidInput as check() does.
  [[nodiscard]] PlacementDecision place(const PlacementProblem& problem) const override;
  [[nodiscard]] std::vector<Reason> explain(const PlacementProblem& problem,
                                            const PlacementDecision& decision,
                                            JobIndex job) const override;

 private:
  SteadyOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/placers/impl/steady_inl.hpp"
#endif

#pragma once

#include <memory>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// FfDL optimizer: sizes that maximise the total speed of the admitted jobs.
//
// Optimises: the sum of S_j(size) over the admitted jobs, exactly, for any curves.
// Source: Saxena et al., "Effective Elastic Scaling of Deep Learning Workloads", MASCOTS 2020 (arXiv 2006.13878), section on
// the optimizer: P(j, k) = max over g of S_j(g) + P(j - 1, k - g), a multiple-choice knapsack.
// Deviations: minimums and allowed sizes are respected (the paper and Voda 0.2.2 start at 1 GPU); jobs are admitted in arrival
// order while their minimums fit, skipping what does not; of equal totals the one with fewer GPUs wins; no batch sizes.
// Method: where all curves are concave with one common step, the largest marginal gains by a heap, O(J + runs * log J);
// otherwise the exact core method of solvers/knapsack.hpp. S is a whole number of 2^-24, so all sums are integers.
// Ties beyond total and GPUs: fixed by arrival order.
// Limits: knows nothing of remaining work; total speed is not completion time.

namespace voda {

struct FfdlOptions {
  void read(OptionReader& /*reader*/) {}
};

/// The FfDL optimizer.
class Ffdl final : public Allocator {
 public:
  static constexpr std::string_view name = "ffdl";

  explicit Ffdl(FfdlOptions /*options*/ = {}) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/ffdl_inl.hpp"
#endif

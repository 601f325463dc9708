#pragma once

#include <memory>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// AFS-L: elastic shares for known job lengths.
//
// Optimises: mean completion time; gives the next GPU to the short job unless the long one profits more from it.
// Source: Hwang et al., "Elastic Resource Sharing for Distributed Deep Learning", NSDI 2021, section 4.2 and algorithm 1; the
// tournament as the authors' simulator runs it.
// Deviations: jobs have minimums and allowed sizes, so a step may cost several GPUs and gains are divided by the cost; a job
// leaves the contest where its next size is not faster; equality goes to the longer job, and of two equally long ones the
// challenger counts as the shorter (Voda 0.2.2 compares both lengths at one job's share).
// Notation: R(n) = w / S(n); l the job with less time left at its present size, h the other.
// The relation is not transitive: the fold in arrival order is part of the definition, and this gives the fold's answer.
// Complexity: O(steps * J) pair tests in the worst case. A fold restarts at the last winner, since nothing before it changed;
// it passes over blocks of 64 whose bounds show that none of them beats the champion, and tests eight of the others at once.

namespace voda {

struct AfsLOptions {
  void read(OptionReader& /*reader*/) {}
};

/// AFS-L. Throws InvalidInput for a job without remaining work.
class AfsL final : public Allocator {
 public:
  static constexpr std::string_view name = "afs_l";

  explicit AfsL(AfsLOptions /*options*/ = {}) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/afs_l_inl.hpp"
#endif

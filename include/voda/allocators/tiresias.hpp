#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// Tiresias-L: discretised least attained service, rigid, preemptive.
//
// Optimises: mean completion time without knowing how long jobs run: those that received little GPU time go first.
// Source: Gu et al., "Tiresias: A GPU Cluster Manager for Distributed Deep Learning", NSDI 2019, section 4 (2DAS,
// discretised with queues; PROMOTEKNOB against starvation).
// Deviations: in a queue, jobs that hold GPUs go before jobs that wait, each group by its latest start, so that a preempted
// job does not push out a running one of its own queue; demotion and promotion happen at their exact instants (`review_at`),
// not at the next poll; counters accumulate over stops and restarts (Voda 0.2.2 counts since the last start).
// Notation: service = GPU-seconds, executed and waited = seconds, all since arrival or the latest promotion.
// Limits: knows no remaining work and no speedup. Complexity: O(J log J).

namespace voda {

struct TiresiasOptions {
  std::vector<double> thresholds{3600};  // GPU-seconds, ascending
  double knob = 8;                       // 0: no promotion
  void read(OptionReader& reader);
};

/// Tiresias-L at the requested sizes. Throws InvalidInput when thresholds do not ascend.
class Tiresias final : public Allocator {
 public:
  static constexpr std::string_view name = "tiresias";

  explicit Tiresias(TiresiasOptions options = {});

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] std::optional<TimePoint> review_of(const AllocationProblem& problem,
                                                   const Allocation& gpus) const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;

 private:
  TiresiasOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/tiresias_inl.hpp"
#endif

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// SRJF, shortest remaining job first (SRTF in most papers): rigid, preemptive.
//
// Optimises: mean completion time, for jobs of one size; with `rank=gpu_time` (SRSF) for jobs of several sizes.
// Source: the classical rule; both forms as in the simulator of Gu et al., Tiresias, NSDI 2019 (`shortest`, `shortest-gpu`).
// Deviations from Voda 0.2.2 (`size=minimum`, ranked by w): the rank uses the remaining time at the size that is given.
// Notation: w work left, R(n) = w / S(n).
// Limits: needs w of every job; knows nothing of the cost of preemption.
// Complexity: O(J log J).

namespace voda {

struct SrjfOptions {
  enum class Rank : std::uint8_t { time, gpu_time };
  enum class Size : std::uint8_t { requested, minimum };
  Rank rank = Rank::time;
  Size size = Size::requested;
  void read(OptionReader& reader);
};

/// Shortest remaining job first; equal ranks go by arrival. Throws InvalidInput for a job without remaining work.
class Srjf final : public Allocator {
 public:
  static constexpr std::string_view name = "srjf";

  explicit Srjf(SrjfOptions options = {}) : options_(options) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;

 private:
  SrjfOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/srjf_inl.hpp"
#endif

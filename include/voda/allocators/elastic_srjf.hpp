#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// Elastic-SRJF: as Elastic-FIFO, in the order of remaining work.
//
// Optimises: mean completion time, as SRJF, and leaves no GPU idle that would speed a job up.
// Source: Voda (Hsieh, Chou; IC2E 2023). `grow=in_order,rank=time` is the SRTF of the AFS authors' simulator and PCS.
// Deviations from Voda 0.2.2: as Elastic-FIFO; a job whose minimum is its maximum is not pushed beyond it.
// Notation: w work left, R(n) = w / S(n), r requested size.
// Complexity: O(J log J), and what elastic_fifo takes.

namespace voda {

struct ElasticSrjfOptions {
  enum class Grow : std::uint8_t { round_robin, greedy, in_order };
  enum class Rank : std::uint8_t { work, time, gpu_time };
  Grow grow = Grow::round_robin;
  Rank rank = Rank::work;
  void read(OptionReader& reader);
};

/// Elastic jobs, shortest first; equal ranks go by arrival. Throws InvalidInput for a job without remaining work.
class ElasticSrjf final : public Allocator {
 public:
  static constexpr std::string_view name = "elastic_srjf";

  explicit ElasticSrjf(ElasticSrjfOptions options = {}) : options_(options) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;

 private:
  ElasticSrjfOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/elastic_srjf_inl.hpp"
#endif

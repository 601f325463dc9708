#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// Elastic-FIFO: minimums in arrival order, then growth.
//
// Optimises: nothing explicitly; keeps arrival order and leaves no GPU idle that would speed a job up.
// Source: Voda (Hsieh, Chou; IC2E 2023), its default policy; no earlier paper. `grow=in_order` is the FIFO of the AFS
// authors' simulator and of PCS (OSDI 2024).
// Deviations from Voda 0.2.2: only jobs that got their minimum grow; a job stops at its maximum and where the next size is
// not faster (Voda feeds jobs that gain nothing, and jobs it could not start).
// Notation: m minimum, M maximum, S speedup, next(n) the next allowed size.
// Complexity: O(J log K) where all sizes are equally far apart, for whole rounds are counted by division; else, and past dips
// of the curves, O(J + steps) with at most K steps; in_order: O(sum of sizes from the first dip to the flat part of each curve).

namespace voda {

struct ElasticFifoOptions {
  enum class Grow : std::uint8_t { round_robin, greedy, in_order };
  Grow grow = Grow::round_robin;
  void read(OptionReader& reader);
};

/// Elastic jobs, first in, first out.
class ElasticFifo final : public Allocator {
 public:
  static constexpr std::string_view name = "elastic_fifo";

  explicit ElasticFifo(ElasticFifoOptions options = {}) : options_(options) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;

 private:
  ElasticFifoOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/elastic_fifo_inl.hpp"
#endif

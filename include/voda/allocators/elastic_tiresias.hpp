#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

// Elastic-Tiresias: Tiresias, with compaction when many jobs wait and expansion when GPUs idle.
//
// Optimises: mean completion time without knowing remaining work; uses idle GPUs where they speed jobs up most.
// Source: Wu et al., "Elastic Deep Learning in Multi-Tenant GPU Clusters" (EDL), TPDS 2021, section on Elastic-Tiresias;
// rules R1 (compaction, more than N pending) and R2 (expansion by efficiency gain).
// Deviations from Voda 0.2.2: compaction frees only what a waiting job needs and gives it to that job; shrunk jobs do not
// take it back in the same decision; expansion looks at every allowed size, so it does not stick where a curve is not concave.
// Notation: gain = (S(n') - S(n)) / (n' - n); Tiresias order as in tiresias.hpp.
// Complexity: O(J log J + sizes + steps). Concave curves are followed size by size, jobs with one other curve share its upper
// hull. Steps above a gain at which all of them fit are taken at once, the last few by a heap; only jobs that could not afford
// their best step look at each size again.

namespace voda {

struct ElasticTiresiasOptions {
  std::vector<double> thresholds{3600};  // GPU-seconds, ascending
  double knob = 8;                       // 0: no promotion
  std::int64_t compact_above = 10;       // compaction when more jobs than this hold nothing
  void read(OptionReader& reader);
};

/// Elastic-Tiresias. Equal gains go to the smaller cost, then to Tiresias order. Throws InvalidInput as Tiresias does.
class ElasticTiresias final : public Allocator {
 public:
  static constexpr std::string_view name = "elastic_tiresias";

  explicit ElasticTiresias(ElasticTiresiasOptions options = {});

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override;
  [[nodiscard]] std::unique_ptr<AllocatorSession> session() const override;
  [[nodiscard]] std::optional<TimePoint> review_of(const AllocationProblem& problem,
                                                   const Allocation& gpus) const override;
  [[nodiscard]] Explanation explain(const AllocationProblem& problem,
                                    const AllocationDecision& decision,
                                    JobIndex job) const override;

 private:
  ElasticTiresiasOptions options_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/allocators/impl/elastic_tiresias_inl.hpp"
#endif

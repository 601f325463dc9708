#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// What one excess node and one moved worker cost, in whole numbers, so that costs compare exactly.
struct Weights {
  std::int64_t excess = 8;
  std::int64_t moved = 1;
};

/// Weights for a trade-off of `beta` moves per excess node, read in thousandths. A beta above or below anything that the
/// other term can reach (inf, 0) compares the terms one after the other.
[[nodiscard]] Weights weights_for(double beta, const Situation& situation);

/// How good a draft is: fewest unplaced jobs, then fewest unplaced GPUs, lowest cost, the latest arrivals unplaced, lowest
/// excess of the topology levels from the innermost one. The cost comes before the arrivals, for Steady promises never to be
/// worse than Repack in the first three.
struct Score {
  std::int64_t unplaced_jobs = 0;
  std::int64_t unplaced_gpus = 0;
  std::int64_t cost = 0;
  std::vector<std::int64_t>
      earliness{};  // of the unplaced jobs, latest first: places from the last arrival
  std::vector<std::int64_t> excess_by_level{};
  auto operator<=>(const Score&) const = default;
};

/// Costs of layouts of one situation.
class Objective {
 public:
  Objective(const NodeColumns& nodes, const Situation& situation, Weights weights);

  [[nodiscard]] Weights weights() const { return weights_; }

  /// What a job costs: excess nodes and moved workers.
  [[nodiscard]] std::int64_t cost(const Situation& situation,
                                  const Layout& layout,
                                  std::size_t job) const;

  /// Number of topology levels; level 0 is the innermost.
  [[nodiscard]] std::size_t levels() const { return domains_.size(); }

  /// The domain of a node at a level, from -1 on.
  [[nodiscard]] std::int32_t domain(std::size_t level, std::size_t node) const {
    return domains_[level][node];
  }

  /// Domains that a job uses at a level beyond the fewest that could hold it; 0 for a job that is nowhere.
  [[nodiscard]] std::int64_t excess_domains(const Layout& layout,
                                            std::size_t job,
                                            std::size_t level) const;

  /// Judges a draft.
  [[nodiscard]] Score score(const Situation& situation, const Draft& draft) const;

 private:
  Weights weights_{};
  std::vector<std::vector<std::int32_t>> domains_{};         // by level, then node
  std::vector<std::vector<std::int32_t>> fewest_domains_{};  // by level, then job
};

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/objective_inl.hpp"
#endif

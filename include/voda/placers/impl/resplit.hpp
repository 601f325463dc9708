#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/objective.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Divides the workers of two nodes between them anew, at least cost: a knapsack over the GPUs of the first node.
///
/// One move of the search that covers shifts, swaps and folds of any number of jobs between two nodes at once.
class Resplitter {
 public:
  /// Lowers the cost of two nodes as far as possible; returns by how much (0: nothing changed).
  /// O(workers on both nodes * GPUs of the first).
  std::int64_t resplit(const Situation& situation,
                       Weights weights,
                       Layout& layout,
                       std::int32_t first,
                       std::int32_t second);

 private:
  /// The workers of one job on the two nodes.
  struct Share {
    std::int32_t job = 0;
    GpuCount per_worker = 1;
    std::int32_t workers = 0;
    std::int32_t first = 0;       // of these on the first node now
    std::int32_t home_first = 0;  // survivors that may stay
    std::int32_t home_second = 0;
    std::int32_t least = 0;  // fewest and most that the first node may hold
    std::int32_t most = 0;

    /// What it costs to have `count` workers on the first node, up to a constant of the job.
    [[nodiscard]] std::int64_t cost(Weights weights, std::int32_t count) const {
      const std::int32_t rest = workers - count;
      const std::int32_t nodes = (count > 0 ? 1 : 0) + (rest > 0 ? 1 : 0);
      const std::int32_t kept =
          (count < home_first ? count : home_first) + (rest < home_second ? rest : home_second);
      return weights.excess * nodes - weights.moved * kept;
    }

    /// The least cost of any count, room aside: it falls and rises only where a node empties or a home is full.
    [[nodiscard]] std::int64_t least_cost(Weights weights) const {
      std::int64_t result = cost(weights, first);
      for (const std::int32_t count : {least, most, home_first, workers - home_second}) {
        if (count >= least && count <= most)
          result = std::min(result, cost(weights, count));
      }
      return result;
    }
  };

  void gather(const Situation& situation,
              const Layout& layout,
              std::int32_t first,
              std::int32_t second);
  [[nodiscard]] std::int64_t solve(Weights weights, GpuCount room_first, GpuCount room_second);
  void apply(const Situation& situation,
             Layout& layout,
             std::int32_t first,
             std::int32_t second) const;

  std::vector<Share> shares_{};
  std::vector<std::int64_t> best_{};
  std::vector<std::int64_t> next_{};
  std::vector<std::int32_t> choice_{};  // by share, then GPUs on the first node
  std::vector<std::int32_t> target_{};  // by share: workers on the first node
};

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/resplit_inl.hpp"
#endif

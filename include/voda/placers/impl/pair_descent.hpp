#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/piece_lists.hpp"
#include "voda/placers/impl/resplit.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Up to here a search looks at all nodes; beyond, at so many of the emptiest ones.
inline constexpr std::size_t small_cluster = 64;
inline constexpr std::size_t emptiest_nodes = 16;

/// Divides pairs of nodes anew until none of them gains.
class PairDescent {
 public:
  explicit PairDescent(const Situation& situation);

  /// Asks for the pairs of a node to be tried.
  void wait(std::int32_t node);

  /// Tries the pairs of all waiting nodes and of those that change; returns by how much the cost fell.
  std::int64_t run(const Situation& situation, Weights weights, Layout& layout);

 private:
  void find_partners(const Situation& situation, const Layout& layout, std::int32_t node);

  PieceLists<std::int32_t> at_home_;  // by node: jobs that have a home there
  Resplitter resplitter_{};
  std::vector<std::uint8_t> is_waiting_{};
  std::vector<std::int32_t> waiting_{};
  std::vector<std::int32_t> partners_{};
};

/// Nodes that a search looks at beside those of the jobs involved: all of a small cluster, else some of the emptiest.
[[nodiscard]] std::vector<std::int32_t> candidate_nodes(const Layout& layout, std::size_t nodes);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/pair_descent_inl.hpp"
#endif

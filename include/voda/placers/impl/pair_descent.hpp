#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/piece_lists.hpp"
#include "voda/placers/impl/resplit.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

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

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/pair_descent_inl.hpp"
#endif

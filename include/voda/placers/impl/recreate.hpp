#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/objective.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Numbers that look random and are the same in every run, so that answers can be reproduced.
class FixedSequence {
 public:
  /// The next number from 0 to bound - 1.
  [[nodiscard]] std::uint32_t next(std::size_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;  // D. Knuth's MMIX generator
    return static_cast<std::uint32_t>(((state_ >> 33U) * bound) >> 31U);
  }

 private:
  std::uint64_t state_ = 88172645463325252U;
};

/// Clears nodes and fills them again with the same workers, job after job in a shuffled order, each where it is cheapest.
class Recreator {
 public:
  /// False: somebody did not fit; the layout is then incomplete.
  [[nodiscard]] bool recreate(const Situation& situation,
                              Weights weights,
                              Layout& layout,
                              std::span<const std::int32_t> nodes,
                              FixedSequence& sequence);

 private:
  /// Workers that were on the nodes.
  struct Evicted {
    std::int32_t job = 0;
    std::int32_t workers = 0;
    std::int64_t turn = 0;  // the lower, the earlier
  };

  void clear_nodes(const Situation& situation, Layout& layout, std::span<const std::int32_t> nodes);
  void shuffle(const Situation& situation, FixedSequence& sequence);
  [[nodiscard]] bool put_back(const Situation& situation,
                              Weights weights,
                              Layout& layout,
                              std::span<const std::int32_t> nodes,
                              const Evicted& evicted,
                              FixedSequence& sequence) const;

  std::vector<Evicted> evicted_{};
};

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/recreate_inl.hpp"
#endif

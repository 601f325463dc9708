#pragma once

#include "voda/placers/impl/pair_descent.hpp"

#include <algorithm>
#include <limits>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE PairDescent::PairDescent(const Situation& situation)
    : at_home_(situation.capacity.size(), 4), is_waiting_(situation.capacity.size(), 0) {
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    for (const Piece& home : situation.home(job))
      at_home_.push_back(static_cast<std::size_t>(home.node), static_cast<std::int32_t>(job));
  }
}

VODA_INLINE void PairDescent::wait(std::int32_t node) {
  std::uint8_t& is_waiting = is_waiting_[static_cast<std::size_t>(node)];
  if (is_waiting == 0)
    waiting_.push_back(node);
  is_waiting = 1;
}

/// Nodes that could gain together with `node`, in the order of the nodes. A job that has neither workers nor a home on both
/// cannot gain; so one must have, on `node` or coming back to it.
VODA_INLINE void PairDescent::find_partners(const Situation& situation,
                                            const Layout& layout,
                                            std::int32_t node) {
  partners_.clear();
  const auto take = [this](std::span<const Piece> pieces) {
    for (const Piece& piece : pieces)
      partners_.push_back(piece.node);
  };
  for (const Tenant& tenant : layout.tenants(node)) {
    const auto job = static_cast<std::size_t>(tenant.job);
    take(layout.pieces(job));
    take(situation.home(job));
  }
  for (const std::int32_t job : at_home_[static_cast<std::size_t>(node)])
    take(layout.pieces(static_cast<std::size_t>(job)));
  std::ranges::sort(partners_);
  partners_.erase(std::ranges::unique(partners_).begin(), partners_.end());
}

VODA_INLINE std::int64_t PairDescent::run(const Situation& situation,
                                          Weights weights,
                                          Layout& layout) {
  std::int64_t gained = 0;
  // By index: wait() appends to the list while it is walked.
  for (std::size_t head = 0; head < waiting_.size(); ++head) {  // NOLINT(modernize-loop-convert)
    const std::int32_t node = waiting_[head];
    is_waiting_[static_cast<std::size_t>(node)] = 0;
    find_partners(situation, layout, node);
    for (const std::int32_t partner : partners_) {
      if (partner == node || situation.capacity[static_cast<std::size_t>(partner)] == 0)
        continue;
      const std::int64_t gain = resplitter_.resplit(situation, weights, layout, node, partner);
      if (gain == 0)
        continue;
      gained += gain;
      wait(node);
      wait(partner);
    }
  }
  waiting_.clear();
  return gained;
}

}  // namespace voda::placers_detail

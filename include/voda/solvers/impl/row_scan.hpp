#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "voda/solvers/impl/price_range.hpp"

namespace voda::assignment_detail {

/// Columns are handled in blocks, so that the smallest value of a row is found again without a
/// second pass.
inline constexpr int scan_block = 64;
inline constexpr int scan_lanes = 16;
static_assert(scan_block % scan_lanes == 0);

constexpr int block_count(int columns) {
  return (columns + scan_block - 1) / scan_block;
}

/// Row numbers beside the distances, equally wide so that both are handled by the same vector
/// instructions.
template <class Work>
using Mark = std::conditional_t<(sizeof(Work) > 4), std::int64_t, std::int32_t>;

template <class Work>
Work smallest_lane(const std::array<Work, scan_lanes>& lanes) {
  return *std::min_element(lanes.begin(), lanes.end());
}

/// Smallest cost - price of one block. Separate lanes, because a compiler may not reorder a minimum
/// of doubles.
template <class Work>
Work smallest_of_full_block(const Work* __restrict cost, const Work* __restrict price) {
  std::array<Work, scan_lanes> smallest{};
  smallest.fill(infinite<Work>());
  for (int from = 0; from < scan_block; from += scan_lanes) {
    for (int lane = 0; lane < scan_lanes; ++lane) {
      const Work reduced = cost[from + lane] - price[from + lane];
      Work& best = smallest[static_cast<std::size_t>(lane)];
      best = reduced < best ? reduced : best;
    }
  }
  return smallest_lane(smallest);
}

template <class Work>
Work smallest_of_part(const Work* cost, const Work* price, int count) {
  Work smallest = infinite<Work>();
  for (int k = 0; k < count; ++k) {
    smallest = std::min(smallest, cost[k] - price[k]);
  }
  return smallest;
}

/// One block of the columns that a path may still reach.
template <class Work>
struct Frontier {
  const Work* price;
  const Work* floor;   ///< infinite for a column already passed, lowest otherwise
  Work* distance;      ///< infinite for a column already passed
  Mark<Work>* parent;  ///< row from which the column is reached
};

/// Shortens distances through `row`, `offset` away from its reduced costs; returns the smallest
/// distance left.
template <class Work>
Work relax_full_block(const Work* __restrict cost,
                      const Work* __restrict price,
                      const Work* __restrict floor,
                      Work* __restrict distance,
                      Mark<Work>* __restrict parent,
                      Work offset,
                      Mark<Work> row) {
  std::array<Work, scan_lanes> smallest{};
  smallest.fill(infinite<Work>());
  for (int from = 0; from < scan_block; from += scan_lanes) {
    for (int lane = 0; lane < scan_lanes; ++lane) {
      const int k = from + lane;
      const Work open = cost[k] - price[k] + offset;
      const Work reached = open < floor[k] ? floor[k] : open;
      const bool closer = reached < distance[k];
      const Work now = closer ? reached : distance[k];
      parent[k] = closer ? row : parent[k];
      distance[k] = now;
      Work& best = smallest[static_cast<std::size_t>(lane)];
      best = now < best ? now : best;
    }
  }
  return smallest_lane(smallest);
}

template <class Work>
Work relax_part(
    const Work* cost, const Frontier<Work>& at, Work offset, Mark<Work> row, int count) {
  Work smallest = infinite<Work>();
  for (int k = 0; k < count; ++k) {
    const Work reached = std::max(static_cast<Work>(cost[k] - at.price[k] + offset), at.floor[k]);
    if (reached < at.distance[k]) {
      at.distance[k] = reached;
      at.parent[k] = row;
    }
    smallest = std::min(smallest, at.distance[k]);
  }
  return smallest;
}

}  // namespace voda::assignment_detail

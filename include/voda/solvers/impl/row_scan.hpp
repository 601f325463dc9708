#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "voda/config.hpp"
#include "voda/solvers/impl/price_range.hpp"

// Loops over one row of a dense matrix, written so that they are vectorised: comparisons and single
// additions only, so that all registers give the same bits. row_kernels.hpp compiles them.
namespace voda::assignment_detail {

/// Columns are handled in blocks, so that the smallest value of a row is found again without a
/// second pass.
inline constexpr int scan_block = 64;
inline constexpr int scan_lanes = 16;
static_assert(scan_block % scan_lanes == 0);

constexpr int block_count(int columns) {
  return (columns + scan_block - 1) / scan_block;
}

constexpr std::size_t padded(int columns) {
  return static_cast<std::size_t>(block_count(columns)) * scan_block;
}

/// Row numbers beside the distances, equally wide so that both are handled by the same vector
/// instructions.
template <class Work>
using Mark = std::conditional_t<(sizeof(Work) > 4), std::int64_t, std::int32_t>;

/// A cost behind the last column: above every reduced cost, and any price can be taken from it.
template <class Work>
constexpr Work padding() {
  if constexpr (is_floating_work<Work>) {
    return infinite<Work>();
  } else {
    return static_cast<Work>(safe_magnitude<Work>() * 4);
  }
}

template <class Work>
constexpr Work lowest() {
  return static_cast<Work>(-infinite<Work>());
}

/// One value per column of a block.
template <class Work>
using Lanes = std::array<Work, scan_block>;

template <class Work>
VODA_ALWAYS_INLINE Work smallest_lane(const std::array<Work, scan_lanes>& lanes) {
  Work smallest = lanes[0];
  for (const Work lane : lanes) {
    smallest = lane < smallest ? lane : smallest;
  }
  return smallest;
}

/// Smallest cost - price of each block. Separate lanes, because a compiler may not reorder a
/// minimum of doubles.
template <class Work>
VODA_ALWAYS_INLINE void smallest_of_blocks_loop(const Work* __restrict cost,
                                                const Work* __restrict price,
                                                int columns,
                                                Work* __restrict block_smallest) {
  for (; columns >= scan_block; columns -= scan_block) {
    std::array<Work, scan_lanes> smallest{};
    smallest.fill(infinite<Work>());
    for (int from = 0; from < scan_block; from += scan_lanes) {
      for (int lane = 0; lane < scan_lanes; ++lane) {
        const Work reduced = cost[from + lane] - price[from + lane];
        Work& best = smallest[static_cast<std::size_t>(lane)];
        best = reduced < best ? reduced : best;
      }
    }
    *block_smallest++ = smallest_lane(smallest);
    cost += scan_block;
    price += scan_block;
  }
  if (columns > 0) {
    Work smallest = infinite<Work>();
    for (int k = 0; k < columns; ++k) {
      smallest = std::min(smallest, cost[k] - price[k]);
    }
    *block_smallest = smallest;
  }
}

/// The columns that a path may still reach.
template <class Work>
struct Frontier {
  const Work* price;
  const Work* floor;     ///< infinite for a column already passed, lowest otherwise
  Work* distance;        ///< infinite for a column already passed
  Mark<Work>* parent;    ///< row from which the column is reached
  Work* block_smallest;  ///< smallest distance left of each block
};

template <class Work>
VODA_ALWAYS_INLINE Work relax_block(const Work* __restrict cost,
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
VODA_ALWAYS_INLINE Work
relax_part(const Work* cost, const Frontier<Work>& at, Work offset, Mark<Work> row, int columns) {
  Work smallest = infinite<Work>();
  for (int k = 0; k < columns; ++k) {
    const Work reached = std::max(static_cast<Work>(cost[k] - at.price[k] + offset), at.floor[k]);
    if (reached < at.distance[k]) {
      at.distance[k] = reached;
      at.parent[k] = row;
    }
    smallest = std::min(smallest, at.distance[k]);
  }
  return smallest;
}

/// Shortens distances through `row`, `offset` away from its reduced costs.
template <class Work>
VODA_ALWAYS_INLINE void relax_loop(
    const Work* cost, Frontier<Work> at, Work offset, Mark<Work> row, int columns) {
  for (; columns >= scan_block; columns -= scan_block) {
    *at.block_smallest++ =
        relax_block<Work>(cost, at.price, at.floor, at.distance, at.parent, offset, row);
    cost += scan_block;
    at.price += scan_block;
    at.floor += scan_block;
    at.distance += scan_block;
    at.parent += scan_block;
  }
  if (columns > 0) {
    *at.block_smallest = relax_part<Work>(cost, at, offset, row, columns);
  }
}

/// Per lane, the smallest cost - price not below `least`, over `blocks` whole blocks.
template <class Work>
VODA_ALWAYS_INLINE void smallest_of_lanes_loop(const Work* __restrict cost,
                                               const Work* __restrict price,
                                               int blocks,
                                               Work least,
                                               Lanes<Work>& result) {
  Lanes<Work> smallest{};
  for (Work& lane : smallest) {
    lane = infinite<Work>();
  }
  for (int block = 0; block < blocks; ++block) {
    for (std::size_t lane = 0; lane < scan_block; ++lane) {
      const Work reduced = cost[lane] - price[lane];
      const Work counted = reduced < least ? infinite<Work>() : reduced;
      smallest[lane] = counted < smallest[lane] ? counted : smallest[lane];
    }
    cost += scan_block;
    price += scan_block;
  }
  result = smallest;
}

/// Smallest of whole blocks of values.
template <class Work>
VODA_ALWAYS_INLINE Work smallest_loop(const Work* __restrict values, int blocks) {
  std::array<Work, scan_lanes> smallest{};
  smallest.fill(infinite<Work>());
  for (int block = 0; block < blocks; ++block) {
    for (int from = 0; from < scan_block; from += scan_lanes) {
      for (int lane = 0; lane < scan_lanes; ++lane) {
        const Work value = values[from + lane];
        Work& best = smallest[static_cast<std::size_t>(lane)];
        best = value < best ? value : best;
      }
    }
    values += scan_block;
  }
  return smallest_lane(smallest);
}

/// Numbers of smaller values, ascending.
using Ranks = std::array<std::int32_t, 4>;

template <class Work>
using Ranked = std::array<Work, std::tuple_size_v<Ranks>>;

/// For each rank the largest value that has at most so many smaller ones; counted, as that needs no
/// branches.
template <class Work>
VODA_ALWAYS_INLINE Ranked<Work> ranked_loop(const Lanes<Work>& values, const Ranks& ranks) {
  std::array<std::array<Work, scan_lanes>, std::tuple_size_v<Ranks>> largest{};
  for (auto& lanes : largest) {
    lanes.fill(lowest<Work>());
  }
  for (std::size_t from = 0; from < scan_block; from += scan_lanes) {
    std::array<Mark<Work>, scan_lanes> smaller{};
    for (const Work other : values) {
      for (std::size_t lane = 0; lane < scan_lanes; ++lane) {
        smaller[lane] += other < values[from + lane] ? 1 : 0;
      }
    }
    for (std::size_t k = 0; k < ranks.size(); ++k) {
      const Mark<Work> rank = ranks[k];
      for (std::size_t lane = 0; lane < scan_lanes; ++lane) {
        const Work counted = smaller[lane] <= rank ? values[from + lane] : lowest<Work>();
        largest[k][lane] = largest[k][lane] < counted ? counted : largest[k][lane];
      }
    }
  }
  Ranked<Work> result{};
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    result[k] = largest[k][0];
    for (const Work lane : largest[k]) {
      result[k] = result[k] < lane ? lane : result[k];
    }
  }
  return result;
}

/// Lists the positions whose cost - price is at most `most`, ascending; returns how many.
template <class Work>
VODA_ALWAYS_INLINE int positions_up_to_loop(const Work* __restrict cost,
                                            const Work* __restrict price,
                                            int blocks,
                                            Work most,
                                            int* __restrict positions) {
  int count = 0;
  for (int from = 0; from < blocks * scan_block; from += scan_lanes) {
    std::array<std::uint8_t, scan_lanes> is_hit{};
    for (int lane = 0; lane < scan_lanes; ++lane) {
      is_hit[static_cast<std::size_t>(lane)] = cost[from + lane] - price[from + lane] <= most;
    }
    std::array<std::uint64_t, scan_lanes / sizeof(std::uint64_t)> words{};
    std::memcpy(words.data(), is_hit.data(), scan_lanes);
    if ((words[0] | words[1]) == 0) {
      continue;
    }
    for (int lane = 0; lane < scan_lanes; ++lane) {
      positions[count] = from + lane;
      count += is_hit[static_cast<std::size_t>(lane)];
    }
  }
  return count;
}

/// Lowers each of `smallest` to the cost beside it, over whole blocks.
template <class Work>
VODA_ALWAYS_INLINE void lower_to_loop(const Work* __restrict cost,
                                      int blocks,
                                      Work* __restrict smallest) {
  for (int block = 0; block < blocks; ++block) {
    for (int lane = 0; lane < scan_block; ++lane) {
      smallest[lane] = cost[lane] < smallest[lane] ? cost[lane] : smallest[lane];
    }
    cost += scan_block;
    smallest += scan_block;
  }
}

/// The same for any number of columns, and notes from which row each is.
template <class Work>
VODA_ALWAYS_INLINE void lower_from_loop(const Work* __restrict cost,
                                        int columns,
                                        Mark<Work> row,
                                        Work* __restrict smallest,
                                        Mark<Work>* __restrict from) {
  for (; columns >= scan_lanes; columns -= scan_lanes) {
    for (int lane = 0; lane < scan_lanes; ++lane) {
      const bool lowers = cost[lane] < smallest[lane];
      smallest[lane] = lowers ? cost[lane] : smallest[lane];
      from[lane] = lowers ? row : from[lane];
    }
    cost += scan_lanes;
    smallest += scan_lanes;
    from += scan_lanes;
  }
  for (int lane = 0; lane < columns; ++lane) {
    const bool lowers = cost[lane] < smallest[lane];
    smallest[lane] = lowers ? cost[lane] : smallest[lane];
    from[lane] = lowers ? row : from[lane];
  }
}

}  // namespace voda::assignment_detail

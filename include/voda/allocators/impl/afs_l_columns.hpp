#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "voda/config.hpp"

namespace voda::allocators_detail {

/// What a pair test of AFS-L reads about one contestant.
struct AfsKey {
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  double length = infinite;     ///< R at the present size; infinite without GPUs
  double as_short = -infinite;  ///< (S(next) - S(n)) / (d * S(n)); -R(m) without GPUs
  double as_long = -infinite;   ///< (S(next) - S(n)) / (d * S(next))

  [[nodiscard]] bool waits() const { return length == infinite; }

  /// True when `challenger` beats `champion`. One that left has the default key and beats nobody.
  [[nodiscard]] static bool beats(const AfsKey& challenger, const AfsKey& champion) {
    if (champion.waits() && challenger.waits())
      return challenger.as_short >= champion.as_short;
    if (challenger.length <= champion.length)
      return challenger.as_short > champion.as_long;
    return !(champion.as_short > challenger.as_long);
  }
};

/// Bounds of the values in a block of keys; as_short apart for those that hold GPUs and those that wait.
struct AfsBounds {
  double holding_short = -AfsKey::infinite;  // upper
  double waiting_short = -AfsKey::infinite;  // upper
  double as_long = -AfsKey::infinite;        // upper
  double shortest = AfsKey::infinite;        // lower

  void include(const AfsKey& key) {
    double& own = key.waits() ? waiting_short : holding_short;
    own = std::max(own, key.as_short);
    as_long = std::max(as_long, key.as_long);
    shortest = std::min(shortest, key.length);
  }

  /// False when no key of the block can beat the champion.
  [[nodiscard]] bool may_beat(const AfsKey& champion) const {
    if (champion.waits())
      return waiting_short >= champion.as_short || holding_short > champion.as_long;
    return (holding_short > champion.as_long && shortest <= champion.length) ||
           as_long >= champion.as_short;
  }
};

/// The columns of some keys, one after the other.
struct AfsView {
  const double* length = nullptr;
  const double* as_short = nullptr;
  const double* as_long = nullptr;

  [[nodiscard]] AfsView from(std::size_t at) const {
    return {.length = length + at, .as_short = as_short + at, .as_long = as_long + at};
  }

  [[nodiscard]] AfsKey operator[](std::size_t at) const {
    return {.length = length[at], .as_short = as_short[at], .as_long = as_long[at]};
  }
};

inline constexpr std::size_t afs_width = 64;  // keys in a block
inline constexpr std::size_t afs_lanes = 8;   // keys that are compared at once

/// Which of the next keys beat the champion, one bit each; without branches, so that compilers vectorise it.
[[nodiscard]] inline std::uint64_t afs_winners(const AfsKey& champion, const AfsView& keys) {
  std::uint64_t winners = 0;
  if (champion.waits()) {
    for (std::size_t l = 0; l < afs_lanes; ++l) {
      const std::uint64_t waits = keys.length[l] == AfsKey::infinite;
      const std::uint64_t wins_waiting = keys.as_short[l] >= champion.as_short;
      const std::uint64_t wins_holding = keys.as_short[l] > champion.as_long;
      winners |= ((waits & wins_waiting) | ((waits ^ 1U) & wins_holding)) << l;
    }
    return winners;
  }
  for (std::size_t l = 0; l < afs_lanes; ++l) {
    const std::uint64_t is_short = keys.length[l] <= champion.length;
    const std::uint64_t wins_short = keys.as_short[l] > champion.as_long;
    const std::uint64_t loses_long = champion.as_short > keys.as_long[l];
    winners |= ((is_short & wins_short) | ((is_short ^ 1U) & (loses_long ^ 1U))) << l;
  }
  return winners;
}

/// The first position in [from, end) whose key beats the champion, or `end`, a whole number of lanes.
VODA_CLONES inline std::size_t first_winner(const AfsKey& champion,
                                            const AfsView& keys,
                                            std::size_t from,
                                            std::size_t end) {
  std::size_t at = from / afs_lanes * afs_lanes;
  std::uint64_t tried = (std::uint64_t{1} << (from - at)) - 1;
  for (; at < end; at += afs_lanes) {
    const std::uint64_t winners = afs_winners(champion, keys.from(at)) & ~tried;
    if (winners != 0)
      return at + static_cast<std::size_t>(std::countr_zero(winners));
    tried = 0;
  }
  return end;
}

/// The tightest bounds of one block.
VODA_CLONES inline AfsBounds afs_bounds(const AfsView& keys) {
  std::array<double, afs_lanes> holding{};
  std::array<double, afs_lanes> waiting{};
  std::array<double, afs_lanes> longs{};
  std::array<double, afs_lanes> shortest{};
  holding.fill(-AfsKey::infinite);
  waiting.fill(-AfsKey::infinite);
  longs.fill(-AfsKey::infinite);
  shortest.fill(AfsKey::infinite);
  for (std::size_t b = 0; b < afs_width; b += afs_lanes) {
    for (std::size_t l = 0; l < afs_lanes; ++l) {
      const double length = keys.length[b + l];
      const double own = keys.as_short[b + l];
      const double as_long = keys.as_long[b + l];
      const bool waits = length == AfsKey::infinite;
      const double held = waits ? -AfsKey::infinite : own;
      const double idle = waits ? own : -AfsKey::infinite;
      holding[l] = held > holding[l] ? held : holding[l];
      waiting[l] = idle > waiting[l] ? idle : waiting[l];
      longs[l] = as_long > longs[l] ? as_long : longs[l];
      shortest[l] = length < shortest[l] ? length : shortest[l];
    }
  }
  return {.holding_short = *std::ranges::max_element(holding),
          .waiting_short = *std::ranges::max_element(waiting),
          .as_long = *std::ranges::max_element(longs),
          .shortest = *std::ranges::min_element(shortest)};
}

/// The keys of all contestants as columns, in blocks with their bounds, so that whole blocks are passed over.
class AfsColumns {
 public:
  void resize(std::size_t size) {
    const std::size_t padded = (size + afs_width - 1) / afs_width * afs_width;
    const AfsKey gone;
    length_.assign(padded, gone.length);
    as_short_.assign(padded, gone.as_short);
    as_long_.assign(padded, gone.as_long);
    bounds_.assign(padded / afs_width, AfsBounds{});
    is_loose_.assign(padded / afs_width, 0);
  }

  [[nodiscard]] AfsKey operator[](std::size_t at) const { return view()[at]; }

  /// Changes one key. The bounds of its block hold for the old one too.
  void set(std::size_t at, const AfsKey& key) {
    length_[at] = key.length;
    as_short_[at] = key.as_short;
    as_long_[at] = key.as_long;
    bounds_[at / afs_width].include(key);
    is_loose_[at / afs_width] = 1;
  }

  /// The first position from `from` on whose key beats `champion`; end() when there is none. Bounds that let it search a
  /// block in vain are tightened.
  [[nodiscard]] std::size_t first_that_beats(const AfsKey& champion, std::size_t from) {
    while (from < end()) {
      const std::size_t block = from / afs_width;
      const std::size_t block_end = (block + 1) * afs_width;
      if (bounds_[block].may_beat(champion)) {
        const std::size_t found = first_winner(champion, view(), from, block_end);
        compared_ += static_cast<std::int64_t>(found - from);
        if (found < block_end)
          return found;
        if (from % afs_width == 0)
          tighten(block);
      }
      from = block_end;
    }
    return from;
  }

  [[nodiscard]] std::size_t end() const { return length_.size(); }

  /// How many keys were compared with a champion by all searches since it was made.
  [[nodiscard]] std::int64_t compared() const { return compared_; }

 private:
  void tighten(std::size_t block) {
    if (is_loose_[block] == 0)
      return;
    bounds_[block] = afs_bounds(view().from(block * afs_width));
    is_loose_[block] = 0;
  }

  [[nodiscard]] AfsView view() const {
    return {.length = length_.data(), .as_short = as_short_.data(), .as_long = as_long_.data()};
  }

  std::vector<double> length_{};
  std::vector<double> as_short_{};
  std::vector<double> as_long_{};
  std::vector<AfsBounds> bounds_{};
  std::vector<std::uint8_t> is_loose_{};
  std::int64_t compared_ = 0;
};

}  // namespace voda::allocators_detail

#pragma once

#include <algorithm>
#include <array>
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

/// Largest values of a block of keys; as_short apart for those that hold GPUs and those that wait.
struct AfsExtremes {
  double holding_short = -AfsKey::infinite;
  double waiting_short = -AfsKey::infinite;
  double as_long = -AfsKey::infinite;
  double shortest = AfsKey::infinite;

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

/// True when one of `count` keys, a number that the compiler knows, beats the champion; without branches, so that compilers
/// vectorise it.
template <std::size_t count>
[[nodiscard]] inline bool any_beats(const AfsKey& champion, const AfsView& keys) {
  std::uint64_t hits = 0;
  if (champion.waits()) {
    for (std::size_t b = 0; b < count; ++b) {
      const std::uint64_t waits = keys.length[b] == AfsKey::infinite;
      const std::uint64_t wins_waiting = keys.as_short[b] >= champion.as_short;
      const std::uint64_t wins_holding = keys.as_short[b] > champion.as_long;
      hits |= (waits & wins_waiting) | ((waits ^ 1U) & wins_holding);
    }
    return hits != 0;
  }
  for (std::size_t b = 0; b < count; ++b) {
    const std::uint64_t is_short = keys.length[b] <= champion.length;
    const std::uint64_t wins_short = keys.as_short[b] > champion.as_long;
    const std::uint64_t loses_long = champion.as_short > keys.as_long[b];
    hits |= (is_short & wins_short) | ((is_short ^ 1U) & (loses_long ^ 1U));
  }
  return hits != 0;
}

/// The first position from `from` on whose key beats the champion; `size`, a whole number of blocks, when there is none.
VODA_CLONES inline std::size_t first_that_beats(const AfsKey& champion,
                                                const AfsView& keys,
                                                const AfsExtremes* extremes,
                                                std::size_t from,
                                                std::size_t size) {
  for (std::size_t at = from; at < size;) {
    const bool is_block = at % afs_width == 0;
    if (is_block && !(extremes[at / afs_width].may_beat(champion) &&
                      any_beats<afs_width>(champion, keys.from(at)))) {
      at += afs_width;
      continue;
    }
    const std::size_t end = (at / afs_width + 1) * afs_width;
    while (at < end) {
      const std::size_t lane_end = (at / afs_lanes + 1) * afs_lanes;
      if (at % afs_lanes == 0 && !any_beats<afs_lanes>(champion, keys.from(at))) {
        at = lane_end;
        continue;
      }
      for (; at < lane_end; ++at) {
        if (AfsKey::beats(keys[at], champion))
          return at;
      }
    }
  }
  return size;
}

/// The extremes of one block.
VODA_CLONES inline AfsExtremes afs_extremes(const AfsView& keys) {
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

/// The keys of all contestants as columns, in blocks with their extremes, so that whole blocks are passed over.
class AfsColumns {
 public:
  static constexpr std::size_t width = afs_width;

  void resize(std::size_t size) {
    const std::size_t padded = (size + width - 1) / width * width;
    const AfsKey gone;
    length_.assign(padded, gone.length);
    as_short_.assign(padded, gone.as_short);
    as_long_.assign(padded, gone.as_long);
    extremes_.assign(padded / width, AfsExtremes{});
  }

  [[nodiscard]] AfsKey operator[](std::size_t at) const { return view()[at]; }

  /// Changes one key; `refresh` must follow before the next search.
  void set(std::size_t at, const AfsKey& key) {
    length_[at] = key.length;
    as_short_[at] = key.as_short;
    as_long_[at] = key.as_long;
  }

  /// Renews the extremes of the block of `at`.
  void refresh(std::size_t at) {
    extremes_[at / width] = afs_extremes(view().from(at / width * width));
  }

  /// The first position from `from` on whose key beats `champion`; end() when there is none.
  [[nodiscard]] std::size_t first_that_beats(const AfsKey& champion, std::size_t from) const {
    return allocators_detail::first_that_beats(champion, view(), extremes_.data(), from, end());
  }

  [[nodiscard]] std::size_t end() const { return length_.size(); }

 private:
  [[nodiscard]] AfsView view() const {
    return {.length = length_.data(), .as_short = as_short_.data(), .as_long = as_long_.data()};
  }

  std::vector<double> length_{};
  std::vector<double> as_short_{};
  std::vector<double> as_long_{};
  std::vector<AfsExtremes> extremes_{};
};

}  // namespace voda::allocators_detail

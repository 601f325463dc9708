#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

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

/// The keys as columns, in blocks of `width` with their extremes, so that whole blocks are passed over.
class AfsColumns {
 public:
  static constexpr std::size_t width = 64;

  void resize(std::size_t size) {
    size_ = size;
    const std::size_t padded = (size + width - 1) / width * width;
    const AfsKey gone;
    length_.assign(padded, gone.length);
    as_short_.assign(padded, gone.as_short);
    as_long_.assign(padded, gone.as_long);
    extremes_.assign(padded / width, Extremes{});
  }

  [[nodiscard]] AfsKey operator[](std::size_t at) const {
    return {.length = length_[at], .as_short = as_short_[at], .as_long = as_long_[at]};
  }

  /// Changes one key; `refresh` must follow before the next search.
  void set(std::size_t at, const AfsKey& key) {
    length_[at] = key.length;
    as_short_[at] = key.as_short;
    as_long_[at] = key.as_long;
  }

  /// Renews the extremes of the block of `at`.
  void refresh(std::size_t at);

  /// The first position from `from` on whose key beats `champion`; size() when there is none.
  [[nodiscard]] std::size_t first_that_beats(const AfsKey& champion, std::size_t from) const;

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  /// Largest values of a block; as_short apart for those that hold GPUs and those that wait.
  struct Extremes {
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

  [[nodiscard]] std::size_t first_within(const AfsKey& champion,
                                         std::size_t from,
                                         std::size_t to) const {
    for (std::size_t at = from; at < to; ++at) {
      if (AfsKey::beats((*this)[at], champion))
        return at;
    }
    return to;
  }

  /// True when any key of a block beats the champion; without branches, so that compilers vectorise it.
  [[nodiscard]] bool any_beats(const AfsKey& champion, std::size_t block) const {
    const double* length = length_.data() + block * width;
    const double* as_short = as_short_.data() + block * width;
    const double* as_long = as_long_.data() + block * width;
    std::uint64_t hits = 0;
    if (champion.waits()) {
      for (std::size_t b = 0; b < width; ++b) {
        const std::uint64_t waits = length[b] == AfsKey::infinite;
        const std::uint64_t wins_waiting = as_short[b] >= champion.as_short;
        const std::uint64_t wins_holding = as_short[b] > champion.as_long;
        hits |= (waits & wins_waiting) | ((waits ^ 1U) & wins_holding);
      }
      return hits != 0;
    }
    for (std::size_t b = 0; b < width; ++b) {
      const std::uint64_t is_short = length[b] <= champion.length;
      const std::uint64_t wins_short = as_short[b] > champion.as_long;
      const std::uint64_t loses_long = champion.as_short > as_long[b];
      hits |= (is_short & wins_short) | ((is_short ^ 1U) & (loses_long ^ 1U));
    }
    return hits != 0;
  }

  std::size_t size_ = 0;
  std::vector<double> length_{};
  std::vector<double> as_short_{};
  std::vector<double> as_long_{};
  std::vector<Extremes> extremes_{};
};

inline void AfsColumns::refresh(std::size_t at) {
  const std::size_t begin = at / width * width;
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> holding{};
  std::array<double, lanes> waiting{};
  std::array<double, lanes> longs{};
  std::array<double, lanes> shortest{};
  holding.fill(-AfsKey::infinite);
  waiting.fill(-AfsKey::infinite);
  longs.fill(-AfsKey::infinite);
  shortest.fill(AfsKey::infinite);
  const double* length = length_.data() + begin;
  const double* as_short = as_short_.data() + begin;
  const double* as_long = as_long_.data() + begin;
  for (std::size_t b = 0; b < width; b += lanes) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const double own = as_short[b + l];
      const bool waits = length[b + l] == AfsKey::infinite;
      const double held = waits ? -AfsKey::infinite : own;
      const double idle = waits ? own : -AfsKey::infinite;
      holding[l] = held > holding[l] ? held : holding[l];
      waiting[l] = idle > waiting[l] ? idle : waiting[l];
      longs[l] = as_long[b + l] > longs[l] ? as_long[b + l] : longs[l];
      shortest[l] = length[b + l] < shortest[l] ? length[b + l] : shortest[l];
    }
  }
  extremes_[begin / width] = {.holding_short = *std::ranges::max_element(holding),
                              .waiting_short = *std::ranges::max_element(waiting),
                              .as_long = *std::ranges::max_element(longs),
                              .shortest = *std::ranges::min_element(shortest)};
}

inline std::size_t AfsColumns::first_that_beats(const AfsKey& champion, std::size_t from) const {
  std::size_t block = from / width;
  if (from % width != 0) {
    const std::size_t end = std::min((block + 1) * width, size_);
    const std::size_t at = first_within(champion, from, end);
    if (at < end || end == size_)
      return at;
    ++block;
  }
  for (; block < extremes_.size(); ++block) {
    if (!extremes_[block].may_beat(champion) || !any_beats(champion, block))
      continue;
    return first_within(champion, block * width, std::min((block + 1) * width, size_));
  }
  return size_;
}

}  // namespace voda::allocators_detail

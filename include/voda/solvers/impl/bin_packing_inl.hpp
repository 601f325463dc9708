#pragma once

#include "voda/solvers/bin_packing.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "voda/config.hpp"

namespace voda::bin_packing_detail {

inline constexpr std::int32_t largest_capacity = 1 << 20;

/// Bins by free units; within a bucket by rank. A bin leaves a bucket only when it is taken, so no
/// entry is ever stale.
class FreeBins final {
 public:
  explicit FreeBins(std::int32_t largest)
      : buckets_(static_cast<std::size_t>(largest) + 1), occupied_(buckets_.size() / 64 + 1, 0) {}

  void insert(std::int32_t free, int rank) {
    std::vector<int>& bucket = buckets_[static_cast<std::size_t>(free)];
    bucket.push_back(rank);
    std::ranges::push_heap(bucket, std::greater<>());
    occupied_[static_cast<std::size_t>(free) / 64] |= bit(free);
  }

  /// Removes and returns the lowest rank with exactly `free` units; there must be one.
  int take(std::int32_t free) {
    std::vector<int>& bucket = buckets_[static_cast<std::size_t>(free)];
    std::ranges::pop_heap(bucket, std::greater<>());
    const int rank = bucket.back();
    bucket.pop_back();
    if (bucket.empty()) {
      occupied_[static_cast<std::size_t>(free) / 64] &= ~bit(free);
    }
    return rank;
  }

  /// The fewest free units of any bin that has at least `needed`; -1 if none.
  [[nodiscard]] std::int32_t tightest(std::int64_t needed) const {
    if (needed >= static_cast<std::int64_t>(buckets_.size())) {
      return -1;
    }
    auto word = static_cast<std::size_t>(needed) / 64;
    std::uint64_t bits = occupied_[word] & ~(bit(static_cast<std::int32_t>(needed)) - 1);
    while (bits == 0 && ++word < occupied_.size()) {
      bits = occupied_[word];
    }
    return bits == 0 ? -1 : static_cast<std::int32_t>(word * 64) + std::countr_zero(bits);
  }

  /// The most free units of any bin; -1 if there is no bin.
  [[nodiscard]] std::int32_t emptiest() const {
    for (std::size_t word = occupied_.size(); word-- > 0;) {
      if (occupied_[word] != 0) {
        return static_cast<std::int32_t>(word * 64) + 63 - std::countl_zero(occupied_[word]);
      }
    }
    return -1;
  }

  /// Workers of `units` that all bins together can hold.
  [[nodiscard]] std::int64_t workers_held(std::int32_t units) const {
    std::int64_t held = 0;
    for (auto free = static_cast<std::size_t>(units); free < buckets_.size(); ++free) {
      held += static_cast<std::int64_t>(buckets_[free].size()) *
              (static_cast<std::int64_t>(free) / units);
    }
    return held;
  }

 private:
  static std::uint64_t bit(std::int32_t free) { return std::uint64_t{1} << (free % 64); }

  std::vector<std::vector<int>> buckets_{};
  std::vector<std::uint64_t> occupied_{};
};

VODA_INLINE void check(std::span<const std::int32_t> bin_capacity,
                       std::span<const solvers::PackingItem> items) {
  for (std::size_t bin = 0; bin < bin_capacity.size(); ++bin) {
    if (bin_capacity[bin] < 0 || bin_capacity[bin] > largest_capacity) {
      throw std::invalid_argument(fmt::format(
          "bin {}: capacity {} is not in [0, {}]", bin, bin_capacity[bin], largest_capacity));
    }
  }
  for (std::size_t item = 0; item < items.size(); ++item) {
    if (items[item].workers < 0) {
      throw std::invalid_argument(
          fmt::format("item {}: {} workers: expected at least 0", item, items[item].workers));
    }
    if (items[item].units_per_worker < 1) {
      throw std::invalid_argument(fmt::format(
          "item {}: units_per_worker {}: expected at least 1", item, items[item].units_per_worker));
    }
  }
}

class Packer final {
 public:
  explicit Packer(std::span<const std::int32_t> bin_capacity)
      : bins_(bin_capacity.empty() ? 0 : *std::ranges::max_element(bin_capacity)),
        bin_of_rank_(bin_capacity.size()) {
    std::iota(bin_of_rank_.begin(), bin_of_rank_.end(), 0);
    std::ranges::sort(bin_of_rank_, [&](int a, int b) {
      return std::pair(bin_capacity[static_cast<std::size_t>(a)], a) <
             std::pair(bin_capacity[static_cast<std::size_t>(b)], b);
    });
    for (std::size_t rank = 0; rank < bin_of_rank_.size(); ++rank) {
      const auto bin = static_cast<std::size_t>(bin_of_rank_[rank]);
      bins_.insert(bin_capacity[bin], static_cast<int>(rank));
    }
    result_.free_units.assign(bin_capacity.begin(), bin_capacity.end());
    result_.piece_begin.push_back(0);
  }

  void pack(const solvers::PackingItem& item) {
    if (item.workers > 0 && !fits(item)) {
      result_.unpacked.push_back(static_cast<int>(result_.piece_begin.size()) - 1);
    } else {
      lay(item);
    }
    result_.piece_begin.push_back(static_cast<int>(result_.pieces.size()));
  }

  [[nodiscard]] solvers::PackingResult result() && { return std::move(result_); }

 private:
  static std::int64_t units(const solvers::PackingItem& item) {
    return static_cast<std::int64_t>(item.workers) * item.units_per_worker;
  }

  bool fits(const solvers::PackingItem& item) {
    if (bins_.tightest(units(item)) >= 0) {
      return true;
    }
    if (held_units_ != item.units_per_worker) {
      held_units_ = item.units_per_worker;
      held_workers_ = bins_.workers_held(held_units_);
    }
    return item.workers <= held_workers_;
  }

  void lay(solvers::PackingItem rest) {
    while (rest.workers > 0) {
      std::int32_t free = bins_.tightest(units(rest));
      std::int32_t workers = rest.workers;
      if (free < 0) {
        workers = bins_.emptiest() / rest.units_per_worker;
        free =
            bins_.tightest(units({.workers = workers, .units_per_worker = rest.units_per_worker}));
      }
      const int rank = bins_.take(free);
      const std::int32_t left = free - workers * rest.units_per_worker;
      bins_.insert(left, rank);
      if (held_units_ > 0) {
        held_workers_ += left / held_units_ - free / held_units_;
      }
      const int bin = bin_of_rank_[static_cast<std::size_t>(rank)];
      result_.free_units[static_cast<std::size_t>(bin)] = left;
      result_.pieces.push_back({bin, workers});
      rest.workers -= workers;
    }
  }

  FreeBins bins_;
  std::vector<int> bin_of_rank_{};
  std::int32_t held_units_ = 0;  // the worker size for which held_workers_ is kept up to date
  std::int64_t held_workers_ = 0;
  solvers::PackingResult result_{};
};

}  // namespace voda::bin_packing_detail

namespace voda::solvers {

VODA_INLINE PackingResult pack_best_fit(std::span<const std::int32_t> bin_capacity,
                                        std::span<const PackingItem> items) {
  bin_packing_detail::check(bin_capacity, items);
  bin_packing_detail::Packer packer(bin_capacity);
  for (const PackingItem& item : items) {
    packer.pack(item);
  }
  return std::move(packer).result();
}

}  // namespace voda::solvers

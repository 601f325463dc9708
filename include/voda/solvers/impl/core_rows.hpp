#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/impl/dense_rows.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/row_kernels.hpp"

namespace voda::assignment_detail {

using solvers::no_match;

/// The next larger number, if there is one.
template <class Work>
Work above(Work value) {
  if constexpr (is_floating_work<Work>) {
    return std::nextafter(value, infinite<Work>());
  } else {
    return value < infinite<Work>() ? static_cast<Work>(value + 1) : value;
  }
}

/// The few cheapest pairs of every row in groups from cheap to dear, with a bound on what comes
/// after each group.
///
/// The bounds on cost - price hold as long as prices only fall.
template <class Work>
class CoreRows final {
 public:
  struct Pair {
    Work cost = 0;
    int column = 0;
  };

  static constexpr int groups = static_cast<int>(std::tuple_size_v<Ranks>);

  explicit CoreRows(const DenseRows<Work>& rows)
      : rows_(rows),
        blocks_(block_count(rows.columns())),
        costs_(rows.scratch()),
        positions_(costs_.size()),
        kept_(at(rows.rows())),
        pairs_(kept_.size() * room) {
    for (std::size_t row = 0; row < kept_.size(); ++row) {
      kept_[row].first = row * room;
    }
  }

  /// Reads a row for the first time; returns false if a cost does not fit.
  bool read(int row, std::span<const Work> price, std::span<const int> row_of_column) {
    if (!rows_.read(row, costs_.data())) {
      return false;
    }
    keep_cheapest(row, price, row_of_column);
    return true;
  }

  /// The costs of the row read last, padded.
  [[nodiscard]] std::span<const Work> costs() const { return costs_; }

  [[nodiscard]] std::span<const Pair> pairs(int row, int group) const {
    const Kept& kept = kept_[at(row)];
    const std::size_t from = group == 0 ? 0 : kept.ends[at(group - 1)];
    return {pairs_.data() + kept.first + from, kept.ends[at(group)] - from};
  }

  /// No cost - price of the row is smaller, other than those of this group and the groups before.
  [[nodiscard]] Work bound(int row, int group) const { return kept_[at(row)].bounds[at(group)]; }

  /// Prices that were 0 have risen by at most this much.
  void lower_bounds(Work rise) {
    for (Kept& kept : kept_) {
      for (Work& bound : kept.bounds) {
        bound = bound < infinite<Work>() ? static_cast<Work>(bound - rise) : bound;
      }
    }
  }

  /// Keeps what is cheapest now. Among equal pairs, unmatched columns first, then lower indices.
  void renew(int row, std::span<const Work> price, std::span<const int> row_of_column) {
    rows_.read(row, costs_.data());
    keep_cheapest(row, price, row_of_column);
  }

  /// Keeps more than before; the prices are those of the last renewal.
  void extend(int row, std::span<const Work> price) {
    rows_.read(row, costs_.data());
    const Ranked<Work> limits = limits_from(kept_[at(row)].bounds.back(), price);
    list_up_to(limits.back(), price);
    keep_listed(row, limits, above(limits.back()), price);
  }

  [[nodiscard]] int full_scans() const { return full_scans_; }

  /// Whether rows were extended so often that the pairs take several times the room they began with.
  [[nodiscard]] bool is_too_large() const {
    return pairs_.size() > most_growth * kept_.size() * room;
  }

 private:
  /// Of 64 lanes: about 6, 16, 37 and 75 pairs.
  static constexpr Ranks group_ranks{5, 13, 27, 43};
  static constexpr std::size_t room = 96;
  static constexpr std::size_t most_growth = 4;

  struct Kept {
    std::size_t first = 0;
    std::size_t room = CoreRows::room;
    std::array<std::size_t, groups> ends{};
    std::array<Work, groups> bounds{};
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  Work reduced(int column, std::span<const Work> price) const {
    return costs_[at(column)] - price[at(column)];
  }

  Ranked<Work> limits_from(Work least, std::span<const Work> price) {
    ++full_scans_;
    Lanes<Work> smallest{};
    smallest_of_lanes(costs_.data(), price.data(), blocks_, least, smallest);
    return ranked(smallest, group_ranks);
  }

  void keep_cheapest(int row, std::span<const Work> price, std::span<const int> row_of_column) {
    const Ranked<Work> limits = limits_from(lowest<Work>(), price);
    list_up_to(limits.back(), price);
    const bool fits = listed_ <= room || !drop_ties(limits.back(), price, row_of_column);
    keep_listed(row, limits, fits ? above(limits.back()) : limits.back(), price);
  }

  void list_up_to(Work most, std::span<const Work> price) {
    const int count =
        positions_up_to(costs_.data(), price.data(), blocks_, most, positions_.data());
    listed_ = at(count);
    while (listed_ > 0 && positions_[listed_ - 1] >= rows_.columns()) {
      --listed_;
    }
  }

  /// Of the listed pairs that tie at `most` keeps only as many as there is room for; returns whether
  /// any was dropped.
  bool drop_ties(Work most, std::span<const Work> price, std::span<const int> row_of_column) {
    const auto begin = positions_.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(listed_);
    // Not std::stable_partition: it allocates.
    ties_.clear();
    matched_ties_.clear();
    auto kept = begin;
    for (auto column = begin; column != end; ++column) {
      if (reduced(*column, price) < most) {
        *kept++ = *column;
      } else {
        (row_of_column[at(*column)] == no_match ? ties_ : matched_ties_).push_back(*column);
      }
    }
    ties_.insert(ties_.end(), matched_ties_.begin(), matched_ties_.end());
    const auto below = static_cast<std::size_t>(kept - begin);
    const std::size_t more = std::min(ties_.size(), below < room ? room - below : 0);
    std::copy_n(ties_.begin(), more, kept);
    listed_ = below + more;
    return more < ties_.size();
  }

  /// Sorts the listed pairs into their groups.
  void keep_listed(int row, const Ranked<Work>& limits, Work bound, std::span<const Work> price) {
    Kept& kept = kept_[at(row)];
    if (kept.room < listed_) {
      kept.first = pairs_.size();
      kept.room = listed_;
      pairs_.resize(pairs_.size() + listed_);
    }
    std::array<std::size_t, groups + 1> next{};
    for (std::size_t k = 0; k < listed_; ++k) {
      ++next[group_of(reduced(positions_[k], price), limits) + 1];
    }
    for (std::size_t group = 0; group < groups; ++group) {
      next[group + 1] += next[group];
      kept.ends[group] = next[group + 1];
      kept.bounds[group] = std::min(above(limits[group]), bound);
    }
    if (listed_ == at(rows_.columns())) {
      kept.bounds.back() = infinite<Work>();
    }
    Pair* pairs = pairs_.data() + kept.first;
    for (std::size_t k = 0; k < listed_; ++k) {
      const int column = positions_[k];
      pairs[next[group_of(reduced(column, price), limits)]++] = {costs_[at(column)], column};
    }
  }

  static std::size_t group_of(Work reduced, const Ranked<Work>& limits) {
    std::size_t group = 0;
    for (std::size_t k = 0; k + 1 < limits.size(); ++k) {
      group += limits[k] < reduced ? 1 : 0;
    }
    return group;
  }

  DenseRows<Work> rows_;
  int blocks_ = 0;
  int full_scans_ = 0;
  std::vector<Work> costs_{};
  std::vector<int> positions_{};
  std::size_t listed_ = 0;
  std::vector<int> ties_{};
  std::vector<int> matched_ties_{};
  std::vector<Kept> kept_{};
  std::vector<Pair> pairs_{};
};

}  // namespace voda::assignment_detail

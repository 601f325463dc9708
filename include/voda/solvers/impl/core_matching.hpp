#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "voda/solvers/impl/core_rows.hpp"
#include "voda/solvers/impl/dense_rows.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/row_kernels.hpp"
#include "voda/solvers/impl/row_reduction.hpp"

namespace voda::assignment_detail {

/// The matching that CoreSolver builds, and what comes before its searches: start prices, reading
/// the rows, and the bids of free rows.
template <class Work>
class CoreMatching final {
 public:
  using Pair = typename CoreRows<Work>::Pair;

  static constexpr int last_group = CoreRows<Work>::groups - 1;

  explicit CoreMatching(const DenseRows<Work>& matrix)
      : core(matrix),
        price(padded(matrix.columns()), 0),
        row_of_column(at(matrix.columns()), no_match),
        column_of_row(at(matrix.rows()) + 1, no_match),
        matched_cost(at(matrix.rows()) + 1),
        rows_(matrix.rows()),
        columns_(matrix.columns()) {}

  /// Starts from these prices, one per column; returns false if it ignores them.
  ///
  /// They are shifted so that none is above 0, or there cut off on a rectangular matrix; so are those
  /// below -most. There many below 0 are no help: an answer has at most one per row.
  bool start_from(std::span<const Work> prices, Work most) {
    const bool is_square = rows_ == columns_;
    const Work highest = is_square ? *std::ranges::max_element(prices) : Work{0};
    std::ptrdiff_t below = 0;
    for (std::size_t column = 0; column < prices.size(); ++column) {
      const Work start =
          std::max(static_cast<Work>(prices[column] - highest), static_cast<Work>(-most));
      price[column] = std::min(start, Work{0});
      below += start < 0 ? 1 : 0;
    }
    is_warm = is_square || below <= 2 * std::ptrdiff_t{rows_};
    if (!is_warm) {
      std::ranges::fill(price, Work{0});
    }
    return is_warm;
  }

  /// On a square matrix without prices each column is then priced at its smallest cost.
  bool read_rows() {
    const bool is_reduced = rows_ == columns_ && !is_warm;
    std::vector<Work> smallest(is_reduced ? price.size() : 0, infinite<Work>());
    for (int row = 0; row < rows_; ++row) {
      if (!core.read(row, price, row_of_column)) {
        return false;
      }
      if (is_reduced) {
        lower_to(core.costs().data(), block_count(columns_), smallest.data());
      }
    }
    if (is_reduced) {
      std::copy_n(smallest.begin(), columns_, price.begin());
      core.lower_bounds(*std::max_element(price.begin(), price.begin() + columns_));
    }
    return true;
  }

  /// Lets each free row take its cheapest column, pricing it up to the second cheapest; returns the
  /// rows still free.
  std::vector<int> reduce_rows(const std::vector<int>& free_rows) {
    return reduce_rows_by(free_rows, [&](int row) {
      const auto [displaced, at_once] = bid(row);
      return std::pair(displaced, at_once && in_range);
    });
  }

  /// Returns false if the price is too large for `by` to change it.
  bool lower_price(int column, Work by) {
    const Work lower = price[at(column)] - by;
    const bool fell = lower < price[at(column)];
    price[at(column)] = lower;
    in_range = in_range && is_safe(lower);
    return fell;
  }

  /// Gives `column` to `row`; returns the row that had it.
  int match(int row, int column, Work cost) {
    const int before = std::exchange(row_of_column[at(column)], row);
    if (before != no_match) {
      column_of_row[at(before)] = no_match;
    }
    column_of_row[at(row)] = column;
    matched_cost[at(row)] = cost;
    return before;
  }

  /// Of a matched pair.
  Work reduced(int row, int column) const { return matched_cost[at(row)] - price[at(column)]; }

  CoreRows<Work> core;
  bool is_warm = false;
  bool in_range = true;
  std::int64_t pairs_seen = 0;
  std::vector<Work> price{};  // padded
  std::vector<int> row_of_column{};
  std::vector<int> column_of_row{};  // and one for the spare rows
  std::vector<Work> matched_cost{};

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  struct Bid {
    int column = no_match;
    Work cost = 0;
    Work first = infinite<Work>();
    Work second = infinite<Work>();
  };

  /// The cheapest pair of a row, and what the others cost at least.
  Bid best_of(int row) {
    Bid best = best_kept(row);
    if (core.bound(row, last_group) < best.first) {
      core.renew(row, price, row_of_column);
      best = best_kept(row);
    }
    return best;
  }

  Bid best_kept(int row) {
    Bid best{};
    Work bound = lowest<Work>();
    for (int group = 0; group <= last_group && bound < best.second; ++group) {
      const auto pairs = core.pairs(row, group);
      pairs_seen += std::ssize(pairs);
      for (const auto& pair : pairs) {
        const Work value = pair.cost - price[at(pair.column)];
        if (value < best.first) {
          best = {pair.column, pair.cost, value, best.first};
        } else if (value < best.second) {
          best.second = value;
        }
      }
      bound = core.bound(row, group);
    }
    best.second = std::min(best.second, bound);
    return best;
  }

  /// One row's turn: the row left without a column, if any, and whether it should bid at once.
  std::pair<int, bool> bid(int row) {
    const Bid best = best_of(row);
    const Work margin = best.second < infinite<Work>() ? best.second - best.first : Work{0};
    if (margin > 0 && lower_price(best.column, margin)) {
      return {match(row, best.column, best.cost), true};
    }
    bool found = match_free_column(row, best.first);
    if (!found && !(best.first < core.bound(row, last_group))) {
      core.renew(row, price, row_of_column);
      found = match_free_column(row, best.first);
    }
    return {found ? no_match : row, false};
  }

  /// Gives the row a free column at this reduced cost, if it keeps one: the first, but after a warm
  /// start rather one whose price would else have to rise.
  bool match_free_column(int row, Work cheapest) {
    Pair best{.column = no_match};
    for (int group = 0; group <= last_group; ++group) {
      for (const Pair& pair : core.pairs(row, group)) {
        const Work own = price[at(pair.column)];
        const bool is_better = best.column == no_match || (is_warm && own < price[at(best.column)]);
        if (is_better && row_of_column[at(pair.column)] == no_match &&
            !(cheapest < pair.cost - own)) {
          best = pair;
        }
      }
      if ((best.column != no_match && !is_warm) || cheapest < core.bound(row, group)) {
        break;
      }
    }
    if (best.column != no_match) {
      match(row, best.column, best.cost);
    }
    return best.column != no_match;
  }

  int rows_ = 0;
  int columns_ = 0;
};

}  // namespace voda::assignment_detail

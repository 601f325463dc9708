#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/impl/dense_rows.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/row_kernels.hpp"
#include "voda/solvers/impl/row_reduction.hpp"

namespace voda::assignment_detail {

using solvers::AssignmentEffort;
using solvers::no_match;

/// A row-major matrix that lives elsewhere; rows <= columns.
template <class Work>
struct DenseView {
  const Work* first = nullptr;
  int rows = 0;
  int columns = 0;
  std::size_t stride = 0;

  const Work* row(int index) const { return first + static_cast<std::size_t>(index) * stride; }
};

/// Minimum-cost assignment of all rows by Jonker and Volgenant's method, looking at whole rows;
/// keeps only the column prices.
template <class Work>
class DenseSolver final {
 public:
  /// Goes on from a matching that another solver left, if one is given.
  DenseSolver(const DenseView<Work>& cost, Matching<Work> start)
      : cost_(cost),
        is_begun_(!start.price.empty()),
        price_(std::move(start.price)),
        floor_(columns()),
        distance_(columns()),
        parent_(columns()),
        block_smallest_(at(block_count(cost.columns))),
        row_of_column_(std::move(start.row_of_column)),
        column_of_row_(std::move(start.column_of_row)) {
    price_.resize(columns(), 0);
    row_of_column_.resize(columns(), no_match);
    column_of_row_.resize(at(cost.rows), no_match);
  }

  /// Returns false if a price left the range that Work can add safely.
  [[nodiscard]] bool solve() {
    if (cost_.rows == 0) {
      return true;
    }
    if (cost_.rows == cost_.columns && !is_begun_) {
      reduce_columns();
    }
    std::vector<int> free_rows{};
    for (int row = 0; row < cost_.rows; ++row) {
      if (column_of_row_[at(row)] == no_match) {
        free_rows.push_back(row);
      }
    }
    for (int pass = 0; pass < reduction_passes && in_range_ && !is_begun_; ++pass) {
      free_rows = reduce_rows(free_rows);
    }
    for (const int row : free_rows) {
      if (!in_range_) {
        return false;
      }
      augment(row);
    }
    return in_range_;
  }

  [[nodiscard]] Matching<Work> matching() const {
    return {.price = price_, .row_of_column = row_of_column_, .column_of_row = column_of_row_};
  }

  [[nodiscard]] AssignmentEffort effort() const { return effort_; }

 private:
  static constexpr int reduction_passes = 2;

  struct TwoSmallest {
    int column = 0;
    Work first = infinite<Work>();
    Work second = infinite<Work>();
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  std::size_t columns() const { return static_cast<std::size_t>(cost_.columns); }

  Work reduced(int row, int column) const {
    return cost_.row(row)[at(column)] - price_[at(column)];
  }

  int block_size(int block) const {
    return std::min(scan_block, cost_.columns - block * scan_block);
  }

  /// Prices each column at its smallest cost and matches it with the first free row that has it.
  void reduce_columns() {
    effort_.scans += std::int64_t{cost_.rows} * cost_.columns;
    std::vector<Mark<Work>>& cheapest_row = parent_;
    std::fill(cheapest_row.begin(), cheapest_row.end(), 0);
    std::copy(cost_.row(0), cost_.row(0) + columns(), price_.begin());
    for (int row = 1; row < cost_.rows; ++row) {
      lower_from(cost_.row(row), cost_.columns, row, price_.data(), cheapest_row.data());
    }
    std::vector<int> columns_of_row(static_cast<std::size_t>(cost_.rows), 0);
    for (int column = 0; column < cost_.columns; ++column) {
      const int row = static_cast<int>(cheapest_row[at(column)]);
      if (++columns_of_row[at(row)] == 1) {
        match(row, column);
      }
    }
    for (int row = 0; row < cost_.rows; ++row) {
      if (columns_of_row[at(row)] == 1 && cost_.columns > 1) {
        transfer_reduction(row, column_of_row_[at(row)]);
      }
    }
  }

  /// Lowers the price of the only column of `row` as far as the row's other columns allow.
  void transfer_reduction(int row, int own) {
    const TwoSmallest best = scan(row);
    const Work other = best.column == own ? best.second : best.first;
    const Work slack = other - reduced(row, own);
    if (slack > 0) {
      lower_price(own, slack);
    }
  }

  /// Lets each free row take its cheapest column, pricing it up to the second cheapest; returns the
  /// rows still free.
  std::vector<int> reduce_rows(const std::vector<int>& free_rows) {
    return reduce_rows_by(free_rows, [&](int row) {
      const auto [displaced, at_once] = bid(row);
      return std::pair(displaced, at_once && in_range_);
    });
  }

  struct Bid {
    int displaced = no_match;  // the row that is free now, perhaps the bidder
    bool price_fell = false;
  };

  Bid bid(int row) {
    const TwoSmallest best = scan(row);
    const bool contested = row_of_column_[at(best.column)] != no_match;
    const Work margin = cost_.columns > 1 ? best.second - best.first : Work{0};
    if (margin > 0 && lower_price(best.column, margin)) {
      const int displaced = match(row, best.column);
      return {displaced, true};
    }
    if (!contested) {
      return {match(row, best.column), false};
    }
    const int open = free_column_at(best.first, row);
    if (open == no_match) {
      return {row, false};
    }
    return {match(row, open), false};
  }

  /// Smallest and second smallest reduced cost of a row; leaves the smallest of every block behind.
  TwoSmallest scan(int row) {
    effort_.scans += cost_.columns;
    const int blocks = block_count(cost_.columns);
    smallest_of_blocks(cost_.row(row), price_.data(), cost_.columns, block_smallest_.data());
    const auto smallest = std::min_element(block_smallest_.begin(), block_smallest_.end());
    TwoSmallest result{.first = *smallest};
    const int home = static_cast<int>(smallest - block_smallest_.begin());
    const int end = home * scan_block + block_size(home);
    result.column = home * scan_block;
    while (!(reduced(row, result.column) == result.first)) {
      ++result.column;
    }
    for (int column = home * scan_block; column < end; ++column) {
      if (column != result.column) {
        result.second = std::min(result.second, reduced(row, column));
      }
    }
    for (int block = 0; block < blocks; ++block) {
      if (block != home) {
        result.second = std::min(result.second, block_smallest_[at(block)]);
      }
    }
    return result;
  }

  /// The first unmatched column of the row scanned last that has this reduced cost.
  int free_column_at(Work wanted, int row) const {
    for (int block = 0; block < block_count(cost_.columns); ++block) {
      if (!(block_smallest_[at(block)] == wanted)) {
        continue;
      }
      for (int column = block * scan_block; column < block * scan_block + block_size(block);
           ++column) {
        if (row_of_column_[at(column)] == no_match && reduced(row, column) == wanted) {
          return column;
        }
      }
    }
    return no_match;
  }

  /// Returns false if the price is too large for `by` to change it.
  bool lower_price(int column, Work by) {
    const Work lower = price_[at(column)] - by;
    const bool fell = lower < price_[at(column)];
    price_[at(column)] = lower;
    in_range_ = in_range_ && is_safe(lower);
    return fell;
  }

  /// Gives `column` to `row`; returns the row that had it.
  int match(int row, int column) {
    const int before = std::exchange(row_of_column_[at(column)], row);
    if (before != no_match) {
      column_of_row_[at(before)] = no_match;
    }
    column_of_row_[at(row)] = column;
    return before;
  }

  /// Matches a free row along the shortest path to a free column and updates the prices on the way.
  void augment(int start) {
    ++effort_.searches;
    std::fill(floor_.begin(), floor_.end(), -infinite<Work>());
    std::fill(distance_.begin(), distance_.end(), infinite<Work>());
    ready_.clear();
    ready_distance_.clear();
    Work level = relax_through(start, Work{0});
    int end = pass_columns_at(level);
    for (std::size_t next = 0; end == no_match && is_safe(level); ++next) {
      const int column = ready_[next];
      const int row = row_of_column_[at(column)];
      const Work smallest = relax_through(row, level - reduced(row, column));
      const bool last_of_level = next + 1 == ready_.size();
      level = last_of_level ? smallest : level;
      if (last_of_level || smallest == level) {
        end = pass_columns_at(level);
      }
    }
    in_range_ = in_range_ && is_safe(level);
    if (!in_range_) {
      return;
    }
    lower_prices_to(level);
    ++effort_.augmentations;
    flip_path(start, end);
  }

  /// Returns the smallest distance left.
  Work relax_through(int row, Work offset) {
    effort_.scans += cost_.columns;
    const Frontier<Work> frontier{
        price_.data(), floor_.data(), distance_.data(), parent_.data(), block_smallest_.data()};
    relax(cost_.row(row), frontier, offset, row, cost_.columns);
    return *std::min_element(block_smallest_.begin(), block_smallest_.end());
  }

  /// Returns the first free column at distance `level`, or makes every column at that distance
  /// ready and returns none.
  int pass_columns_at(Work level) {
    for (int block = 0; block < block_count(cost_.columns); ++block) {
      if (block_smallest_[at(block)] == level) {
        const int open = pass_block_at(block, level);
        if (open != no_match) {
          return open;
        }
      }
    }
    return no_match;
  }

  int pass_block_at(int block, Work level) {
    for (int column = block * scan_block; column < block * scan_block + block_size(block);
         ++column) {
      if (distance_[at(column)] == level) {
        if (row_of_column_[at(column)] == no_match) {
          return column;
        }
        distance_[at(column)] = infinite<Work>();
        floor_[at(column)] = infinite<Work>();
        ready_.push_back(column);
        ready_distance_.push_back(level);
      }
    }
    return no_match;
  }

  void lower_prices_to(Work level) {
    for (std::size_t k = 0; k < ready_.size(); ++k) {
      if (ready_distance_[k] < level) {
        lower_price(ready_[k], level - ready_distance_[k]);
      }
    }
  }

  void flip_path(int start, int end) {
    int column = end;
    int row = no_match;
    while (row != start) {
      row = static_cast<int>(parent_[at(column)]);
      row_of_column_[at(column)] = row;
      std::swap(column_of_row_[at(row)], column);
    }
  }

  DenseView<Work> cost_{};
  bool is_begun_ = false;
  bool in_range_ = true;
  AssignmentEffort effort_{};
  std::vector<Work> price_{};
  std::vector<Work> floor_{};
  std::vector<Work> distance_{};
  std::vector<Mark<Work>> parent_{};
  std::vector<Work> block_smallest_{};
  std::vector<int> row_of_column_{};
  std::vector<int> column_of_row_{};
  std::vector<int> ready_{};
  std::vector<Work> ready_distance_{};
};

}  // namespace voda::assignment_detail

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/row_scan.hpp"

namespace voda::assignment_detail {

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

/// Minimum-cost assignment of all rows by Jonker and Volgenant's method; keeps only the column
/// prices.
template <class Work>
class DenseSolver final {
 public:
  explicit DenseSolver(const DenseView<Work>& cost)
      : cost_(cost),
        price_(columns(), 0),
        floor_(columns()),
        distance_(columns()),
        parent_(columns()),
        block_smallest_(static_cast<std::size_t>(block_count(cost.columns))),
        row_of_column_(columns(), no_match),
        column_of_row_(static_cast<std::size_t>(cost.rows), no_match) {}

  /// Returns false if a price left the range that Work can add safely.
  [[nodiscard]] bool solve() {
    if (cost_.rows == 0) {
      return true;
    }
    if (cost_.rows == cost_.columns) {
      reduce_columns();
    }
    std::vector<int> free_rows{};
    for (int row = 0; row < cost_.rows; ++row) {
      if (column_of_row_[at(row)] == no_match) {
        free_rows.push_back(row);
      }
    }
    for (int pass = 0; pass < reduction_passes && in_range_; ++pass) {
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

  [[nodiscard]] std::span<const int> column_of_row() const { return column_of_row_; }

  [[nodiscard]] std::span<const Work> column_price() const { return price_; }

  [[nodiscard]] Work row_price(int row) const { return reduced(row, column_of_row_[at(row)]); }

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
    std::vector<int>& cheapest_row = ready_;
    cheapest_row.assign(columns(), 0);
    std::copy(cost_.row(0), cost_.row(0) + columns(), price_.begin());
    for (int row = 1; row < cost_.rows; ++row) {
      const Work* cost = cost_.row(row);
      for (std::size_t column = 0; column < columns(); ++column) {
        const bool cheaper = cost[column] < price_[column];
        price_[column] = cheaper ? cost[column] : price_[column];
        cheapest_row[column] = cheaper ? row : cheapest_row[column];
      }
    }
    std::vector<int> columns_of_row(static_cast<std::size_t>(cost_.rows), 0);
    for (int column = 0; column < cost_.columns; ++column) {
      const int row = cheapest_row[at(column)];
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
    std::vector<int> left{};
    auto steps = steps_per_row * static_cast<std::ptrdiff_t>(free_rows.size());
    for (int row : free_rows) {
      while (row != no_match) {
        const auto [displaced, at_once] = bid(row);
        row = no_match;
        if (displaced != no_match && at_once && --steps > 0 && in_range_) {
          row = displaced;
        } else if (displaced != no_match) {
          left.push_back(displaced);
        }
      }
    }
    return left;
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
    const int open = free_column_at(best.first, [&](int column) { return reduced(row, column); });
    if (open == no_match) {
      return {row, false};
    }
    return {match(row, open), false};
  }

  /// Smallest and second smallest reduced cost of a row; leaves the smallest of every block behind.
  TwoSmallest scan(int row) {
    const int blocks = block_count(cost_.columns);
    const Work* cost = cost_.row(row);
    for (int block = 0; block < blocks; ++block) {
      const Work* from = cost + block * scan_block;
      const Work* price = price_.data() + block * scan_block;
      const int size = block_size(block);
      block_smallest_[at(block)] = size == scan_block ? smallest_of_full_block(from, price)
                                                      : smallest_of_part(from, price, size);
    }
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

  /// The first unmatched column whose value is `wanted`; looks only into blocks that hold it.
  template <class Value>
  int free_column_at(Work wanted, Value value) const {
    for (int block = 0; block < block_count(cost_.columns); ++block) {
      if (!(block_smallest_[at(block)] == wanted)) {
        continue;
      }
      for (int column = block * scan_block; column < block * scan_block + block_size(block);
           ++column) {
        if (row_of_column_[at(column)] == no_match && value(column) == wanted) {
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
    std::fill(floor_.begin(), floor_.end(), -infinite<Work>());
    std::fill(distance_.begin(), distance_.end(), infinite<Work>());
    ready_.clear();
    ready_distance_.clear();
    Work level = relax(start, Work{0});
    int end = pass_columns_at(level);
    for (std::size_t next = 0; end == no_match && is_safe(level); ++next) {
      const int column = ready_[next];
      const int row = row_of_column_[at(column)];
      const Work smallest = relax(row, level - reduced(row, column));
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
    flip_path(start, end);
  }

  Work relax(int row, Work offset) {
    const Work* cost = cost_.row(row);
    Work smallest = infinite<Work>();
    for (int block = 0; block < block_count(cost_.columns); ++block) {
      const std::size_t from = at(block) * scan_block;
      const Frontier<Work> frontier{price_.data() + from,
                                    floor_.data() + from,
                                    distance_.data() + from,
                                    parent_.data() + from};
      const int size = block_size(block);
      block_smallest_[at(block)] = size == scan_block
                                       ? relax_full_block<Work>(cost + from,
                                                                frontier.price,
                                                                frontier.floor,
                                                                frontier.distance,
                                                                frontier.parent,
                                                                offset,
                                                                row)
                                       : relax_part<Work>(cost + from, frontier, offset, row, size);
      smallest = std::min(smallest, block_smallest_[at(block)]);
    }
    return smallest;
  }

  /// Returns a free column at distance `level`, or makes every column at that distance ready and
  /// returns none.
  int pass_columns_at(Work level) {
    const int open = free_column_at(level, [&](int column) { return distance_[at(column)]; });
    if (open != no_match) {
      return open;
    }
    for (int block = 0; block < block_count(cost_.columns); ++block) {
      if (block_smallest_[at(block)] == level) {
        pass_block_at(block, level);
      }
    }
    return no_match;
  }

  void pass_block_at(int block, Work level) {
    for (int column = block * scan_block; column < block * scan_block + block_size(block);
         ++column) {
      if (distance_[at(column)] == level) {
        distance_[at(column)] = infinite<Work>();
        floor_[at(column)] = infinite<Work>();
        ready_.push_back(column);
        ready_distance_.push_back(level);
      }
    }
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

  static constexpr std::ptrdiff_t steps_per_row = 8;

  DenseView<Work> cost_{};
  bool in_range_ = true;
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

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/impl/core_matching.hpp"
#include "voda/solvers/impl/dense_rows.hpp"
#include "voda/solvers/impl/path_queue.hpp"
#include "voda/solvers/impl/price_range.hpp"

namespace voda::assignment_detail {

using solvers::AssignmentEffort;

enum class Outcome : std::uint8_t {
  solved,
  costs_misfit,   ///< a cost is not a number that Work may hold
  prices_misfit,  ///< a price left the range that Work can add safely
  too_long,       ///< the cheapest pairs say too little: look at all of them
};

/// Minimum-cost assignment of all rows by shortest augmenting paths over the cheapest pairs of each
/// row; a row is read in full where a path needs a pair that was not kept.
template <class Work>
class CoreSolver final {
 public:
  explicit CoreSolver(const DenseRows<Work>& rows)
      : rows_(rows.rows()),
        columns_(rows.columns()),
        found_(rows),
        distance_(at(columns_), infinite<Work>()),
        parent_(at(columns_)),
        cost_to_(at(columns_)),
        passed_in_(at(columns_), 0),
        offset_(at(rows_)),
        group_(at(rows_)),
        renewed_in_(at(rows_), 0),
        next_columns_(columns_),
        next_rows_(rows_) {}

  /// Returns false if it ignores these prices, one per column; see CoreMatching.
  bool start_from(std::span<const Work> prices, Work most) {
    return found_.start_from(prices, most);
  }

  [[nodiscard]] Outcome solve() {
    if (!found_.read_rows()) {
      return Outcome::costs_misfit;
    }
    std::vector<int> free_rows(at(rows_));
    std::iota(free_rows.begin(), free_rows.end(), 0);
    for (int pass = 0; pass < reduction_passes && found_.in_range; ++pass) {
      free_rows = found_.reduce_rows(free_rows);
    }
    for (const int row : free_rows) {
      augment(row);
      if (!found_.in_range || is_too_long()) {
        return found_.in_range ? Outcome::too_long : Outcome::prices_misfit;
      }
    }
    return found_.is_warm && rows_ < columns_ ? raise_free_columns() : outcome();
  }

  /// Also after `too_long`: a valid start for another solver, unless prices were given.
  [[nodiscard]] Matching<Work> matching() const {
    Matching<Work> result{.price = found_.price,
                          .row_of_column = found_.row_of_column,
                          .column_of_row = found_.column_of_row};
    result.price.resize(at(columns_));
    result.column_of_row.resize(at(rows_));
    return result;
  }

  [[nodiscard]] AssignmentEffort effort() const {
    return {.searches = searches_,
            .scans = found_.core.full_scans() * columns_ + found_.pairs_seen,
            .augmentations = augmentations_};
  }

 private:
  static constexpr int reduction_passes = 2;
  static constexpr int last_group = CoreMatching<Work>::last_group;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  [[nodiscard]] Outcome outcome() const {
    return found_.in_range ? Outcome::solved : Outcome::prices_misfit;
  }

  /// Whether reading every row in full, with vectors, would by now have been cheaper.
  bool is_too_long() const {
    if (gave_up_) {
      return true;
    }
    constexpr std::int64_t pair_weight = 16;
    constexpr std::int64_t scan_weight = 2;
    constexpr std::int64_t matrices = 32;
    const std::int64_t cells = std::int64_t{rows_} * columns_;
    return found_.pairs_seen * pair_weight + found_.core.full_scans() * scan_weight * columns_ >
           matrices * cells;
  }

  /// Matches a free row along the shortest path to a free column and updates the prices on the way.
  void augment(int start) {
    begin_search();
    relax(start, Work{0});
    finish_search(start);
  }

  void begin_search() {
    ++searches_;
    next_columns_.clear();
    next_rows_.clear();
    ready_.clear();
    end_ = no_match;
    end_distance_ = infinite<Work>();
  }

  void finish_search(int start) {
    for (;;) {
      const Work column_distance = next_columns_.first_distance();
      const Work row_distance = next_rows_.first_distance();
      const Work level = std::min(column_distance, row_distance);
      if (!(level < end_distance_) || !is_safe(level)) {
        break;
      }
      if (row_distance < column_distance) {
        widen(next_rows_.pop());
        if (gave_up_) {
          break;
        }
      } else {
        pass(next_columns_.pop());
      }
    }
    found_.in_range = found_.in_range && (gave_up_ || is_safe(end_distance_));
    if (found_.in_range && !gave_up_) {
      VODA_ASSERT(end_ != no_match, "every row of a dense matrix reaches a free column");
      for (const int column : ready_) {
        if (distance_[at(column)] < end_distance_) {
          found_.lower_price(column, end_distance_ - distance_[at(column)]);
        }
      }
      flip_path(start);
    }
    for (const int column : touched_) {
      distance_[at(column)] = infinite<Work>();
    }
    touched_.clear();
  }

  void pass(int column) {
    passed_in_[at(column)] = searches_;
    ready_.push_back(column);
    const int row = found_.row_of_column[at(column)];
    relax(row, distance_[at(column)] - found_.reduced(row, column));
  }

  /// The path may need a pair that was not looked at.
  void widen(int row) {
    if (group_[at(row)] < last_group) {
      ++group_[at(row)];
    } else {
      read_again(row);
      group_[at(row)] = 0;
    }
    relax_group(row);
  }

  void read_again(int row) {
    if (renewed_in_[at(row)] == searches_) {
      found_.core.extend(row, found_.price);
      gave_up_ = found_.core.is_too_large() || is_too_long();
    } else {
      found_.core.renew(row, found_.price, found_.row_of_column);
    }
    renewed_in_[at(row)] = searches_;
  }

  /// Shortens distances through `row`, `offset` away from its reduced costs.
  void relax(int row, Work offset) {
    offset_[at(row)] = offset;
    group_[at(row)] = 0;
    relax_group(row);
  }

  void relax_group(int row) {
    const Work offset = offset_[at(row)];
    const auto pairs = found_.core.pairs(row, group_[at(row)]);
    found_.pairs_seen += std::ssize(pairs);
    const Work* price = found_.price.data();
    const Work* known = distance_.data();
    for (const auto& pair : pairs) {
      const Work distance = pair.cost - price[pair.column] + offset;
      if (distance < known[pair.column]) {
        reach(pair.column, distance, row, pair.cost);
      }
    }
    const Work bound = found_.core.bound(row, group_[at(row)]);
    if (bound < infinite<Work>() && bound + offset < end_distance_) {
      next_rows_.push(row, bound + offset);
    }
  }

  void reach(int column, Work distance, int row, Work cost) {
    if (!(distance < distance_[at(column)]) || end_distance_ < distance ||
        passed_in_[at(column)] == searches_) {
      return;
    }
    const bool is_free = found_.row_of_column[at(column)] == no_match;
    const bool ties = !(distance < end_distance_);
    if (ties && (!is_free || end_ < column)) {
      return;
    }
    if (!(distance_[at(column)] < infinite<Work>())) {
      touched_.push_back(column);
    }
    distance_[at(column)] = distance;
    parent_[at(column)] = row;
    cost_to_[at(column)] = cost;
    if (is_free) {
      end_ = column;
      end_distance_ = distance;
    } else {
      next_columns_.push(column, distance);
    }
  }

  void flip_path(int start) {
    ++augmentations_;
    int column = end_;
    int row = no_match;
    while (row != start) {
      row = parent_[at(column)];
      found_.row_of_column[at(column)] = row;
      found_.matched_cost[at(row)] = cost_to_[at(column)];
      std::swap(found_.column_of_row[at(row)], column);
    }
  }

  /// Ends a warm start on a rectangular matrix: all free columns must have one price, then called
  /// 0. As if rows without costs, the spare rows, had to take them: one search for each free
  /// column that is still priced lower.
  Outcome raise_free_columns() {
    const int spare_row = rows_;
    std::ptrdiff_t lower = 0;
    for (int column = 0; column < columns_; ++column) {
      if (found_.row_of_column[at(column)] == no_match) {
        const bool is_low = found_.price[at(column)] < 0;
        lower += is_low ? 1 : 0;
        if (!is_low) {
          give_to_spare(column);
        }
      }
    }
    Work level{0};
    for (; lower > 0; --lower) {
      begin_search();
      reach_from_spare();
      finish_search(spare_row);
      if (!found_.in_range || is_too_long()) {
        return found_.in_range ? Outcome::too_long : Outcome::prices_misfit;
      }
      level = end_distance_;
      give_to_spare(found_.column_of_row[at(spare_row)]);
    }
    for (int column = 0; column < columns_; ++column) {
      Work& price = found_.price[at(column)];
      int& row = found_.row_of_column[at(column)];
      price = row == spare_row ? Work{0} : std::min(price + level, Work{0});
      row = row == spare_row ? no_match : row;
      found_.in_range = found_.in_range && is_safe(price);
    }
    return outcome();
  }

  /// No path gains by entering such a column, as every spare row is reached at once.
  void give_to_spare(int column) {
    found_.row_of_column[at(column)] = rows_;
    distance_[at(column)] = lowest<Work>();
  }

  void reach_from_spare() {
    found_.pairs_seen += columns_;
    for (const bool is_free : {true, false}) {
      for (int column = 0; column < columns_; ++column) {
        if ((found_.row_of_column[at(column)] == no_match) == is_free) {
          reach(column, -found_.price[at(column)], rows_, Work{0});
        }
      }
    }
  }

  int rows_ = 0;
  int columns_ = 0;
  int searches_ = 0;
  std::int64_t augmentations_ = 0;
  bool gave_up_ = false;  // within a search, before it changed anything
  CoreMatching<Work> found_;
  std::vector<Work> distance_{};
  std::vector<int> parent_{};
  std::vector<Work> cost_to_{};
  std::vector<int> passed_in_{};  // number of a search
  std::vector<Work> offset_{};
  std::vector<int> group_{};
  std::vector<int> renewed_in_{};  // number of a search
  std::vector<int> touched_{};
  std::vector<int> ready_{};
  PathQueue<Work> next_columns_;
  PathQueue<Work> next_rows_;  // where more pairs of a row come next
  int end_ = no_match;
  Work end_distance_ = infinite<Work>();
};

}  // namespace voda::assignment_detail

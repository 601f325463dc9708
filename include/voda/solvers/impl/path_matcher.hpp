#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "voda/solvers/impl/hopcroft_karp.hpp"
#include "voda/solvers/impl/search_ledger.hpp"
#include "voda/solvers/impl/sparse_matching.hpp"

namespace voda::sparse_assignment_detail {

enum class Outcome : std::uint8_t { solved, blocked, out_of_range, too_long };

/// Matches the rows that a start left, by successive shortest paths, one row at a time or, where
/// that pays, all at once.
///
/// Invariant: row_price + column_price <= cost on every edge, equal on matched ones. If rows may
/// stay unmatched, row prices are <= 0, and 0 for rows given up. The columns still free at the end
/// have the prices they came with.
template <class Work, class Queue>
class PathMatcher final {
 public:
  PathMatcher(const Edges<Work>& edges, bool rows_may_stay, Matching<Work>& matching, Queue queue)
      : edges_(&edges),
        rows_may_stay_(rows_may_stay),
        matching_(&matching),
        queue_(std::move(queue)),
        ledger_(edges.size() + edges.rows() + edges.columns),
        distance_(matching.column_price.size(), infinite<Work>()),
        parent_(matching.column_price.size(), no_match) {}

  /// Gives up with Outcome::too_long when more edges were looked at than `most_scans`.
  [[nodiscard]] Outcome match(std::vector<int> rows, std::int64_t most_scans) {
    const std::int64_t limit = matching_->effort.scans + most_scans;
    std::ranges::reverse(rows);
    while (true) {
      while (!rows.empty() && !wants_column(rows.back())) {
        rows.pop_back();
      }
      if (rows.empty()) {
        return Outcome::solved;
      }
      if (matching_->effort.scans > limit) {
        return Outcome::too_long;
      }
      const Outcome outcome = ledger_.asks_for_phase() ? run_phase(rows) : match_next(rows);
      if (outcome != Outcome::solved) {
        return outcome;
      }
    }
  }

  /// After Outcome::blocked: rows that share too few columns, ascending.
  [[nodiscard]] std::vector<int> blocked_rows() const { return blocked_; }

 private:
  using Edge = typename Edges<Work>::Edge;

  /// Where the best path found so far ends: at a free column, or by releasing a row.
  struct End {
    Work distance = infinite<Work>();
    int column = no_match;
    int released_row = no_match;
  };

  bool wants_column(int row) const {
    return matching_->column_of_row[position(row)] == no_match &&
           !(rows_may_stay_ && !(matching_->row_price[position(row)] < 0));
  }

  /// Matches the last row, or gives up the row on its cheapest alternating path that is cheapest
  /// to leave out.
  Outcome match_next(std::span<const int> rows) {
    const std::int64_t before = matching_->effort.scans;
    End end{};
    const Outcome outcome = search(rows.last(1), end);
    if (outcome == Outcome::solved) {
      flip_path(end);
      ++matching_->effort.augmentations;
    }
    ledger_.note_search(matching_->effort.scans - before);
    return outcome;
  }

  /// One step of the Hungarian method for all rows: prices change until a path is tight, then as
  /// many tight paths are used as there are.
  Outcome run_phase(std::vector<int>& rows) {
    if (!rows_may_stay_ && !std::exchange(is_known_feasible_, true)) {
      blocked_ = unmatchable_rows(*edges_, *matching_, matching_->effort);
      if (!blocked_.empty()) {
        return Outcome::blocked;
      }
    }
    const auto before = matching_->effort;
    std::erase_if(rows, [this](int row) { return !wants_column(row); });
    End end{};
    const Outcome outcome = search(rows, end);
    if (outcome == Outcome::solved) {
      HopcroftKarp<Work, TightEdges<Work>>(*edges_, *matching_, {*matching_, rows_may_stay_})
          .match(rows);
    }
    ledger_.note_phase(matching_->effort.scans - before.scans,
                       matching_->effort.augmentations - before.augmentations);
    return outcome;
  }

  /// Finds the nearest end from any of `starts` and changes prices so that the path is tight.
  Outcome search(std::span<const int> starts, End& end) {
    ++matching_->effort.searches;
    passed_.clear();
    for (const int start : starts) {
      leave_row(start, Work{0}, end);
    }
    bool safe = pass_columns(end);
    const bool blocked = end.column == no_match && end.released_row == no_match;
    if (safe && !blocked) {
      safe = is_safe(end.distance) && change_prices(starts, end);
    }
    forget_search();
    if (!safe) {
      return Outcome::out_of_range;
    }
    if (blocked) {
      name_blocked_rows(starts);
    }
    return blocked ? Outcome::blocked : Outcome::solved;
  }

  /// Returns whether distances stayed in range.
  bool pass_columns(End& end) {
    while (!queue_.is_empty()) {
      const auto [distance, column] = queue_.pop();
      if (!(distance < end.distance)) {
        break;
      }
      if (!is_safe(distance)) {
        return false;
      }
      if (distance_[position(column)] < distance) {
        continue;
      }
      passed_.push_back(column);
      leave_row(matching_->row_of_column[position(column)], distance, end);
    }
    return true;
  }

  /// Extends the search from a row `base` away from its start. `base` never falls, so a passed
  /// column keeps its parent.
  void leave_row(int row, Work base, End& end) {
    const Work offset = base - matching_->row_price[position(row)];
    if (rows_may_stay_ && offset < end.distance) {
      end = {offset, no_match, row};
    }
    const auto edges = edges_->of_row(row);
    matching_->effort.scans += std::ssize(edges);
    for (const Edge& edge : edges) {
      const std::size_t column = position(edge.column);
      Work distance = edge.cost - matching_->column_price[column] + offset;
      if constexpr (is_floating_work<Work>) {
        distance = std::max(distance, base);  // rounding must not turn time back
      }
      if (!(distance < end.distance) || !(distance < distance_[column])) {
        continue;
      }
      if (!(distance_[column] < infinite<Work>())) {
        seen_.push_back(edge.column);
      }
      distance_[column] = distance;
      parent_[column] = row;
      if (matching_->is_free(edge.column)) {
        end = {distance, edge.column, no_match};
      } else {
        queue_.push(distance, edge.column);
      }
    }
  }

  /// Returns whether prices stayed in range.
  bool change_prices(std::span<const int> starts, const End& end) {
    bool safe = true;
    for (const int start : starts) {
      safe = raise_row_price(start, end.distance, end) && safe;
    }
    for (const int column : passed_) {
      const Work gap = end.distance - distance_[position(column)];
      Work& price = matching_->column_price[position(column)];
      price -= gap;
      safe = safe && is_safe(price);
      safe = raise_row_price(matching_->row_of_column[position(column)], gap, end) && safe;
    }
    return safe;
  }

  bool raise_row_price(int row, Work by, const End& end) {
    Work& price = matching_->row_price[position(row)];
    price += by;
    if (end.released_row == row || (rows_may_stay_ && price > 0)) {
      price = 0;  // exact where doubles round
    }
    return is_safe(price);
  }

  void forget_search() {
    for (const int column : seen_) {
      distance_[position(column)] = infinite<Work>();
    }
    seen_.clear();
    queue_.clear();
  }

  void flip_path(const End& end) {
    int column = end.column;
    if (end.released_row != no_match) {
      column = std::exchange(matching_->column_of_row[position(end.released_row)], no_match);
    }
    while (column != no_match) {
      const int row = parent_[position(column)];
      matching_->row_of_column[position(column)] = row;
      std::swap(matching_->column_of_row[position(row)], column);
    }
  }

  void name_blocked_rows(std::span<const int> starts) {
    blocked_.assign(starts.begin(), starts.end());
    for (const int column : passed_) {
      blocked_.push_back(matching_->row_of_column[position(column)]);
    }
    std::ranges::sort(blocked_);
  }

  const Edges<Work>* edges_ = nullptr;
  bool rows_may_stay_ = false;
  Matching<Work>* matching_ = nullptr;
  Queue queue_;
  SearchLedger ledger_;
  bool is_known_feasible_ = false;
  std::vector<Work> distance_{};  // of the current search, infinite where not seen
  std::vector<int> parent_{};
  std::vector<int> seen_{};
  std::vector<int> passed_{};
  std::vector<int> blocked_{};
};

}  // namespace voda::sparse_assignment_detail

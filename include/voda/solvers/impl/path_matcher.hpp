#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/status.hpp"

namespace voda::sparse_assignment_detail {

using assignment_detail::infinite;
using assignment_detail::is_floating_work;
using assignment_detail::is_safe;
using solvers::Coverage;
using solvers::no_match;

/// A sparse problem as the matcher wants it: to be minimised, and with Coverage::full no more rows
/// than columns.
template <class Work>
struct Edges {
  struct Edge {
    int column = 0;
    Work cost = 0;
  };

  int columns = 0;
  std::vector<int> row_begin{};
  std::vector<Edge> edges{};

  [[nodiscard]] int rows() const { return static_cast<int>(row_begin.size()) - 1; }

  [[nodiscard]] std::span<const Edge> of_row(int row) const {
    const auto at = static_cast<std::size_t>(row);
    const auto from = static_cast<std::size_t>(row_begin[at]);
    return std::span(edges).subspan(from, static_cast<std::size_t>(row_begin[at + 1]) - from);
  }
};

enum class Outcome : std::uint8_t { solved, blocked, out_of_range };

/// Successive shortest paths. Invariant: row_price + column_price <= cost on every edge, equal on
/// matched ones, column prices <= 0 and 0 while free; with Coverage::partial row prices <= 0, and 0
/// for rows given up.
template <class Work, class Queue>
class PathMatcher final {
 public:
  PathMatcher(const Edges<Work>& edges, Coverage coverage, Queue queue)
      : edges_(edges),
        coverage_(coverage),
        queue_(std::move(queue)),
        row_price_(static_cast<std::size_t>(edges.rows()), 0),
        column_price_(static_cast<std::size_t>(edges.columns), 0),
        column_of_row_(row_price_.size(), no_match),
        row_of_column_(column_price_.size(), no_match),
        distance_(column_price_.size(), infinite<Work>()),
        parent_(column_price_.size(), no_match) {}

  [[nodiscard]] Outcome solve() {
    if (coverage_ == Coverage::full && edges_.rows() == edges_.columns) {
      price_columns();
    }
    std::vector<int> left = bid_for_columns(match_tight_edges());
    for (const int row : left) {
      const Outcome outcome = augment(row);
      if (outcome != Outcome::solved) {
        return outcome;
      }
    }
    return Outcome::solved;
  }

  [[nodiscard]] std::span<const int> column_of_row() const { return column_of_row_; }

  [[nodiscard]] std::span<const Work> row_price() const { return row_price_; }

  [[nodiscard]] std::span<const Work> column_price() const { return column_price_; }

  /// After Outcome::blocked: rows that share one column fewer than they are, ascending.
  [[nodiscard]] std::vector<int> blocked_rows() const {
    std::vector<int> rows{start_};
    for (const int column : passed_) {
      rows.push_back(row_of_column_[at(column)]);
    }
    std::ranges::sort(rows);
    return rows;
  }

 private:
  using Edge = typename Edges<Work>::Edge;

  /// Where the best path found so far ends: at a free column, or by releasing a row.
  struct End {
    Work distance = infinite<Work>();
    int column = no_match;
    int released_row = no_match;
  };

  struct Offers {
    Work best = infinite<Work>();
    Work second = infinite<Work>();
    int column = no_match;  // none: staying unmatched is as good as any column
  };

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  bool is_free(int column) const { return row_of_column_[at(column)] == no_match; }

  /// Allowed only when every column is matched in the end.
  void price_columns() {
    std::fill(column_price_.begin(), column_price_.end(), infinite<Work>());
    for (const Edge& edge : edges_.edges) {
      Work& price = column_price_[at(edge.column)];
      price = std::min(price, edge.cost);
    }
    for (Work& price : column_price_) {
      price = price < infinite<Work>() ? price : Work{0};
    }
  }

  Offers offers_to(int row) const {
    Offers offers{};
    if (coverage_ == Coverage::partial) {
      offers.best = 0;
    }
    for (const Edge& edge : edges_.of_row(row)) {
      const Work value = edge.cost - column_price_[at(edge.column)];
      if (value < offers.best) {
        offers.second = std::exchange(offers.best, value);
        offers.column = edge.column;
      } else {
        offers.second = std::min(offers.second, value);
      }
    }
    return offers;
  }

  /// Prices every row at its best offer and matches it where that is a free column; returns the
  /// rows left to match.
  std::vector<int> match_tight_edges() {
    std::vector<int> left{};
    for (int row = 0; row < edges_.rows(); ++row) {
      const Offers offers = offers_to(row);
      if (offers.column == no_match && coverage_ == Coverage::partial) {
        continue;  // price 0: better off unmatched
      }
      row_price_[at(row)] = offers.best < infinite<Work>() ? offers.best : Work{0};
      if (!take_free_tight_column(row)) {
        left.push_back(row);
      }
    }
    return left;
  }

  bool take_free_tight_column(int row) {
    for (const Edge& edge : edges_.of_row(row)) {
      const Work value = edge.cost - column_price_[at(edge.column)];
      if (!(row_price_[at(row)] < value) && is_free(edge.column)) {
        match(row, edge.column);
        return true;
      }
    }
    return false;
  }

  /// One round in which each row outbids for its best column, up to the second best offer (Jonker
  /// and Volgenant's row reduction). Ends after a few bids a row; the rest is left to shortest
  /// paths.
  std::vector<int> bid_for_columns(const std::vector<int>& rows) {
    std::vector<int> left{};
    auto bids = bids_per_row * static_cast<std::ptrdiff_t>(rows.size());
    for (int row : rows) {
      while (row != no_match) {
        const int bidder = std::exchange(row, no_match);
        const int displaced = bid(bidder);
        if (displaced != no_match && displaced != bidder && --bids > 0) {
          row = displaced;
        } else if (displaced != no_match) {
          left.push_back(displaced);
        }
      }
    }
    return left;
  }

  /// Returns the row that is free now, if any and if it still wants a column.
  int bid(int row) {
    const Offers offers = offers_to(row);
    const bool unwanted = offers.column == no_match && coverage_ == Coverage::partial;
    if (unwanted) {
      row_price_[at(row)] = 0;
      return no_match;
    }
    const bool only_one = !(offers.second < infinite<Work>());
    if (offers.column == no_match || only_one || !is_safe(offers.second)) {
      return row;
    }
    Work& price = column_price_[at(offers.column)];
    const Work lower = price - (offers.second - offers.best);
    if (!(lower < price) || !is_safe(lower)) {
      row_price_[at(row)] = offers.best;
      return take_free_tight_column(row) ? no_match : row;
    }
    price = lower;
    row_price_[at(row)] = offers.second;
    return match(row, offers.column);
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

  /// Matches `start`, or gives up the row on its cheapest alternating path that is cheapest to
  /// leave out.
  Outcome augment(int start) {
    start_ = start;
    passed_.clear();
    End end{};
    leave_row(start, Work{0}, end);
    while (!queue_.is_empty()) {
      const auto [distance, column] = queue_.pop();
      if (!(distance < end.distance)) {
        break;
      }
      if (!is_safe(distance)) {
        return Outcome::out_of_range;
      }
      if (distance_[at(column)] < distance) {
        continue;
      }
      passed_.push_back(column);
      leave_row(row_of_column_[at(column)], distance, end);
    }
    const bool blocked = end.column == no_match && end.released_row == no_match;
    const bool safe = is_safe(end.distance);
    if (!blocked && safe) {
      change_prices(end);
    }
    forget_search();
    if (blocked) {
      return Outcome::blocked;
    }
    if (!safe || !in_range_) {
      return Outcome::out_of_range;
    }
    flip_path(end);
    return Outcome::solved;
  }

  /// Extends the search from a row `base` away from the start. `base` never falls, so a passed
  /// column keeps its parent.
  void leave_row(int row, Work base, End& end) {
    const Work offset = base - row_price_[at(row)];
    if (coverage_ == Coverage::partial && offset < end.distance) {
      end = {offset, no_match, row};
    }
    for (const Edge& edge : edges_.of_row(row)) {
      const std::size_t column = at(edge.column);
      Work distance = edge.cost - column_price_[column] + offset;
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
      if (is_free(edge.column)) {
        end = {distance, edge.column, no_match};
      } else {
        queue_.push(distance, edge.column);
      }
    }
  }

  void change_prices(const End& end) {
    raise_row_price(start_, end.distance, end);
    for (const int column : passed_) {
      const Work gap = end.distance - distance_[at(column)];
      Work& price = column_price_[at(column)];
      price -= gap;
      in_range_ = in_range_ && is_safe(price);
      raise_row_price(row_of_column_[at(column)], gap, end);
    }
  }

  void raise_row_price(int row, Work by, const End& end) {
    Work& price = row_price_[at(row)];
    price += by;
    if (end.released_row == row || (coverage_ == Coverage::partial && price > 0)) {
      price = 0;  // exact where doubles round
    }
    in_range_ = in_range_ && is_safe(price);
  }

  void forget_search() {
    for (const int column : seen_) {
      distance_[at(column)] = infinite<Work>();
    }
    seen_.clear();
    queue_.clear();
  }

  void flip_path(const End& end) {
    int column = end.column;
    if (end.released_row != no_match) {
      column = std::exchange(column_of_row_[at(end.released_row)], no_match);
    }
    while (column != no_match) {
      const int row = parent_[at(column)];
      row_of_column_[at(column)] = row;
      std::swap(column_of_row_[at(row)], column);
    }
  }

  static constexpr std::ptrdiff_t bids_per_row = 16;

  const Edges<Work>& edges_;
  Coverage coverage_ = Coverage::full;
  Queue queue_;
  bool in_range_ = true;
  std::vector<Work> row_price_{};
  std::vector<Work> column_price_{};
  std::vector<int> column_of_row_{};
  std::vector<int> row_of_column_{};
  std::vector<Work> distance_{};  // of the current search, infinite where not seen
  std::vector<int> parent_{};
  std::vector<int> seen_{};
  std::vector<int> passed_{};
  int start_ = no_match;
};

}  // namespace voda::sparse_assignment_detail

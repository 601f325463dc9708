#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "voda/solvers/impl/sparse_matching.hpp"

namespace voda::sparse_assignment_detail {

/// Matches most rows before any path is searched: first along edges that are tight at given column
/// prices, then by bids.
template <class Work>
class RowStart final {
 public:
  RowStart(const Edges<Work>& edges, bool rows_may_stay, Matching<Work>& matching)
      : edges_(&edges), rows_may_stay_(rows_may_stay), matching_(&matching) {}

  /// Prices columns at their cheapest edge; allowed only if every column is matched in the end.
  void price_columns() {
    auto& prices = matching_->column_price;
    std::ranges::fill(prices, infinite<Work>());
    for (const Edge& edge : edges_->edges) {
      Work& price = prices[position(edge.column)];
      price = std::min(price, edge.cost);
    }
    for (Work& price : prices) {
      price = price < infinite<Work>() ? price : Work{0};
    }
    matching_->effort.scans += edges_->size();
  }

  /// Prices every row at its best offer and matches it where that is a free column; returns the
  /// rows left to match. Rows that are as well off unmatched may stay so.
  [[nodiscard]] std::vector<int> match_tight_edges() {
    std::vector<int> left{};
    for (int row = 0; row < edges_->rows(); ++row) {
      if (prices_row(row) && !take_free_tight_column(row)) {
        left.push_back(row);
      }
    }
    return left;
  }

  /// The same after a start that matched some rows: pairs that are not tight are given up first.
  [[nodiscard]] std::vector<int> keep_tight_pairs() {
    std::vector<int> loose{};
    for (int row = 0; row < edges_->rows(); ++row) {
      const bool wants_column = prices_row(row);
      if (has_tight_pair(row)) {
        continue;
      }
      int& column = matching_->column_of_row[position(row)];
      if (column != no_match) {
        matching_->row_of_column[position(std::exchange(column, no_match))] = no_match;
      }
      if (wants_column) {
        loose.push_back(row);
      }
    }
    std::erase_if(loose, [this](int row) { return take_free_tight_column(row); });
    return loose;
  }

  /// One round in which each row outbids for its best column, up to the second best offer (Jonker
  /// and Volgenant's row reduction). Ends after a few bids a row; the rest is left to shortest
  /// paths.
  [[nodiscard]] std::vector<int> bid_for_columns(const std::vector<int>& rows) {
    std::vector<int> left{};
    auto bids = bids_per_row * std::ssize(rows);
    const std::int64_t most_scans = matching_->effort.scans + scans_per_edge * edges_->size();
    for (int row : rows) {
      while (row != no_match) {
        const int bidder = std::exchange(row, no_match);
        const int displaced = bid(bidder);
        if (displaced != no_match && displaced != bidder && --bids > 0 &&
            matching_->effort.scans < most_scans) {
          row = displaced;
        } else if (displaced != no_match) {
          left.push_back(displaced);
        }
      }
    }
    return left;
  }

 private:
  using Edge = typename Edges<Work>::Edge;

  struct Offers {
    Work best = infinite<Work>();
    Work second = infinite<Work>();
    int column = no_match;  // none: staying unmatched is as good as any column
  };

  Offers offers_to(int row) {
    Offers offers{};
    if (rows_may_stay_) {
      offers.best = 0;
    }
    const auto edges = edges_->of_row(row);
    matching_->effort.scans += std::ssize(edges);
    for (const Edge& edge : edges) {
      const Work value = edge.cost - matching_->column_price[position(edge.column)];
      if (value < offers.best) {
        offers.second = std::exchange(offers.best, value);
        offers.column = edge.column;
      } else {
        offers.second = std::min(offers.second, value);
      }
    }
    return offers;
  }

  /// Sets the row's price; returns whether the row wants a column.
  bool prices_row(int row) {
    const Offers offers = offers_to(row);
    Work& price = matching_->row_price[position(row)];
    if (offers.column == no_match && rows_may_stay_) {
      price = 0;
      return false;
    }
    price = offers.best < infinite<Work>() ? offers.best : Work{0};
    return true;
  }

  bool is_tight(int row, const Edge& edge) const {
    const Work value = edge.cost - matching_->column_price[position(edge.column)];
    return !(matching_->row_price[position(row)] < value);
  }

  bool has_tight_pair(int row) const {
    const int column = matching_->column_of_row[position(row)];
    return column != no_match && std::ranges::any_of(edges_->of_row(row), [&](const Edge& edge) {
             return edge.column == column && is_tight(row, edge);
           });
  }

  bool take_free_tight_column(int row) {
    for (const Edge& edge : edges_->of_row(row)) {
      if (is_tight(row, edge) && matching_->is_free(edge.column)) {
        matching_->give(row, edge.column);
        return true;
      }
    }
    return false;
  }

  /// Returns the row that is free now, if any and if it still wants a column.
  int bid(int row) {
    const Offers offers = offers_to(row);
    const bool unwanted = offers.column == no_match && rows_may_stay_;
    if (unwanted) {
      matching_->row_price[position(row)] = 0;
      return no_match;
    }
    const bool only_one = !(offers.second < infinite<Work>());
    if (offers.column == no_match || only_one || !is_safe(offers.second)) {
      return row;
    }
    Work& price = matching_->column_price[position(offers.column)];
    const Work lower = price - (offers.second - offers.best);
    if (!(lower < price) || !is_safe(lower)) {
      matching_->row_price[position(row)] = offers.best;
      return take_free_tight_column(row) ? no_match : row;
    }
    price = lower;
    matching_->row_price[position(row)] = offers.second;
    return matching_->give(row, offers.column);
  }

  static constexpr std::ptrdiff_t bids_per_row = 16;
  static constexpr std::int64_t scans_per_edge = 16;

  const Edges<Work>* edges_ = nullptr;
  bool rows_may_stay_ = false;
  Matching<Work>* matching_ = nullptr;
};

}  // namespace voda::sparse_assignment_detail

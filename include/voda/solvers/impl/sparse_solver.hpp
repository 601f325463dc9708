#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "voda/solvers/impl/hopcroft_karp.hpp"
#include "voda/solvers/impl/path_matcher.hpp"
#include "voda/solvers/impl/price_bidding.hpp"
#include "voda/solvers/impl/row_start.hpp"
#include "voda/solvers/impl/sparse_matching.hpp"

namespace voda::sparse_assignment_detail {

/// Chooses a start by the instance and lets shortest paths finish; see sparse_assignment.hpp.
template <class Work, class Queue>
class SparseSolver final {
 public:
  SparseSolver(const Edges<Work>& edges, FreeSides free_sides, Queue queue)
      : edges_(&edges),
        may_stay_(free_sides),
        queue_(std::move(queue)),
        matching_(edges.rows(), edges.columns) {}

  /// `start_prices`: none, or one per column; where columns may stay free, none > 0.
  [[nodiscard]] Outcome solve(std::span<const Work> start_prices = {}) {
    if (start_prices.empty() && is_tight_for_columns()) {
      return start_by_bidding();
    }
    const Outcome outcome = start_from(start_prices);
    return outcome == Outcome::too_long ? start_by_bidding() : outcome;
  }

  [[nodiscard]] const Matching<Work>& matching() const { return matching_; }

  /// After Outcome::blocked: rows that share too few columns, ascending.
  [[nodiscard]] const std::vector<int>& blocked_rows() const { return blocked_; }

 private:
  static constexpr int fewest_bidders = 128;
  static constexpr std::int64_t long_in_scans_per_edge = 12;
  static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max() / 2;

  Outcome start_from(std::span<const Work> prices) {
    const bool can_bid = edges_->rows() >= fewest_bidders;
    RowStart<Work> start(*edges_, may_stay_.rows, matching_);
    std::vector<int> left{};
    if (!prices.empty()) {
      std::ranges::copy(prices, matching_.column_price.begin());
    } else if (!may_stay_.columns) {
      start.price_columns();
    }
    if (!prices.empty() && can_bid) {
      bidding<std::int32_t>().run_from_prices(matching_);
      left = start.keep_tight_pairs();
    } else {
      left = start.match_tight_edges();
    }
    const std::int64_t limit = can_bid ? long_in_scans_per_edge * edges_->size() : no_limit;
    return finish(start.bid_for_columns(left), limit);
  }

  /// Whether all or nearly all columns are needed, so that searches would get long.
  [[nodiscard]] bool is_tight_for_columns() const {
    return !may_stay_.rows && edges_->rows() >= fewest_bidders &&
           edges_->columns - edges_->rows() <= edges_->rows() / 64;
  }

  template <class Price>
  [[nodiscard]] PriceBidding<Work, Price> bidding() const {
    return {*edges_, may_stay_};
  }

  Outcome start_by_bidding() {
    const auto effort = matching_.effort;
    matching_ = Matching<Work>(edges_->rows(), edges_->columns);
    matching_.effort = effort;
    if (!bidding<std::int32_t>().run(matching_) && !may_stay_.rows) {
      blocked_ = unmatchable_rows(*edges_, matching_, matching_.effort);
      if (!blocked_.empty()) {
        return Outcome::blocked;
      }
    }
    const Outcome outcome = finish_bidding(long_in_scans_per_edge * edges_->size());
    if (outcome != Outcome::too_long) {
      return outcome;
    }
    bidding<std::int64_t>().run_finer(matching_);
    return finish_bidding(no_limit);
  }

  Outcome finish_bidding(std::int64_t most_scans) {
    RowStart<Work> start(*edges_, may_stay_.rows, matching_);
    const std::vector<int> left = start.keep_tight_pairs();
    return finish(start.bid_for_columns(left), most_scans);
  }

  /// Drops the rows that found a column along tight edges from `left`.
  void use_tight_paths(const Edges<Work>& edges, bool rows_may_stay, std::vector<int>& left) {
    if (left.empty()) {
      return;
    }
    const TightEdges<Work> tight{matching_, rows_may_stay};
    HopcroftKarp<Work, TightEdges<Work>>(edges, matching_, tight).match(left);
    std::erase_if(left, [&](int row) {
      return matching_.column_of_row[position(row)] != no_match || tight.is_indifferent(row);
    });
  }

  Outcome finish(std::vector<int> left, std::int64_t most_scans) {
    Outcome outcome = find_paths(*edges_, may_stay_.rows, std::move(left), most_scans);
    if (outcome == Outcome::solved && may_stay_.columns) {
      outcome = settle_free_columns();
    }
    return outcome;
  }

  Outcome find_paths(const Edges<Work>& edges,
                     bool rows_may_stay,
                     std::vector<int> left,
                     std::int64_t most_scans) {
    if (left.empty()) {
      return Outcome::solved;
    }
    PathMatcher<Work, Queue> matcher(edges, rows_may_stay, matching_, queue_);
    const Outcome outcome = matcher.match(std::move(left), most_scans);
    blocked_ = matcher.blocked_rows();
    return outcome;
  }

  /// A start may leave prices on columns that stay free. Seen from the other side, such a column is
  /// a row that has not been given up yet.
  Outcome settle_free_columns() {
    std::vector<int> priced{};
    for (int column = 0; column < edges_->columns; ++column) {
      if (matching_.is_free(column) && matching_.column_price[position(column)] < 0) {
        priced.push_back(column);
      }
    }
    if (priced.empty()) {
      return Outcome::solved;
    }
    const Edges<Work> transposed = edges_->transposed();
    matching_.swap_sides();
    use_tight_paths(transposed, true, priced);
    const Outcome outcome = find_paths(transposed, true, std::move(priced), no_limit);
    matching_.swap_sides();
    return outcome;
  }

  const Edges<Work>* edges_ = nullptr;
  FreeSides may_stay_{};
  Queue queue_;
  Matching<Work> matching_;
  std::vector<int> blocked_{};
};

}  // namespace voda::sparse_assignment_detail

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "voda/solvers/impl/sparse_matching.hpp"

namespace voda::sparse_assignment_detail {

/// A number of any type, brought into the safe range of `Work`.
template <class Work>
Work clamped(double value) {
  if constexpr (is_floating_work<Work>) {
    return value;
  } else {
    const auto limit = static_cast<double>(assignment_detail::safe_magnitude<Work>()) / 4;
    return static_cast<Work>(std::clamp(std::floor(value), -limit, limit));
  }
}

/// Good column prices, by an auction with epsilon scaling: D. Bertsekas, "The auction algorithm", Annals of Operations Research 14 (1988).
///
/// Only a start: it runs on costs rounded to whole units whatever `Work` is, and stops when a phase
/// has used up its scans, so that neither ties nor unmatchable rows can hold it up.
/// `Price` is std::int32_t for a fast start, std::int64_t for one that resolves small differences
/// of large costs.
template <class Work, class Price>
class PriceBidding final {
 public:
  PriceBidding(const Edges<Work>& edges, FreeSides may_stay) : edges_(&edges), may_stay_(may_stay) {
    const auto [cheapest, dearest] =
        std::ranges::minmax_element(edges.edges, {}, &Edges<Work>::Edge::cost);
    if (cheapest != edges.edges.end()) {
      lowest_cost_ = cheapest->cost;
    }
    const auto lowest = static_cast<double>(lowest_cost_);
    const double highest =
        dearest != edges.edges.end() ? static_cast<double>(dearest->cost) : lowest;
    const double spread = highest - lowest;
    scale_ = scale_for(spread > 0 ? spread : std::abs(lowest));
    units_ = std::max(Price{1}, in_units(highest - lowest));
    price_of_staying_ = in_units(-lowest);
    offers_.reserve(edges.edges.size());
    for (const auto& edge : edges.edges) {
      offers_.push_back({edge.column, in_units(static_cast<double>(edge.cost) - lowest)});
    }
    columns_.resize(position(edges.columns));
  }

  /// Leaves prices and pairs in `matching`; the pairs are nearly tight. Returns whether every row
  /// found a column or does not want one.
  bool run(Matching<Work>& matching) {
    if (!may_stay_.columns) {
      price_columns();
    }
    const bool all = run_phases(std::max(last_step(), units_ >> coarsest));
    store(matching);
    return all;
  }

  /// The same from the prices in `matching`: good ones need only the finest step; if that does not
  /// get far, steps grow until they do.
  bool run_from_prices(Matching<Work>& matching) {
    take_prices(matching);
    Price step = last_step();
    bool all = run_phase(step, first_scans_per_edge);
    const auto few = few_bidders + position(edges_->rows()) / 1024;
    while (!all && bidders_.size() > few && step < units_ >> coarsest) {
      step <<= coarsest;
      all = run_phase(step, first_scans_per_edge);
    }
    if (step > last_step()) {
      all = run_phases(step >> coarsest);
    }
    store(matching);
    return all;
  }

  /// The same from prices that a run with coarser steps left in `matching`.
  void run_finer(Matching<Work>& matching) {
    take_prices(matching);
    Price step = std::max(last_step(), units_ >> (2 * coarsest));
    run_phase(step, scans_per_edge_when_finer);
    while (step > last_step()) {
      step = std::max(last_step(), step >> coarsest);
      run_phase(step, scans_per_edge_when_finer);
    }
    store(matching);
  }

 private:
  struct Offer {
    int column = 0;
    Price cost = 0;
  };

  struct Column {
    Price price = 0;
    int row = no_match;
  };

  static constexpr bool is_fast = std::is_same_v<Price, std::int32_t>;
  static constexpr int cost_bits = is_fast ? 20 : 44;
  static constexpr int bits_for_ties =
      9;  // a step of 1/512 lets 500 of them on a path add up to < 1
  static constexpr int coarsest =
      4;  // the first step is 1/16 of the largest cost, each next 1/16 of the last
  static constexpr int finest = is_fast ? 13 : cost_bits;
  static constexpr Price lowest_price = -(Price{1} << (cost_bits + 9));
  static constexpr std::int64_t scans_per_edge = 16;
  static constexpr std::int64_t scans_per_edge_when_finer = 32;
  static constexpr std::int64_t first_scans_per_edge = 4;
  static constexpr std::size_t few_bidders = 8;

  /// A power of two, so that nothing is rounded on the way back.
  static double scale_for(double spread) {
    int exponent = 0;
    std::frexp(spread, &exponent);
    const int room = std::clamp(cost_bits - exponent, -1000, 1000);
    return std::ldexp(1.0, is_floating_work<Work> ? room : std::min(room, bits_for_ties));
  }

  /// Rounded down, and cut where bids end anyway.
  [[nodiscard]] Price in_units(double amount) const {
    constexpr auto limit = static_cast<double>(-lowest_price);
    return static_cast<Price>(std::clamp(std::floor(amount * scale_), -limit, limit));
  }

  bool run_phases(Price step) {
    bool all = run_phase(step, scans_per_edge);
    while (all && step > last_step()) {
      step = std::max(last_step(), step >> coarsest);
      all = run_phase(step, scans_per_edge);
    }
    return all;
  }

  [[nodiscard]] Price last_step() const { return std::max(Price{1}, units_ >> finest); }

  void take_prices(const Matching<Work>& matching) {
    // Where all columns are needed, only differences of prices matter.
    double highest = 0;
    if (!may_stay_.columns && !matching.column_price.empty()) {
      highest = static_cast<double>(std::ranges::max(matching.column_price));
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      columns_[column].price =
          in_units(static_cast<double>(matching.column_price[column]) - highest);
    }
  }

  void store(Matching<Work>& matching) {
    std::ranges::fill(matching.column_of_row, no_match);
    std::ranges::fill(matching.row_of_column, no_match);
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      Work& price = matching.column_price[column];
      price = clamped<Work>(static_cast<double>(columns_[column].price) / scale_);
      if (may_stay_.rows) {
        price = std::max(price, lowest_cost_);  // a step may have passed what anybody would pay
      }
      if (columns_[column].row != no_match) {
        matching.give(columns_[column].row, static_cast<int>(column));
      }
    }
    matching.effort.scans += std::exchange(scans_, 0);
  }

  void price_columns() {
    for (Column& column : columns_) {
      column.price = std::numeric_limits<Price>::max();
    }
    for (const Offer& offer : offers_) {
      Price& price = columns_[position(offer.column)].price;
      price = std::min(price, offer.cost);
    }
    for (Column& column : columns_) {
      column.price = std::min(column.price, Price{1} << cost_bits);
    }
    scans_ += edges_->size();
  }

  /// Lets all rows bid anew in rounds; a bid passes the second best offer by `step`.
  bool run_phase(Price step, std::int64_t most_scans_per_edge) {
    for (Column& column : columns_) {
      column.row = no_match;
    }
    bidders_.resize(position(edges_->rows()));
    for (std::size_t row = 0; row < bidders_.size(); ++row) {
      bidders_[row] = static_cast<int>(row);
    }
    const std::int64_t limit = scans_ + most_scans_per_edge * edges_->size();
    while (!bidders_.empty() && scans_ < limit) {
      displaced_.clear();
      for (const int row : bidders_) {
        const int next = bid(row, step);
        if (next != no_match) {
          displaced_.push_back(next);
        }
      }
      bidders_.swap(displaced_);
    }
    return bidders_.empty();
  }

  /// Returns the row that must bid again: the one displaced, or `row` itself where it cannot bid.
  int bid(int row, Price step) {
    constexpr Price none = std::numeric_limits<Price>::max();
    const int from = edges_->row_begin[position(row)];
    const int end = edges_->row_begin[position(row) + 1];
    scans_ += end - from;
    Price best = may_stay_.rows ? price_of_staying_ : none;
    Price second = none;
    int target = no_match;
    const Column* columns = columns_.data();
    for (const Offer *offer = offers_.data() + from, *last = offers_.data() + end; offer != last;
         ++offer) {
      const Price value = offer->cost - columns[offer->column].price;
      const Price larger = value > best ? value : best;
      second = second < larger ? second : larger;
      target = value < best ? offer->column : target;
      best = value < best ? value : best;
    }
    if (target == no_match) {
      ++scans_;
      return may_stay_.rows ? no_match : row;
    }
    Column& column = columns_[position(target)];
    const Price gap = second == none ? 2 * units_ + 16 * step : second - best;
    if (column.price < lowest_price + gap) {
      return row;
    }
    column.price -= gap + step;
    return std::exchange(column.row, row);
  }

  const Edges<Work>* edges_ = nullptr;
  FreeSides may_stay_{};
  Work lowest_cost_ = 0;
  double scale_ = 1;
  Price units_ = 1;  // the difference between the dearest and the cheapest edge
  Price price_of_staying_ = 0;
  std::vector<Offer> offers_{};
  std::vector<Column> columns_{};
  std::vector<int> bidders_{};
  std::vector<int> displaced_{};
  std::int64_t scans_ = 0;
};

}  // namespace voda::sparse_assignment_detail

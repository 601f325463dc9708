#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "voda/solvers/impl/price_range.hpp"

namespace voda::assignment_detail {

inline constexpr double largest_whole = 9007199254740992.0;  // 2^53
inline constexpr double largest_fraction = 0x1p990;          // a sum of 2^33 of them is finite

/// What the costs of one problem have in common.
struct CostRange {
  bool whole = true;       ///< every cost is a whole number of at most 2^53
  double magnitude = 0.0;  ///< largest absolute cost
};

/// Notes one cost; throws std::invalid_argument that names it by `where` and its numbers.
template <class Number>
void include_cost(CostRange& range, Number cost, std::string_view where, int row, int column) {
  const double magnitude = std::abs(static_cast<double>(cost));
  constexpr double exact_limit = is_floating_work<Number> ? largest_fraction : largest_whole;
  if (!(magnitude <= exact_limit) || static_cast<Number>(exact_limit) < cost) {
    throw std::invalid_argument(fmt::format("{} row {}, column {}: {} is not {}",
                                            where,
                                            row,
                                            column,
                                            cost,
                                            is_floating_work<Number>
                                                ? "a finite number of at most 2^990 in magnitude"
                                                : "a whole number of at most 2^53 in magnitude"));
  }
  range.magnitude = magnitude > range.magnitude ? magnitude : range.magnitude;
  if constexpr (is_floating_work<Number>) {
    const bool whole =
        magnitude <= largest_whole && !(std::trunc(cost) < cost) && !(cost < std::trunc(cost));
    range.whole = range.whole && whole;
  }
}

/// Whether costs of this magnitude leave the smaller type room for prices.
template <class Work>
bool may_fit(const CostRange& range) {
  return range.magnitude <= static_cast<double>(safe_magnitude<Work>());
}

/// A price or sum in the type of the costs; throws std::overflow_error if it does not fit.
template <class Number, class Work>
Number exact_number(Work value, std::string_view what) {
  if constexpr (std::is_same_v<Work, Int128> && !is_floating_work<Number>) {
    if (value > std::numeric_limits<Number>::max() || value < std::numeric_limits<Number>::min()) {
      throw std::overflow_error(
          fmt::format("{} of about {} does not fit in 64 bits", what, static_cast<double>(value)));
    }
  }
  return static_cast<Number>(value);
}

}  // namespace voda::assignment_detail

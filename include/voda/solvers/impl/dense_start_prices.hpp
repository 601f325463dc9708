#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "voda/solvers/impl/dense_rows.hpp"
#include "voda/solvers/impl/price_range.hpp"

namespace voda::assignment_detail {

/// How far from 0 a solver starts, given the largest absolute cost; what is beyond is cut off, which
/// costs time only. Doubles must not lose the costs beside the prices.
template <class Work>
Work most_start_price(double largest_cost) {
  if constexpr (is_floating_work<Work>) {
    return 4 * largest_cost;
  } else {
    return static_cast<Work>(safe_magnitude<Work>() / 2);
  }
}

/// The prices times `sign`, rounded and cut off to what Work may hold.
template <class Work, class Number>
std::vector<Work> start_prices_in(std::span<const Number> prices, Work sign, Work most) {
  const auto limit = static_cast<Number>(most);
  std::vector<Work> result(prices.size());
  for (std::size_t k = 0; k < prices.size(); ++k) {
    const auto price = static_cast<Work>(std::clamp(prices[k], static_cast<Number>(-limit), limit));
    result[k] = static_cast<Work>(sign * price);
  }
  return result;
}

/// The prices of the longer side that fit best to those of the shorter, and are not above 0.
template <class Work>
std::vector<Work> long_prices(const DenseRows<Work>& rows, const std::vector<Work>& short_prices) {
  std::vector<Work> costs = rows.scratch();
  std::vector<Work> result(static_cast<std::size_t>(rows.columns()), 0);
  for (int row = 0; row < rows.rows(); ++row) {
    rows.read(row, costs.data());
    const Work price = short_prices[static_cast<std::size_t>(row)];
    for (std::size_t column = 0; column < result.size(); ++column) {
      result[column] = std::min(result[column], static_cast<Work>(costs[column] - price));
    }
  }
  return result;
}

}  // namespace voda::assignment_detail

#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>

#include <fmt/format.h>

#include "voda/solvers/impl/price_range.hpp"

namespace voda::assignment_detail {

/// Throws std::invalid_argument unless there are no prices or one finite price per column.
template <class Number>
void check_start_prices(std::span<const Number> prices, int columns) {
  if (!prices.empty() && prices.size() != static_cast<std::size_t>(columns)) {
    throw std::invalid_argument(
        fmt::format("start_prices: {} given, expected none or one for each of {} columns",
                    prices.size(),
                    columns));
  }
  if constexpr (is_floating_work<Number>) {
    for (std::size_t column = 0; column < prices.size(); ++column) {
      if (!std::isfinite(prices[column])) {
        throw std::invalid_argument(
            fmt::format("start_prices: column {}: {} is not a finite number; expected one",
                        column,
                        prices[column]));
      }
    }
  }
}

}  // namespace voda::assignment_detail

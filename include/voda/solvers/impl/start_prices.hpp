#pragma once

#include <algorithm>
#include <cmath>

#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/sparse_matching.hpp"

namespace voda::sparse_assignment_detail {

using assignment_detail::Int128;

/// Prices that a search can start from. Any would do: they are brought into a range in which sums
/// stay exact, or, for fractions, as precise as those of the costs.
template <class Work>
struct PriceWindow {
  Work lowest = 0;
  Work highest = 0;

  [[nodiscard]] PriceWindow mirrored() const { return {-highest, -lowest}; }

  template <class Number>
  [[nodiscard]] Work nearest(Number price) const {
    if constexpr (is_floating_work<Work>) {
      return std::clamp(static_cast<Work>(price), lowest, highest);
    } else if constexpr (is_floating_work<Number>) {
      const double whole = std::floor(price);
      if (whole <= static_cast<double>(lowest)) {
        return lowest;
      }
      return whole >= static_cast<double>(highest) ? highest : static_cast<Work>(whole);
    } else {
      const auto wide = static_cast<Int128>(price);
      return static_cast<Work>(
          std::clamp(wide, static_cast<Int128>(lowest), static_cast<Int128>(highest)));
    }
  }
};

/// `magnitude`: largest absolute cost. Prices of columns that may stay free are never > 0, and if
/// rows may as well, no price needs to be lower than the cheapest edge.
template <class Work, class Number>
PriceWindow<Work> price_window(double magnitude, FreeSides may_stay) {
  double limit = 16 * magnitude;
  if constexpr (!is_floating_work<Work>) {
    const auto room = static_cast<double>(assignment_detail::safe_magnitude<Work>()) / 4;
    limit = is_floating_work<Number> ? std::min(limit, room) : room;
  }
  const double lowest = may_stay.rows ? std::min(magnitude, limit) : limit;
  return {static_cast<Work>(-lowest), may_stay.columns ? Work{0} : static_cast<Work>(limit)};
}

}  // namespace voda::sparse_assignment_detail

#pragma once

#include "voda/solvers/assignment.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "voda/config.hpp"
#include "voda/solvers/impl/exact_number.hpp"
#include "voda/solvers/impl/oriented_problem.hpp"
#include "voda/solvers/impl/start_price_check.hpp"

namespace voda::assignment_detail {

/// Throws std::invalid_argument that names the first cost out of range.
template <class Number>
CostRange checked_range(const CostRef<Number>& cost) {
  CostRange range{};
  for (int row = 0; row < cost.rows(); ++row) {
    for (int column = 0; column < cost.cols(); ++column) {
      include_cost(range, cost(row, column), "cost at", row, column);
    }
  }
  return range;
}

template <class Number>
void check_shape(const CostRef<Number>& cost) {
  constexpr Eigen::Index most = std::numeric_limits<int>::max() - scan_block;
  if (cost.rows() > most || cost.cols() > most) {
    throw std::invalid_argument(fmt::format(
        "cost has {} rows and {} columns: expected at most {}", cost.rows(), cost.cols(), most));
  }
}

template <class Number>
AssignmentResult<Number> solve_dense(const CostRef<Number>& cost,
                                     Objective objective,
                                     std::span<const Number> start_prices) {
  check_shape<Number>(cost);
  check_start_prices<Number>(start_prices, static_cast<int>(cost.cols()));
  std::optional<AssignmentResult<Number>> result =
      OrientedProblem<Number, std::int32_t>(cost, objective).solve(start_prices);
  if (result) {
    return *std::move(result);
  }
  const CostRange range = checked_range<Number>(cost);
  if constexpr (is_floating_work<Number>) {
    if (!range.whole) {
      return OrientedProblem<Number, Number>(cost, objective, range.magnitude)
          .solve(start_prices)
          .value();
    }
  }
  result = OrientedProblem<Number, std::int64_t>(cost, objective).solve(start_prices);
  // In a dense problem no two prices of a side differ by more than two costs, so 64 bits hold them.
  VODA_ASSERT(result.has_value(), "prices of costs up to 2^53 fit in 64 bits");
  return *std::move(result);
}

}  // namespace voda::assignment_detail

namespace voda::solvers {

VODA_INLINE AssignmentResult<std::int64_t> solve_assignment(
    const Eigen::Ref<const CostMatrix<std::int64_t>>& cost,
    Objective objective,
    std::span<const std::int64_t> start_prices) {
  return assignment_detail::solve_dense<std::int64_t>(cost, objective, start_prices);
}

VODA_INLINE AssignmentResult<double> solve_assignment(
    const Eigen::Ref<const CostMatrix<double>>& cost,
    Objective objective,
    std::span<const double> start_prices) {
  return assignment_detail::solve_dense<double>(cost, objective, start_prices);
}

}  // namespace voda::solvers

#pragma once

#include "voda/solvers/assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/config.hpp"
#include "voda/solvers/impl/dense_solver.hpp"
#include "voda/solvers/impl/exact_number.hpp"

namespace voda::assignment_detail {

using solvers::AssignmentResult;
using solvers::CostMatrix;
using solvers::Objective;
using solvers::Status;

template <class Number>
using CostRef = Eigen::Ref<const CostMatrix<Number>>;

template <class Number>
CostRange checked_range(const CostRef<Number>& cost) {
  constexpr Eigen::Index most_cells = std::numeric_limits<int>::max();
  if (cost.rows() > most_cells || cost.cols() > most_cells) {
    throw std::invalid_argument(fmt::format("cost has {} rows and {} columns: expected at most {}",
                                            cost.rows(),
                                            cost.cols(),
                                            most_cells));
  }
  CostRange range{};
  for (int row = 0; row < cost.rows(); ++row) {
    for (int column = 0; column < cost.cols(); ++column) {
      include_cost(range, cost(row, column), "cost at", row, column);
    }
  }
  return range;
}

/// The matrix as the solver wants it: rows the shorter side, to be minimised.
template <class Work, class Number>
std::unique_ptr<Work[]> oriented_copy(const CostRef<Number>& cost, Objective objective) {
  const Eigen::Index rows = cost.rows();
  const Eigen::Index columns = cost.cols();
  const bool tall = rows > columns;
  const Work sign = objective == Objective::minimize ? Work{1} : Work{-1};
  auto copy = std::make_unique_for_overwrite<Work[]>(static_cast<std::size_t>(rows * columns));
  constexpr Eigen::Index tile_side = 32;  // a tile of both matrices fits the first-level cache
  for (Eigen::Index top = 0; top < rows; top += tile_side) {
    for (Eigen::Index left = 0; left < columns; left += tile_side) {
      const Eigen::Index bottom = std::min(rows, top + tile_side);
      const Eigen::Index right = std::min(columns, left + tile_side);
      for (Eigen::Index row = top; row < bottom; ++row) {
        Work* to = copy.get() + (tall ? left * rows + row : row * columns + left);
        const Eigen::Index step = tall ? rows : 1;
        for (Eigen::Index column = left; column < right; ++column, to += step) {
          *to = static_cast<Work>(static_cast<Work>(cost(row, column)) * sign);
        }
      }
    }
  }
  return copy;
}

template <class Number>
Number sum_of_matched(const CostRef<Number>& cost, std::span<const int> column_of_row) {
  using Sum = std::conditional_t<is_floating_work<Number>, Number, Int128>;
  Sum sum = 0;
  for (int row = 0; row < cost.rows(); ++row) {
    const int column = column_of_row[static_cast<std::size_t>(row)];
    if (column != no_match) {
      sum += static_cast<Sum>(cost(row, column));
    }
  }
  return exact_number<Number>(sum, "the objective");
}

template <class Number, class Work>
AssignmentResult<Number> to_result(const CostRef<Number>& cost,
                                   Objective objective,
                                   const DenseSolver<Work>& solver) {
  const bool tall = cost.rows() > cost.cols();
  const Work sign = objective == Objective::minimize ? Work{1} : Work{-1};
  std::vector<Number> short_price{};
  std::vector<Number> long_price{};
  const auto longer = static_cast<std::size_t>(std::max(cost.rows(), cost.cols()));
  std::vector<int> partner(longer, no_match);
  const auto matched = solver.column_of_row();
  for (std::size_t k = 0; k < matched.size(); ++k) {
    const Work price = solver.row_price(static_cast<int>(k)) * sign;
    short_price.push_back(exact_number<Number>(price, "a price"));
    partner[static_cast<std::size_t>(matched[k])] = static_cast<int>(k);
  }
  for (const Work price : solver.column_price()) {
    // A negated zero would print as -0.
    const Work signed_price = price < 0 || price > 0 ? price * sign : Work{0};
    long_price.push_back(exact_number<Number>(signed_price, "a price"));
  }
  AssignmentResult<Number> result{.status = Status::optimal};
  if (tall) {
    result.column_of_row = std::move(partner);
    std::swap(short_price, long_price);
  } else {
    result.column_of_row.assign(matched.begin(), matched.end());
  }
  result.row_price = std::move(short_price);
  result.column_price = std::move(long_price);
  result.objective = sum_of_matched<Number>(cost, result.column_of_row);
  return result;
}

template <class Work, class Number>
std::optional<AssignmentResult<Number>> solve_in(const CostRef<Number>& cost, Objective objective) {
  const auto rows = static_cast<int>(std::min(cost.rows(), cost.cols()));
  const auto columns = static_cast<int>(std::max(cost.rows(), cost.cols()));
  DenseView<Work> view{nullptr, rows, columns, static_cast<std::size_t>(columns)};
  std::unique_ptr<Work[]> copy{};
  if constexpr (std::is_same_v<Work, Number>) {
    if (objective == Objective::minimize && cost.rows() <= cost.cols()) {
      view.first = cost.data();
      view.stride = static_cast<std::size_t>(cost.outerStride());
    }
  }
  if (view.first == nullptr) {
    copy = oriented_copy<Work, Number>(cost, objective);
    view.first = copy.get();
  }
  DenseSolver<Work> solver(view);
  if (!solver.solve()) {
    return std::nullopt;
  }
  return to_result<Number>(cost, objective, solver);
}

template <class Number>
AssignmentResult<Number> solve_dense(const CostRef<Number>& cost, Objective objective) {
  const CostRange range = checked_range<Number>(cost);
  std::optional<AssignmentResult<Number>> result{};
  if constexpr (is_floating_work<Number>) {
    if (!range.whole) {
      return *solve_in<Number>(cost, objective);
    }
  }
  if (may_fit<std::int32_t>(range)) {
    result = solve_in<std::int32_t, Number>(cost, objective);
  }
  if (!result) {
    result = solve_in<std::int64_t, Number>(cost, objective);
  }
  // In a dense problem no two prices of a side differ by more than two costs, so 64 bits hold them.
  VODA_ASSERT(result.has_value(), "prices of costs up to 2^53 fit in 64 bits");
  return *std::move(result);
}

}  // namespace voda::assignment_detail

namespace voda::solvers {

VODA_INLINE AssignmentResult<std::int64_t> solve_assignment(
    const Eigen::Ref<const CostMatrix<std::int64_t>>& cost, Objective objective) {
  return assignment_detail::solve_dense<std::int64_t>(cost, objective);
}

VODA_INLINE AssignmentResult<double> solve_assignment(
    const Eigen::Ref<const CostMatrix<double>>& cost, Objective objective) {
  return assignment_detail::solve_dense<double>(cost, objective);
}

}  // namespace voda::solvers

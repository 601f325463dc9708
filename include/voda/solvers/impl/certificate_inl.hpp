#pragma once

#include "voda/solvers/certificate.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "voda/config.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/sparse_assignment_inl.hpp"

namespace voda::certificate_detail {

using assignment_detail::Int128;
using assignment_detail::is_floating_work;
using solvers::AssignmentResult;
using solvers::Coverage;
using solvers::no_match;
using solvers::Objective;
using solvers::Status;

using Fault = std::optional<std::string>;

/// Sums are formed in a type that cannot overflow.
template <class Number>
using Sum = std::conditional_t<is_floating_work<Number>, Number, Int128>;

struct Shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
  Coverage coverage = Coverage::full;

  [[nodiscard]] bool rows_may_stay() const {
    return coverage == Coverage::partial || rows > columns;
  }

  [[nodiscard]] bool columns_may_stay() const {
    return coverage == Coverage::partial || columns > rows;
  }
};

template <class Number>
class Checker final {
 public:
  Checker(const Shape& shape,
          Objective objective,
          const AssignmentResult<Number>& result,
          Sum<Number> tolerance)
      : shape_(shape),
        sign_(objective == Objective::minimize ? 1 : -1),
        result_(&result),
        tolerance_(tolerance) {}

  /// Must find no fault before a pair is looked at.
  [[nodiscard]] Fault check_shape() {
    if (result_->status != Status::optimal) {
      return "the status is not optimal";
    }
    if (result_->column_of_row.size() != shape_.rows || result_->row_price.size() != shape_.rows ||
        result_->column_price.size() != shape_.columns) {
      return fmt::format("sizes {}, {}, {} do not match {} rows and {} columns",
                         result_->column_of_row.size(),
                         result_->row_price.size(),
                         result_->column_price.size(),
                         shape_.rows,
                         shape_.columns);
    }
    row_of_column_.assign(shape_.columns, no_match);
    is_found_.assign(shape_.rows, 0);
    matched_cost_.assign(shape_.rows, 0);
    for (std::size_t row = 0; row < shape_.rows; ++row) {
      const int column = result_->column_of_row[row];
      if (column == no_match) {
        continue;
      }
      if (column < 0 || static_cast<std::size_t>(column) >= shape_.columns) {
        return fmt::format("row {} has column {}, which does not exist", row, column);
      }
      int& owner = row_of_column_[static_cast<std::size_t>(column)];
      if (owner != no_match) {
        return fmt::format("rows {} and {} both have column {}", owner, row, column);
      }
      owner = static_cast<int>(row);
    }
    return check_free_sides();
  }

  void look_at(int row, int column, Number cost) {
    const auto r = static_cast<std::size_t>(row);
    const Sum<Number> above = sign_ * (price_of_pair(row, column) - Sum<Number>{cost});
    if (!(above <= tolerance_) && !fault_) {  // also for NaN, here and below
      fault_ =
          fmt::format("row {}, column {}: the prices are beyond the cost {}", row, column, cost);
    }
    if (result_->column_of_row[r] == column) {
      const Sum<Number> signed_cost = sign_ * Sum<Number>{cost};
      matched_cost_[r] = is_found_[r] != 0 ? std::min(matched_cost_[r], signed_cost) : signed_cost;
      is_found_[r] = 1;
    }
  }

  /// After every pair was looked at.
  [[nodiscard]] Fault check_totals() {
    Sum<Number> cost{0};
    for (std::size_t row = 0; row < shape_.rows; ++row) {
      const int column = result_->column_of_row[row];
      if (column == no_match) {
        continue;
      }
      if (is_found_[row] == 0) {
        return fmt::format("row {} has column {}, which is forbidden", row, column);
      }
      const Sum<Number> slack =
          matched_cost_[row] - sign_ * price_of_pair(static_cast<int>(row), column);
      if (!(slack <= tolerance_ && -slack <= tolerance_)) {
        return fmt::format("row {} has column {}, but their prices leave slack", row, column);
      }
      cost += matched_cost_[row];
    }
    Sum<Number> prices{0};
    for (const Number price : result_->row_price) {
      prices += price;
    }
    for (const Number price : result_->column_price) {
      prices += price;
    }
    const Sum<Number> allowed = tolerance_ * static_cast<Sum<Number>>(shape_.rows + shape_.columns);
    const Sum<Number> objective{result_->objective};
    const Sum<Number> from_cost = objective - sign_ * cost;
    const Sum<Number> from_prices = objective - prices;
    if (!(from_cost <= allowed && -from_cost <= allowed)) {
      return fmt::format("the objective {} is not the cost of the matched pairs",
                         result_->objective);
    }
    if (!(from_prices <= allowed && -from_prices <= allowed)) {
      return fmt::format("the objective {} is not the sum of the prices", result_->objective);
    }
    return fault_;
  }

 private:
  Sum<Number> price_of_pair(int row, int column) const {
    return Sum<Number>{result_->row_price[static_cast<std::size_t>(row)]} +
           Sum<Number>{result_->column_price[static_cast<std::size_t>(column)]};
  }

  [[nodiscard]] Fault check_free_sides() const {
    const Fault rows =
        check_side("row", shape_.rows_may_stay(), result_->column_of_row, result_->row_price);
    return rows ? rows
                : check_side(
                      "column", shape_.columns_may_stay(), row_of_column_, result_->column_price);
  }

  Fault check_side(std::string_view side,
                   bool may_stay,
                   const std::vector<int>& partner,
                   const std::vector<Number>& price) const {
    for (std::size_t k = 0; k < partner.size(); ++k) {
      const bool is_free = partner[k] == no_match;
      if (is_free && !may_stay) {
        return fmt::format("{} {} is not matched", side, k);
      }
      const Sum<Number> signed_price = sign_ * Sum<Number>{price[k]};
      if (may_stay && !(signed_price <= 0 && (!is_free || signed_price >= 0))) {
        return fmt::format("{} {} may stay free, but its price is {}", side, k, price[k]);
      }
    }
    return std::nullopt;
  }

  Shape shape_{};
  Sum<Number> sign_{1};
  const AssignmentResult<Number>* result_ = nullptr;
  Sum<Number> tolerance_{0};
  std::vector<int> row_of_column_{};
  std::vector<char> is_found_{};
  std::vector<Sum<Number>> matched_cost_{};
  Fault fault_{};
};

template <class Number>
Fault dense_fault(const Eigen::Ref<const solvers::CostMatrix<Number>>& cost,
                  Objective objective,
                  const AssignmentResult<Number>& result,
                  Sum<Number> tolerance) {
  const Shape shape{.rows = static_cast<std::size_t>(cost.rows()),
                    .columns = static_cast<std::size_t>(cost.cols())};
  Checker<Number> checker(shape, objective, result, tolerance);
  if (Fault fault = checker.check_shape()) {
    return fault;
  }
  for (int row = 0; row < cost.rows(); ++row) {
    for (int column = 0; column < cost.cols(); ++column) {
      checker.look_at(row, column, cost(row, column));
    }
  }
  return checker.check_totals();
}

template <class Number>
Fault sparse_fault(const solvers::SparseCostView<Number>& cost,
                   Objective objective,
                   Coverage coverage,
                   const AssignmentResult<Number>& result,
                   Sum<Number> tolerance) {
  const Shape shape{.rows = static_cast<std::size_t>(cost.rows()),
                    .columns = static_cast<std::size_t>(cost.columns),
                    .coverage = coverage};
  Checker<Number> checker(shape, objective, result, tolerance);
  if (Fault fault = checker.check_shape()) {
    return fault;
  }
  sparse_assignment_detail::for_each_edge(
      cost, [&](int row, int column, Number value) { checker.look_at(row, column, value); });
  return checker.check_totals();
}

template <class Number>
Fault infeasibility(const solvers::SparseCostView<Number>& cost,
                    const AssignmentResult<Number>& result) {
  if (result.status != Status::infeasible) {
    return "the status is not infeasible";
  }
  const std::vector<int>& rows = result.unmatchable_rows;
  const auto increases = [](const std::vector<int>& list) {
    return std::ranges::adjacent_find(list, std::greater_equal<>()) == list.end();
  };
  if (!increases(rows) || (!rows.empty() && (rows.front() < 0 || rows.back() >= cost.rows()))) {
    return "the rows are not ascending row numbers";
  }
  std::vector<int> columns{};
  sparse_assignment_detail::for_each_edge(cost, [&](int row, int column, Number) {
    if (std::ranges::binary_search(rows, row)) {
      columns.push_back(column);
    }
  });
  std::ranges::sort(columns);
  columns.erase(std::ranges::unique(columns).begin(), columns.end());
  if (columns != result.shared_columns) {
    return "the columns are not those that the rows may take";
  }
  if (std::ssize(rows) - std::ssize(columns) <= std::max(0, cost.rows() - cost.columns)) {
    return fmt::format("{} rows can make do with {} columns", rows.size(), columns.size());
  }
  return std::nullopt;
}

}  // namespace voda::certificate_detail

namespace voda::solvers {

VODA_INLINE std::optional<std::string> certificate_fault(
    const Eigen::Ref<const CostMatrix<std::int64_t>>& cost,
    Objective objective,
    const AssignmentResult<std::int64_t>& result) {
  return certificate_detail::dense_fault<std::int64_t>(cost, objective, result, 0);
}

VODA_INLINE std::optional<std::string> certificate_fault(
    const Eigen::Ref<const CostMatrix<double>>& cost,
    Objective objective,
    const AssignmentResult<double>& result,
    double tolerance) {
  return certificate_detail::dense_fault<double>(cost, objective, result, tolerance);
}

VODA_INLINE std::optional<std::string> certificate_fault(
    const SparseCostView<std::int64_t>& cost,
    Objective objective,
    Coverage coverage,
    const AssignmentResult<std::int64_t>& result) {
  return certificate_detail::sparse_fault<std::int64_t>(cost, objective, coverage, result, 0);
}

VODA_INLINE std::optional<std::string> certificate_fault(const SparseCostView<double>& cost,
                                                         Objective objective,
                                                         Coverage coverage,
                                                         const AssignmentResult<double>& result,
                                                         double tolerance) {
  return certificate_detail::sparse_fault<double>(cost, objective, coverage, result, tolerance);
}

VODA_INLINE std::optional<std::string> infeasibility_fault(
    const SparseCostView<std::int64_t>& cost, const AssignmentResult<std::int64_t>& result) {
  return certificate_detail::infeasibility(cost, result);
}

VODA_INLINE std::optional<std::string> infeasibility_fault(const SparseCostView<double>& cost,
                                                           const AssignmentResult<double>& result) {
  return certificate_detail::infeasibility(cost, result);
}

}  // namespace voda::solvers

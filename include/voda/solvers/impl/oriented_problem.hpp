#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/impl/core_solver.hpp"
#include "voda/solvers/impl/dense_rows.hpp"
#include "voda/solvers/impl/dense_solver.hpp"
#include "voda/solvers/impl/dense_start_prices.hpp"
#include "voda/solvers/impl/exact_number.hpp"
#include "voda/solvers/impl/monge.hpp"
#include "voda/solvers/impl/row_kernels.hpp"
#include "voda/solvers/status.hpp"

namespace voda::assignment_detail {

using solvers::AssignmentResult;
using solvers::Objective;
using solvers::Status;

template <class Number>
using CostRef =
    Eigen::Ref<const Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

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

/// One dense problem as the solvers see it: rows are the shorter side, to be minimised.
template <class Number, class Work>
class OrientedProblem final {
 public:
  /// `largest_cost` in magnitude; only floating numbers need it.
  OrientedProblem(const CostRef<Number>& cost, Objective objective, double largest_cost = 0.0)
      : cost_(&cost),
        is_tall_(cost.rows() > cost.cols()),
        rows_(static_cast<int>(std::min(cost.rows(), cost.cols()))),
        columns_(static_cast<int>(std::max(cost.rows(), cost.cols()))),
        sign_(objective == Objective::minimize ? Work{1} : Work{-1}),
        largest_cost_(largest_cost) {}

  /// Nothing if a cost or a price does not fit Work.
  [[nodiscard]] std::optional<AssignmentResult<Number>> solve(
      std::span<const Number> start_prices) {
    const bool is_warm = !start_prices.empty() && rows_ > 0;
    if constexpr (!is_floating_work<Work>) {
      std::optional<AssignmentResult<Number>> result;
      if (rows_ == columns_)
        result = solve_monge();
      if (result)
        return result;
    }
    if (is_warm || columns_ >= fewest_core_columns) {
      return solve_by_core(start_prices);
    }
    return solve_whole({});
  }

 private:
  /// Nothing if it is no such array.
  std::optional<AssignmentResult<Number>> solve_monge() {
    MongeArray<Work> array({cost_->data(), rows_, columns_, cost_->outerStride(), sign_});
    const auto matching = array.solve();
    effort_.scans += array.scans();
    return matching ? std::optional(to_result(*matching)) : std::nullopt;
  }

  std::optional<AssignmentResult<Number>> solve_by_core(std::span<const Number> start_prices) {
    if (is_tall_ && !copy()) {
      return std::nullopt;
    }
    const DenseRows<Work> rows =
        is_tall_ ? DenseRows<Work>(copy_.get(), rows_, columns_, columns_, Work{1})
                 : DenseRows<Work>(cost_->data(), rows_, columns_, cost_->outerStride(), sign_);
    CoreSolver<Work> solver(rows);
    const bool is_warm = start(solver, rows, start_prices);
    const Outcome outcome = solver.solve();
    if (outcome == Outcome::solved) {
      add(solver.effort());
      return to_result(solver.matching());
    }
    if (outcome == Outcome::too_long) {
      const bool is_valid = !is_warm || rows_ == columns_;
      add(solver.effort());
      return solve_whole(is_valid ? solver.matching() : Matching<Work>{});
    }
    return std::nullopt;
  }

  /// Returns whether the solver starts from prices.
  bool start(CoreSolver<Work>& solver,
             const DenseRows<Work>& rows,
             std::span<const Number> start_prices) {
    if (start_prices.empty()) {
      return false;
    }
    const Work most = most_start_price<Work>(largest_cost_);
    const std::vector<Work> given = start_prices_in<Work>(start_prices, sign_, most);
    if (!is_tall_) {
      return solver.start_from(given, most);
    }
    effort_.scans += std::int64_t{rows_} * columns_;
    return solver.start_from(long_prices(rows, given), most);
  }

  std::optional<AssignmentResult<Number>> solve_whole(Matching<Work> start) {
    if (copy_ == nullptr && !copy()) {
      return std::nullopt;
    }
    DenseSolver<Work> solver({copy_.get(), rows_, columns_, static_cast<std::size_t>(columns_)},
                             std::move(start));
    if (!solver.solve()) {
      return std::nullopt;
    }
    add(solver.effort());
    return to_result(solver.matching());
  }

  void add(const AssignmentEffort& effort) {
    effort_.searches += effort.searches;
    effort_.scans += effort.scans;
    effort_.augmentations += effort.augmentations;
  }

  /// Returns false if a cost does not fit.
  bool copy() {
    copy_ = std::make_unique_for_overwrite<Work[]>(static_cast<std::size_t>(rows_) *
                                                   static_cast<std::size_t>(columns_));
    return is_tall_ ? copy_transposed() : copy_rows();
  }

  bool copy_rows() {
    for (int row = 0; row < rows_; ++row) {
      if (!convert(
              cost_->data() + row * cost_->outerStride(),
              columns_,
              sign_,
              copy_.get() + static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_))) {
        return false;
      }
    }
    return true;
  }

  bool copy_transposed() {
    for (Eigen::Index top = 0; top < columns_; top += tile_side) {
      for (Eigen::Index left = 0; left < rows_; left += tile_side) {
        if (!copy_tile(top, left)) {
          return false;
        }
      }
    }
    return true;
  }

  bool copy_tile(Eigen::Index top, Eigen::Index left) {
    std::array<Work, tile_side * tile_side> tile{};
    const auto height = std::min<Eigen::Index>(tile_side, columns_ - top);
    const auto width = std::min<Eigen::Index>(tile_side, rows_ - left);
    bool fits = true;
    for (Eigen::Index row = 0; row < height; ++row) {
      const Number* from = cost_->data() + (top + row) * cost_->outerStride() + left;
      Work* to = tile.data() + row * static_cast<Eigen::Index>(tile_side);
      fits = convert(from, static_cast<int>(width), sign_, to) && fits;
    }
    for (Eigen::Index column = 0; column < width; ++column) {
      Work* to = copy_.get() + (left + column) * columns_ + top;
      for (Eigen::Index row = 0; row < height; ++row) {
        to[row] =
            tile[static_cast<std::size_t>(row) * tile_side + static_cast<std::size_t>(column)];
      }
    }
    return fits;
  }

  [[nodiscard]] AssignmentResult<Number> to_result(const Matching<Work>& matching) const {
    std::vector<Number> short_price{};
    short_price.reserve(matching.column_of_row.size());
    for (std::size_t row = 0; row < matching.column_of_row.size(); ++row) {
      const int column = matching.column_of_row[row];
      const Number given = is_tall_ ? (*cost_)(column, static_cast<int>(row))
                                    : (*cost_)(static_cast<int>(row), column);
      const Work cost = static_cast<Work>(static_cast<Work>(given) * sign_);
      short_price.push_back(price_of(cost - matching.price[static_cast<std::size_t>(column)]));
    }
    std::vector<Number> long_price{};
    long_price.reserve(matching.price.size());
    for (const Work price : matching.price) {
      long_price.push_back(price_of(price));
    }
    AssignmentResult<Number> result{.status = Status::optimal};
    result.column_of_row = is_tall_ ? matching.row_of_column : matching.column_of_row;
    result.row_price = std::move(is_tall_ ? long_price : short_price);
    result.column_price = std::move(is_tall_ ? short_price : long_price);
    result.objective = sum_of_matched<Number>(*cost_, result.column_of_row);
    result.effort = effort_;
    return result;
  }

  /// A negated zero would print as -0.
  Number price_of(Work price) const {
    return exact_number<Number>(price < 0 || price > 0 ? static_cast<Work>(price * sign_) : Work{0},
                                "a price");
  }

  static constexpr int fewest_core_columns = 2000;
  static constexpr std::size_t tile_side =
      32;  // a tile of both matrices fits the first-level cache

  const CostRef<Number>* cost_ = nullptr;
  bool is_tall_ = false;
  int rows_ = 0;
  int columns_ = 0;
  Work sign_ = 1;
  double largest_cost_ = 0.0;
  AssignmentEffort effort_{};
  std::unique_ptr<Work[]> copy_{};
};

}  // namespace voda::assignment_detail

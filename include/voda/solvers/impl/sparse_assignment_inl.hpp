#pragma once

#include "voda/solvers/sparse_assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "voda/config.hpp"
#include "voda/solvers/impl/distance_queue.hpp"
#include "voda/solvers/impl/exact_number.hpp"
#include "voda/solvers/impl/sparse_cost_inl.hpp"
#include "voda/solvers/impl/sparse_matching.hpp"
#include "voda/solvers/impl/sparse_solver.hpp"
#include "voda/solvers/impl/start_price_check.hpp"
#include "voda/solvers/impl/start_prices.hpp"

namespace voda::sparse_assignment_detail {

using assignment_detail::CostRange;
using assignment_detail::exact_number;
using assignment_detail::include_cost;
using assignment_detail::Int128;
using assignment_detail::may_fit;
using solvers::AssignmentResult;
using solvers::Coverage;
using solvers::Objective;
using solvers::SparseCostView;
using solvers::Status;

/// Distances up to here are worth one bucket each.
inline constexpr double most_buckets = 1024;

/// One problem with what was chosen for it.
template <class Number>
struct Problem {
  SparseCostView<Number> cost{};
  Objective objective = Objective::minimize;
  Coverage coverage = Coverage::full;
  std::span<const Number> start_prices{};

  [[nodiscard]] bool is_transposed() const {
    return coverage == Coverage::full && cost.rows() > cost.columns;
  }

  /// Of the sides as the matcher sees them.
  [[nodiscard]] FreeSides free_sides() const {
    const bool is_partial = coverage == Coverage::partial;
    return {.rows = is_partial, .columns = is_partial || cost.rows() != cost.columns};
  }
};

template <class Number, class Visit>
void for_each_edge(const SparseCostView<Number>& cost, Visit visit) {
  for (int row = 0; row < cost.rows(); ++row) {
    const auto end = static_cast<std::size_t>(cost.row_begin[static_cast<std::size_t>(row) + 1]);
    auto at = static_cast<std::size_t>(cost.row_begin[static_cast<std::size_t>(row)]);
    for (; at < end; ++at) {
      visit(row, cost.column[at], cost.cost[at]);
    }
  }
}

template <class Number>
CostRange checked_range(const SparseCostView<Number>& cost) {
  sparse_cost_detail::check_view(cost);
  CostRange range{};
  for_each_edge(cost, [&](int row, int column, Number value) {
    include_cost(range, value, "cost at", row, column);
  });
  return range;
}

/// The edges that can matter, to be minimised, rows on the side the matcher starts from.
template <class Work, class Number>
Edges<Work> oriented(const Problem<Number>& problem) {
  const Work sign = problem.objective == Objective::minimize ? Work{1} : Work{-1};
  const bool transposed = problem.is_transposed();
  const auto visit_kept = [&](auto&& visit) {
    for_each_edge(problem.cost, [&](int row, int column, Number cost) {
      const Work signed_cost = static_cast<Work>(static_cast<Work>(cost) * sign);
      if (problem.coverage == Coverage::full || signed_cost < 0) {
        visit(transposed ? column : row, transposed ? row : column, signed_cost);
      }
    });
  };
  const int rows = transposed ? problem.cost.columns : problem.cost.rows();
  Edges<Work> result{.columns = transposed ? problem.cost.rows() : problem.cost.columns};
  result.row_begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  visit_kept([&](int row, int, Work) { ++result.row_begin[static_cast<std::size_t>(row) + 1]; });
  std::partial_sum(result.row_begin.begin(), result.row_begin.end(), result.row_begin.begin());
  std::vector<int> next = result.row_begin;
  result.edges.resize(static_cast<std::size_t>(result.row_begin.back()));
  visit_kept([&](int row, int column, Work cost) {
    const int to = next[static_cast<std::size_t>(row)]++;
    result.edges[static_cast<std::size_t>(to)] = {column, cost};
  });
  return result;
}

/// Fills in the proof that there is no solution: rows, and every column they may take.
template <class Number>
void name_unmatchable(const Problem<Number>& problem,
                      std::span<const int> blocked,
                      AssignmentResult<Number>& result) {
  std::vector<char> is_member(static_cast<std::size_t>(problem.cost.rows()), 0);
  if (problem.is_transposed()) {
    // Columns that share too few rows leave the other rows too few columns.
    std::ranges::fill(is_member, char{1});
    for_each_edge(problem.cost, [&](int row, int column, Number) {
      if (std::ranges::binary_search(blocked, column)) {
        is_member[static_cast<std::size_t>(row)] = 0;
      }
    });
  } else {
    for (const int row : blocked) {
      is_member[static_cast<std::size_t>(row)] = 1;
    }
  }
  for (int row = 0; row < problem.cost.rows(); ++row) {
    if (is_member[static_cast<std::size_t>(row)] != 0) {
      result.unmatchable_rows.push_back(row);
    }
  }
  std::vector<int>& shared = result.shared_columns;
  for_each_edge(problem.cost, [&](int row, int column, Number) {
    if (is_member[static_cast<std::size_t>(row)] != 0) {
      shared.push_back(column);
    }
  });
  std::ranges::sort(shared);
  shared.erase(std::ranges::unique(shared).begin(), shared.end());
}

template <class Number, class Work>
std::vector<Number> signed_prices(std::span<const Work> prices, Objective objective) {
  std::vector<Number> result{};
  result.reserve(prices.size());
  for (const Work price : prices) {
    const bool negate = objective == Objective::maximize && (price < 0 || price > 0);
    result.push_back(exact_number<Number>(static_cast<Work>(negate ? -price : price), "a price"));
  }
  return result;
}

/// Cost of every matched row: of repeated pairs the one that counts.
template <class Work>
std::vector<Work> matched_cost(const Edges<Work>& edges, std::span<const int> column_of_row) {
  std::vector<Work> result(column_of_row.size(), 0);
  for (int row = 0; row < edges.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    bool found = false;
    for (const auto& edge : edges.of_row(row)) {
      if (edge.column == column_of_row[at] && (!found || edge.cost < result[at])) {
        result[at] = edge.cost;
        found = true;
      }
    }
  }
  return result;
}

/// Row prices recomputed from the matched edges, so that rounding errors of many searches do not
/// add up.
template <class Work>
std::vector<Work> settled_row_prices(std::span<const Work> row_price,
                                     std::span<const Work> column_price,
                                     std::span<const int> column_of_row,
                                     std::span<const Work> cost,
                                     Coverage coverage) {
  std::vector<Work> result(row_price.begin(), row_price.end());
  for (std::size_t row = 0; row < result.size(); ++row) {
    if (column_of_row[row] != no_match) {
      result[row] = cost[row] - column_price[static_cast<std::size_t>(column_of_row[row])];
    }
    if (coverage == Coverage::partial) {
      result[row] = std::min(result[row], Work{0});
    }
  }
  return result;
}

template <class Number, class Work>
AssignmentResult<Number> to_result(const Problem<Number>& problem,
                                   const Matching<Work>& matching,
                                   const Edges<Work>& edges) {
  using Sum = std::conditional_t<is_floating_work<Number>, Number, Int128>;
  AssignmentResult<Number> result{.status = Status::optimal};
  const std::vector<int>& matched = matching.column_of_row;
  const std::vector<Work> cost = matched_cost(edges, matched);
  const Work sign = problem.objective == Objective::minimize ? Work{1} : Work{-1};
  Sum sum = 0;
  for (const Work value : cost) {
    sum += static_cast<Sum>(value) * static_cast<Sum>(sign);
  }
  result.objective = exact_number<Number>(sum, "the objective");
  const auto settled = settled_row_prices<Work>(
      matching.row_price, matching.column_price, matched, cost, problem.coverage);
  result.row_price = signed_prices<Number, Work>(settled, problem.objective);
  result.column_price = signed_prices<Number, Work>(matching.column_price, problem.objective);
  result.column_of_row.assign(matched.begin(), matched.end());
  if (problem.is_transposed()) {
    std::swap(result.row_price, result.column_price);
    result.column_of_row.assign(static_cast<std::size_t>(problem.cost.rows()), no_match);
    for (std::size_t column = 0; column < matched.size(); ++column) {
      result.column_of_row[static_cast<std::size_t>(matched[column])] = static_cast<int>(column);
    }
  }
  return result;
}

/// The caller's prices in `window`, to be minimised.
template <class Work, class Number>
std::vector<Work> prices_within(const Problem<Number>& problem, const PriceWindow<Work>& window) {
  const bool maximize = problem.objective == Objective::maximize;
  std::vector<Work> result{};
  result.reserve(problem.start_prices.size());
  for (const Number price : problem.start_prices) {
    result.push_back(maximize ? -window.mirrored().nearest(price) : window.nearest(price));
  }
  return result;
}

/// Prices for the matcher's columns; none without start prices.
template <class Work, class Number>
std::vector<Work> oriented_start_prices(const Problem<Number>& problem,
                                        const Edges<Work>& edges,
                                        double magnitude) {
  // Where sums need 128 bits, only a cold start keeps prices as small as they can be.
  if (problem.start_prices.empty() || std::is_same_v<Work, Int128>) {
    return {};
  }
  const FreeSides may_stay = problem.free_sides();
  if (!problem.is_transposed()) {
    return prices_within(problem, price_window<Work, Number>(magnitude, may_stay));
  }
  // They belong to the matcher's rows; its columns follow from them.
  const auto rows = prices_within(problem, price_window<Work, Number>(magnitude, {}));
  std::vector<Work> columns(position(edges.columns), 0);
  for (int row = 0; row < edges.rows(); ++row) {
    for (const auto& edge : edges.of_row(row)) {
      Work& price = columns[position(edge.column)];
      price = std::min(price, static_cast<Work>(edge.cost - rows[position(row)]));
    }
  }
  return columns;
}

template <class Work, class Queue, class Number>
std::optional<AssignmentResult<Number>> solve_with(const Problem<Number>& problem,
                                                   const CostRange& range,
                                                   Queue queue) {
  const Edges<Work> edges = oriented<Work>(problem);
  SparseSolver<Work, Queue> solver(edges, problem.free_sides(), std::move(queue));
  const Outcome outcome = solver.solve(oriented_start_prices(problem, edges, range.magnitude));
  if (outcome == Outcome::out_of_range) {
    return std::nullopt;
  }
  AssignmentResult<Number> result{.status = Status::infeasible};
  if (outcome == Outcome::solved) {
    result = to_result<Number>(problem, solver.matching(), edges);
  } else {
    name_unmatchable(problem, solver.blocked_rows(), result);
  }
  result.effort = solver.matching().effort;
  return result;
}

template <class Number>
std::optional<AssignmentResult<Number>> solve_in_32_bits(const Problem<Number>& problem,
                                                         const CostRange& range) {
  if (!may_fit<std::int32_t>(range)) {
    return std::nullopt;
  }
  if (problem.coverage == Coverage::partial && range.magnitude <= most_buckets) {
    const auto longest = static_cast<std::int32_t>(range.magnitude);
    return solve_with<std::int32_t>(problem, range, BucketQueue<std::int32_t>(longest));
  }
  return solve_with<std::int32_t>(problem, range, HeapQueue<std::int32_t>());
}

template <class Number>
AssignmentResult<Number> solve_sparse(const Problem<Number>& problem) {
  const CostRange range = checked_range(problem.cost);
  assignment_detail::check_start_prices(problem.start_prices, problem.cost.columns);
  if constexpr (is_floating_work<Number>) {
    if (!range.whole) {
      return *solve_with<Number>(problem, range, HeapQueue<Number>());
    }
  }
  std::optional<AssignmentResult<Number>> result = solve_in_32_bits(problem, range);
  if (!result) {
    result = solve_with<std::int64_t>(problem, range, HeapQueue<std::int64_t>());
  }
  if (!result) {
    result = solve_with<Int128>(problem, range, HeapQueue<Int128>());
  }
  VODA_ASSERT(result.has_value(), "prices fit in 128 bits");
  return *std::move(result);
}

}  // namespace voda::sparse_assignment_detail

namespace voda::solvers {

VODA_INLINE AssignmentResult<std::int64_t> solve_sparse_assignment(
    const SparseCostView<std::int64_t>& cost,
    Objective objective,
    Coverage coverage,
    std::span<const std::int64_t> start_prices) {
  return sparse_assignment_detail::solve_sparse<std::int64_t>(
      {.cost = cost, .objective = objective, .coverage = coverage, .start_prices = start_prices});
}

VODA_INLINE AssignmentResult<double> solve_sparse_assignment(const SparseCostView<double>& cost,
                                                             Objective objective,
                                                             Coverage coverage,
                                                             std::span<const double> start_prices) {
  return sparse_assignment_detail::solve_sparse<double>(
      {.cost = cost, .objective = objective, .coverage = coverage, .start_prices = start_prices});
}

}  // namespace voda::solvers

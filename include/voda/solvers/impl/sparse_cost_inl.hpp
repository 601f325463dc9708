#pragma once

#include "voda/solvers/sparse_cost.hpp"

#include <cstddef>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "voda/config.hpp"

namespace voda::sparse_cost_detail {

template <class Number>
void check_edges(int rows, int columns, std::span<const solvers::Edge<Number>> edges) {
  if (rows < 0 || columns < 0) {
    throw std::invalid_argument(
        fmt::format("{} rows and {} columns: expected none negative", rows, columns));
  }
  if (edges.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw std::invalid_argument(fmt::format("{} edges: expected fewer than 2^31", edges.size()));
  }
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto& edge = edges[k];
    if (edge.row < 0 || edge.row >= rows) {
      throw std::invalid_argument(
          fmt::format("edge {}: row {} is not in [0, {})", k, edge.row, rows));
    }
    if (edge.column < 0 || edge.column >= columns) {
      throw std::invalid_argument(
          fmt::format("edge {}: column {} is not in [0, {})", k, edge.column, columns));
    }
  }
}

template <class Number>
solvers::SparseCost<Number> compress(int rows,
                                     int columns,
                                     std::span<const solvers::Edge<Number>> edges) {
  check_edges(rows, columns, edges);
  solvers::SparseCost<Number> result{.columns = columns};
  result.row_begin.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const auto& edge : edges) {
    ++result.row_begin[static_cast<std::size_t>(edge.row) + 1];
  }
  for (std::size_t row = 1; row < result.row_begin.size(); ++row) {
    result.row_begin[row] += result.row_begin[row - 1];
  }
  std::vector<int> next = result.row_begin;
  result.column.resize(edges.size());
  result.cost.resize(edges.size());
  for (const auto& edge : edges) {
    const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(edge.row)]++);
    result.column[to] = edge.column;
    result.cost[to] = edge.cost;
  }
  return result;
}

/// Throws std::invalid_argument unless the view is well formed.
template <class Number>
void check_view(const solvers::SparseCostView<Number>& view) {
  if (view.columns < 0) {
    throw std::invalid_argument(fmt::format("{} columns: expected none negative", view.columns));
  }
  const std::size_t edges = view.column.size();
  const bool ends_meet = view.row_begin.empty()
                             ? edges == 0
                             : view.row_begin.front() == 0 &&
                                   view.row_begin.back() == static_cast<std::ptrdiff_t>(edges);
  if (!ends_meet || view.cost.size() != edges) {
    throw std::invalid_argument(fmt::format(
        "row_begin must run from 0 to the number of columns listed ({}), as many as costs ({})",
        edges,
        view.cost.size()));
  }
  for (int row = 0; row < view.rows(); ++row) {
    const auto at = static_cast<std::size_t>(row);
    if (view.row_begin[at] > view.row_begin[at + 1]) {
      throw std::invalid_argument(fmt::format("row_begin[{}] is {}, more than row_begin[{}], {}",
                                              at,
                                              view.row_begin[at],
                                              at + 1,
                                              view.row_begin[at + 1]));
    }
  }
  for (std::size_t k = 0; k < edges; ++k) {
    if (view.column[k] < 0 || view.column[k] >= view.columns) {
      throw std::invalid_argument(
          fmt::format("edge {}: column {} is not in [0, {})", k, view.column[k], view.columns));
    }
  }
}

}  // namespace voda::sparse_cost_detail

namespace voda::solvers {

VODA_INLINE SparseCost<std::int32_t> compress_edges(int rows,
                                                    int columns,
                                                    std::span<const Edge<std::int32_t>> edges) {
  return sparse_cost_detail::compress(rows, columns, edges);
}

VODA_INLINE SparseCost<std::int64_t> compress_edges(int rows,
                                                    int columns,
                                                    std::span<const Edge<std::int64_t>> edges) {
  return sparse_cost_detail::compress(rows, columns, edges);
}

VODA_INLINE SparseCost<double> compress_edges(int rows,
                                              int columns,
                                              std::span<const Edge<double>> edges) {
  return sparse_cost_detail::compress(rows, columns, edges);
}

}  // namespace voda::solvers

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace voda::solvers {

/// One allowed pair of an assignment problem.
template <class Number>
struct Edge {
  int row = 0;
  int column = 0;
  Number cost = 0;
};

/// Allowed pairs in compressed rows, owned elsewhere: those of row i lie at [row_begin[i],
/// row_begin[i + 1]).
///
/// Columns of a row may come in any order; of repeated pairs the better one counts.
template <class Number>
struct SparseCostView {
  int columns = 0;
  std::span<const int> row_begin{};  ///< rows + 1 positions, ascending from 0
  std::span<const int> column{};
  std::span<const Number> cost{};

  [[nodiscard]] int rows() const {
    return row_begin.empty() ? 0 : static_cast<int>(row_begin.size()) - 1;
  }
};

/// Allowed pairs in compressed rows.
template <class Number>
struct SparseCost {
  int columns = 0;
  std::vector<int> row_begin{};
  std::vector<int> column{};
  std::vector<Number> cost{};

  [[nodiscard]] SparseCostView<Number> view() const { return {columns, row_begin, column, cost}; }
};

/// Groups edges by row, keeping their order within a row. O(rows + edges).
///
/// Throws std::invalid_argument naming the edge for a row or column outside the problem, and for a
/// negative size.
[[nodiscard]] SparseCost<std::int32_t> compress_edges(int rows,
                                                      int columns,
                                                      std::span<const Edge<std::int32_t>> edges);
[[nodiscard]] SparseCost<std::int64_t> compress_edges(int rows,
                                                      int columns,
                                                      std::span<const Edge<std::int64_t>> edges);
[[nodiscard]] SparseCost<double> compress_edges(int rows,
                                                int columns,
                                                std::span<const Edge<double>> edges);

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/sparse_cost_inl.hpp"
#endif

#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "voda/solvers/assignment_effort.hpp"
#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/impl/price_range.hpp"

namespace voda::sparse_assignment_detail {

using assignment_detail::infinite;
using assignment_detail::is_floating_work;
using assignment_detail::is_safe;
using solvers::no_match;

constexpr std::size_t position(int index) {
  return static_cast<std::size_t>(index);
}

/// A sparse problem as the matcher wants it: to be minimised, and if one side must be matched in
/// full, that is the rows.
template <class Work>
struct Edges {
  struct Edge {
    int column = 0;
    Work cost = 0;
  };

  int columns = 0;
  std::vector<int> row_begin{};
  std::vector<Edge> edges{};

  [[nodiscard]] int rows() const { return static_cast<int>(row_begin.size()) - 1; }

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(edges.size()); }

  [[nodiscard]] std::span<const Edge> of_row(int row) const {
    const auto from = position(row_begin[position(row)]);
    return std::span(edges).subspan(from, position(row_begin[position(row) + 1]) - from);
  }

  /// The same pairs by column.
  [[nodiscard]] Edges transposed() const {
    Edges result{.columns = rows()};
    result.row_begin.assign(position(columns) + 1, 0);
    for (const Edge& edge : edges) {
      ++result.row_begin[position(edge.column) + 1];
    }
    std::partial_sum(result.row_begin.begin(), result.row_begin.end(), result.row_begin.begin());
    std::vector<int> next = result.row_begin;
    result.edges.resize(edges.size());
    for (int row = 0; row < rows(); ++row) {
      for (const Edge& edge : of_row(row)) {
        result.edges[position(next[position(edge.column)]++)] = {row, edge.cost};
      }
    }
    return result;
  }
};

/// Who may stay unmatched.
struct FreeSides {
  bool rows = false;
  bool columns = false;
};

/// Prices and pairs found so far. row_price + column_price <= cost on every edge once rows are
/// priced, equal on matched ones.
template <class Work>
struct Matching {
  std::vector<Work> row_price{};
  std::vector<Work> column_price{};
  std::vector<int> column_of_row{};
  std::vector<int> row_of_column{};
  solvers::AssignmentEffort effort{};

  Matching(int rows, int columns)
      : row_price(position(rows), 0),
        column_price(position(columns), 0),
        column_of_row(position(rows), no_match),
        row_of_column(position(columns), no_match) {}

  [[nodiscard]] bool is_free(int column) const {
    return row_of_column[position(column)] == no_match;
  }

  /// Gives `column` to `row`; returns the row that had it.
  int give(int row, int column) {
    const int before = std::exchange(row_of_column[position(column)], row);
    if (before != no_match) {
      column_of_row[position(before)] = no_match;
    }
    column_of_row[position(row)] = column;
    return before;
  }

  void swap_sides() {
    row_price.swap(column_price);
    column_of_row.swap(row_of_column);
  }
};

}  // namespace voda::sparse_assignment_detail

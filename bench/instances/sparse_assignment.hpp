#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "voda/solvers/sparse_cost.hpp"

namespace voda::bench {

/// Rows, columns and edges; weights from 1 on.
struct SparseSize {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t edges = 0;
  std::int64_t largest = 8;
};

/// Edges drawn one by one; some repeat.
template <class Number>
[[nodiscard]] std::vector<solvers::Edge<Number>> random_edges(const SparseSize& size) {
  std::mt19937_64 random(1);
  const auto below = [&](std::int64_t limit) {
    return random() % static_cast<std::uint64_t>(limit);
  };
  std::vector<solvers::Edge<Number>> edges{};
  for (std::int64_t k = 0; k < size.edges; ++k) {
    const auto row = static_cast<int>(below(size.rows));
    const auto column = static_cast<int>(below(size.columns));
    edges.push_back({row, column, static_cast<Number>(1 + below(size.largest))});
  }
  return edges;
}

}  // namespace voda::bench

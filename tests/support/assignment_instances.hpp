#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "voda/solvers/assignment.hpp"

// Cost matrices of known difficulty, for tests and benchmarks: the same on every machine.
namespace voda::test {

using CostMatrix = solvers::CostMatrix<std::int64_t>;

/// Uniform in [0, range).
inline CostMatrix uniform_costs(int rows, int columns, std::int64_t range, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  return CostMatrix::NullaryExpr(rows, columns, [&] {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range));
  });
}

/// Distances, rounded down, between random points of a grid.
inline CostMatrix geometric_costs(int rows, int columns, int side = 1000, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  const auto draw = [&](int count) {
    std::vector<std::pair<double, double>> points(static_cast<std::size_t>(count));
    for (auto& [x, y] : points) {
      x = static_cast<double>(random() % static_cast<std::uint64_t>(side));
      y = static_cast<double>(random() % static_cast<std::uint64_t>(side));
    }
    return points;
  };
  const auto from = draw(rows);
  const auto to = draw(columns);
  return CostMatrix::NullaryExpr(rows, columns, [&](Eigen::Index row, Eigen::Index column) {
    const auto& [x, y] = from[static_cast<std::size_t>(row)];
    const auto& [u, v] = to[static_cast<std::size_t>(column)];
    // Exact sums, and a root that IEEE rounds correctly, unlike std::hypot.
    return static_cast<std::int64_t>(std::sqrt((x - u) * (x - u) + (y - v) * (y - v)));
  });
}

/// 20 minus a geometric variable: most costs tie.
inline CostMatrix near_tie_costs(int rows, int columns, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  return CostMatrix::NullaryExpr(rows, columns, [&] {
    std::int64_t cost = 20;
    while (cost > 0 && random() % 2 == 0) {
      --cost;
    }
    return cost;
  });
}

/// Powers of two up to 2^50.
inline CostMatrix spread_costs(int rows, int columns, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  return CostMatrix::NullaryExpr(
      rows, columns, [&] { return std::int64_t{1} << static_cast<int>(random() % 51); });
}

/// A cost for each row and column, and a little more: only differences of sums count.
inline CostMatrix offset_costs(int rows, int columns, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  return CostMatrix::NullaryExpr(rows, columns, [&](Eigen::Index row, Eigen::Index column) {
    return row * 37 % 1000 * 1000 + column * 91 % 1000 * 1000 +
           static_cast<std::int64_t>(random() % 3);
  });
}

/// Given by row and column.
inline CostMatrix costs_of(int rows,
                           int columns,
                           const std::function<std::int64_t(std::int64_t, std::int64_t)>& cost) {
  return CostMatrix::NullaryExpr(
      rows, columns, [&](Eigen::Index row, Eigen::Index column) { return cost(row, column); });
}

/// Costs that a dense solver looked at, in sizes of the matrix.
template <class Number>
double matrices_read(const solvers::CostMatrix<Number>& cost,
                     const solvers::AssignmentResult<Number>& result) {
  return static_cast<double>(result.effort.scans) / static_cast<double>(cost.size());
}

struct AssignmentFamily {
  std::string_view name{};
  CostMatrix (*draw)(int rows, int columns) = nullptr;
};

/// Random ones first, then those that are hard for one method or another.
inline const std::vector<AssignmentFamily>& assignment_families() {
  static const std::vector<AssignmentFamily> families{
      {"uniform", [](int rows, int columns) { return uniform_costs(rows, columns, 1'000'000); }},
      {"geometric", [](int rows, int columns) { return geometric_costs(rows, columns); }},
      {"crowded", [](int rows, int columns) { return geometric_costs(rows, columns, 30); }},
      {"near ties", [](int rows, int columns) { return near_tie_costs(rows, columns); }},
      {"plateaus", [](int rows, int columns) { return uniform_costs(rows, columns, 100); }},
      {"zero or one", [](int rows, int columns) { return uniform_costs(rows, columns, 2); }},
      {"spread", [](int rows, int columns) { return spread_costs(rows, columns); }},
      {"offsets", [](int rows, int columns) { return offset_costs(rows, columns); }},
      {"all equal",
       [](int rows, int columns) {
         return costs_of(rows, columns, [](auto, auto) { return std::int64_t{7}; });
       }},
      {"staircase",
       [](int rows, int columns) {
         return costs_of(rows, columns, [](auto row, auto column) {
           return column <= row ? std::int64_t{0} : column - row;
         });
       }},
      {"far diagonal",
       [](int rows, int columns) {
         return costs_of(rows, columns, [rows](auto row, auto column) {
           return std::abs(row - column - rows / 2);
         });
       }},
      // Each free row pushes all before it: augmenting paths through everything.
      {"products",
       [](int rows, int columns) {
         return costs_of(rows, columns, [](auto row, auto column) { return row * column; });
       }},
      {"smaller index",
       [](int rows, int columns) {
         return costs_of(
             rows, columns, [](auto row, auto column) { return std::min(row, column); });
       }},
  };
  return families;
}

}  // namespace voda::test

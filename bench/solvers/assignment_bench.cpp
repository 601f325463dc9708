#include "voda/solvers/assignment.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "voda/solvers/certificate.hpp"

namespace {

using voda::solvers::CostMatrix;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;
using Integers = CostMatrix<std::int64_t>;

constexpr std::uint64_t kSeed = 1;

Integers uniform(int rows, int columns, std::uint64_t range) {
  std::mt19937_64 random(kSeed);
  return Integers::NullaryExpr(
      rows, columns, [&] { return static_cast<std::int64_t>(random() % range); });
}

/// Whole distances between points of a 1000 x 1000 grid.
Integers geometric(int rows, int columns) {
  std::mt19937_64 random(kSeed);
  const auto draw = [&](int count) {
    std::vector<std::pair<double, double>> points(static_cast<std::size_t>(count));
    for (auto& [x, y] : points) {
      x = static_cast<double>(random() % 1000);
      y = static_cast<double>(random() % 1000);
    }
    return points;
  };
  const auto from = draw(rows);
  const auto to = draw(columns);
  Integers cost(rows, columns);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      const auto& [x, y] = from[static_cast<std::size_t>(row)];
      const auto& [u, v] = to[static_cast<std::size_t>(column)];
      cost(row, column) = static_cast<std::int64_t>(std::hypot(x - u, y - v));
    }
  }
  return cost;
}

/// 20 minus a geometric variable: most costs tie.
Integers near_ties(int rows, int columns) {
  std::mt19937_64 random(kSeed);
  return Integers::NullaryExpr(rows, columns, [&] {
    std::int64_t cost = 20;
    while (cost > 0 && random() % 2 == 0) {
      --cost;
    }
    return cost;
  });
}

template <class Number>
void solve(benchmark::State& state, const CostMatrix<Number>& cost) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_assignment(cost));
  }
  const auto result = solve_assignment(cost);
  const auto fault = [&] {
    if constexpr (std::is_same_v<Number, double>) {
      return certificate_fault(cost, Objective::minimize, result, 1e-9);
    } else {
      return certificate_fault(cost, Objective::minimize, result);
    }
  }();
  if (fault) {
    state.SkipWithError(fault->c_str());
  }
}

void uniform_costs(benchmark::State& state) {
  const auto rows = static_cast<int>(state.range(0));
  solve(state, uniform(rows, static_cast<int>(state.range(1)), 1'000'000));
}

void geometric_costs(benchmark::State& state) {
  solve(state, geometric(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))));
}

void near_tie_costs(benchmark::State& state) {
  solve(state, near_ties(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))));
}

void plateau_costs(benchmark::State& state) {
  const auto rows = static_cast<int>(state.range(0));
  solve(state, uniform(rows, static_cast<int>(state.range(1)), 100));
}

void fractional_costs(benchmark::State& state) {
  const auto rows = static_cast<int>(state.range(0));
  const auto whole = uniform(rows, static_cast<int>(state.range(1)), 1'000'000);
  solve(state, CostMatrix<double>(whole.cast<double>() / 7.0));
}

BENCHMARK(uniform_costs)
    ->Args({100, 100})
    ->Args({1000, 1000})
    ->Args({1000, 4000})
    ->Args({4000, 1000})
    ->Args({2000, 2000})
    ->Args({5000, 5000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(geometric_costs)
    ->Args({100, 100})
    ->Args({1000, 1000})
    ->Args({2000, 2000})
    ->Args({5000, 5000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(near_tie_costs)
    ->Args({100, 100})
    ->Args({1000, 1000})
    ->Args({5000, 5000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(plateau_costs)->Args({1000, 1000})->Args({5000, 5000})->Unit(benchmark::kMillisecond);
BENCHMARK(fractional_costs)
    ->Args({1000, 1000})
    ->Args({900, 1000})
    ->Args({2000, 2000})
    ->Unit(benchmark::kMillisecond);

}  // namespace

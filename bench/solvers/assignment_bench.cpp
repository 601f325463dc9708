#include "voda/solvers/assignment.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include "support/assignment_instances.hpp"
#include "voda/solvers/certificate.hpp"

namespace {

using voda::solvers::CostMatrix;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;

template <class Number>
void solve(benchmark::State& state,
           const CostMatrix<Number>& cost,
           const std::vector<Number>& start_prices = {}) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_assignment(cost, Objective::minimize, start_prices));
  }
  const auto result = solve_assignment(cost, Objective::minimize, start_prices);
  state.counters["row_scans"] = static_cast<double>(result.effort.row_scans);
  state.counters["pairs"] = static_cast<double>(result.effort.pairs);
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

int rows(const benchmark::State& state) {
  return static_cast<int>(state.range(0));
}

int columns(const benchmark::State& state) {
  return static_cast<int>(state.range(1));
}

void uniform_costs(benchmark::State& state) {
  solve(state, voda::test::uniform_costs(rows(state), columns(state), 1'000'000));
}

void geometric_costs(benchmark::State& state) {
  solve(state, voda::test::geometric_costs(rows(state), columns(state)));
}

void near_tie_costs(benchmark::State& state) {
  solve(state, voda::test::near_tie_costs(rows(state), columns(state)));
}

void plateau_costs(benchmark::State& state) {
  solve(state, voda::test::uniform_costs(rows(state), columns(state), 100));
}

void fractional_costs(benchmark::State& state) {
  const auto whole = voda::test::uniform_costs(rows(state), columns(state), 1'000'000);
  solve(state, CostMatrix<double>(whole.cast<double>() / 7.0));
}

void whole_double_costs(benchmark::State& state) {
  const auto whole = voda::test::uniform_costs(rows(state), columns(state), 1'000'000);
  solve(state, CostMatrix<double>(whole.cast<double>()));
}

/// Augmenting paths through all rows: the worst case.
void product_costs(benchmark::State& state) {
  solve(state, voda::test::costs_of(rows(state), columns(state), [](auto row, auto column) {
          return row * column;
        }));
}

/// Starts from the prices of an answer before one row changed.
void restarted_geometric_costs(benchmark::State& state) {
  auto cost = voda::test::geometric_costs(rows(state), columns(state));
  const auto former = solve_assignment(cost);
  cost.row(7).reverseInPlace();
  solve(state, cost, former.column_price);
}

BENCHMARK(uniform_costs)
    ->Args({4, 4})
    ->Args({10, 10})
    ->Args({100, 100})
    ->Args({1000, 1000})
    ->Args({1000, 4000})
    ->Args({4000, 1000})
    ->Args({2000, 2000})
    ->Unit(benchmark::kMillisecond);
// Drawing a matrix takes longer than solving it, so the large ones are not repeated to fill time.
BENCHMARK(uniform_costs)
    ->Args({5000, 5000})
    ->Args({10000, 10000})
    ->Iterations(3)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(geometric_costs)
    ->Args({100, 100})
    ->Args({1000, 1000})
    ->Args({2000, 2000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(geometric_costs)->Args({5000, 5000})->Iterations(1)->Unit(benchmark::kMillisecond);
BENCHMARK(near_tie_costs)->Args({100, 100})->Args({1000, 1000})->Unit(benchmark::kMillisecond);
BENCHMARK(near_tie_costs)->Args({5000, 5000})->Iterations(2)->Unit(benchmark::kMillisecond);
BENCHMARK(plateau_costs)->Args({1000, 1000})->Unit(benchmark::kMillisecond);
BENCHMARK(plateau_costs)->Args({5000, 5000})->Iterations(2)->Unit(benchmark::kMillisecond);
BENCHMARK(fractional_costs)
    ->Args({1000, 1000})
    ->Args({900, 1000})
    ->Args({2000, 2000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(whole_double_costs)->Args({1000, 1000})->Unit(benchmark::kMillisecond);
BENCHMARK(product_costs)->Args({1000, 1000})->Unit(benchmark::kMillisecond);
BENCHMARK(restarted_geometric_costs)
    ->Args({1000, 1000})
    ->Args({2000, 2000})
    ->Unit(benchmark::kMillisecond);

}  // namespace

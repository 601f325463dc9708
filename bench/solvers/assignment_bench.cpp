#include "voda/solvers/assignment.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <benchmark/benchmark.h>

#include "instances/run_size.hpp"
#include "instances/solver_file.hpp"
#include "support/assignment_instances.hpp"
#include "voda/solvers/certificate.hpp"

// Dense assignment, every answer proven by its prices. Names: dense_FAMILY, and dense_uniform~CASE for inputs that are meant
// to hurt; SciPy solves the same matrices (bench/peers/scipy_peer.py) and appears as dense_FAMILY@scipy.

namespace {

using voda::solvers::CostMatrix;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;

template <class Number>
void solve(benchmark::State& state,
           const std::string& name,
           const CostMatrix<Number>& cost,
           const std::vector<Number>& start_prices = {}) {
  for (auto _ : state)
    benchmark::DoNotOptimize(solve_assignment(cost, Objective::minimize, start_prices));
  const auto result = solve_assignment(cost, Objective::minimize, start_prices);
  state.counters["scans"] = static_cast<double>(result.effort.scans);
  const auto fault = [&] {
    if constexpr (std::is_same_v<Number, double>) {
      return certificate_fault(cost, Objective::minimize, result, 1e-9);
    } else {
      return certificate_fault(cost, Objective::minimize, result);
    }
  }();
  if (fault)
    state.SkipWithError(fault->c_str());
  if constexpr (!std::is_same_v<Number, double>) {
    const std::string sizes =
        "/rows:" + std::to_string(cost.rows()) + "/columns:" + std::to_string(cost.cols());
    if (auto file = voda::bench::SolverFile::wanted(name + sizes, cost.rows()))
      file->write(cost, result.objective);
  }
}

struct Shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

using Solve =
    std::function<void(benchmark::State&, const std::string& name, int rows, int columns)>;

void add(const std::string& name, const Solve& body, std::initializer_list<Shape> shapes) {
  auto* added = benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) {
    body(state, name, static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  });
  added->ArgNames({"rows", "columns"})->Unit(benchmark::kMillisecond);
  for (const Shape& shape : shapes)
    added->Args({shape.rows, shape.columns});
}

/// A family of costs as it is drawn.
Solve family(voda::test::CostMatrix (*draw)(int rows, int columns)) {
  return [draw](benchmark::State& state, const std::string& name, int rows, int columns) {
    solve(state, name, draw(rows, columns));
  };
}

voda::test::CostMatrix uniform(int rows, int columns) {
  return voda::test::uniform_costs(rows, columns, 1'000'000);
}

voda::test::CostMatrix geometric(int rows, int columns) {
  return voda::test::geometric_costs(rows, columns);
}

voda::test::CostMatrix near_ties(int rows, int columns) {
  return voda::test::near_tie_costs(rows, columns);
}

void solve_fractions(benchmark::State& state, const std::string& name, int rows, int columns) {
  solve(state, name, CostMatrix<double>(uniform(rows, columns).cast<double>() / 7.0));
}

void solve_whole_doubles(benchmark::State& state, const std::string& name, int rows, int columns) {
  solve(state, name, CostMatrix<double>(uniform(rows, columns).cast<double>()));
}

/// Starts from the prices of an answer before one row changed.
void solve_again(benchmark::State& state, const std::string& name, int rows, int columns) {
  auto cost = geometric(rows, columns);
  const auto former = solve_assignment(cost);
  cost.row(7).reverseInPlace();
  solve(state, name, cost, former.column_price);
}

/// The names of benchmarks know no spaces.
std::string joined(std::string_view words) {
  std::string name(words);
  std::ranges::replace(name, ' ', '_');
  return name;
}

[[maybe_unused]] const bool is_registered = [] {
  const Shape hundred{100, 100};
  const Shape thousand{1000, 1000};
  const Shape two{2000, 2000};
  const Shape five{5000, 5000};
  const Shape ten{10'000, 10'000};
  add("dense_uniform", family(uniform), {{4, 4}, {10, 10}, hundred, thousand, two, five, ten});
  add("dense_geometric", family(geometric), {hundred, thousand, two, five});
  add("dense_near_ties", family(near_ties), {hundred, thousand, two, five});
  if (voda::bench::is_full_run()) {
    add("dense_geometric", family(geometric), {ten});
    add("dense_near_ties", family(near_ties), {ten});
  }
  add("dense_wide", family(uniform), {{1000, 4000}});
  add("dense_tall", family(uniform), {{4000, 1000}});
  add("dense_fractional", solve_fractions, {{900, 1000}, thousand, two});
  add("dense_whole_doubles", solve_whole_doubles, {thousand});
  add("dense_geometric_again", solve_again, {thousand, two});
  for (const auto& [name, draw] : voda::test::assignment_families())
    add("dense_uniform~" + joined(name), family(draw), {thousand});
  add("dense_uniform~plateaus",
      family([](int rows, int columns) { return voda::test::uniform_costs(rows, columns, 100); }),
      {five});
  return true;
}();

}  // namespace

#include "instances/sparse_assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "instances/solver_file.hpp"
#include "support/sparse_instances.hpp"
#include "voda/solvers/certificate.hpp"
#include "voda/solvers/sparse_assignment.hpp"
#include "voda/solvers/weighted_matching.hpp"

// Sparse assignment, every answer proven by its prices: sparse_full matches every row at least cost, sparse_partial takes a
// matching of largest weight; weights up to 8, _wide up to 1,000,000. SciPy solves the same instances.

namespace {

using voda::bench::random_edges;
using voda::bench::SparseSize;
using voda::solvers::compress_edges;
using voda::solvers::Coverage;
using voda::solvers::Edge;
using voda::solvers::max_weight_matching;
using voda::solvers::Objective;
using voda::solvers::solve_sparse_assignment;
using voda::solvers::SparseCost;
using voda::solvers::WeightedMatching;

SparseSize size_of(const benchmark::State& state, std::int64_t largest) {
  return {state.range(0), state.range(1), state.range(2), largest};
}

template <class Number>
void write(const std::string& name,
           const SparseSize& size,
           const SparseCost<Number>& cost,
           Objective objective,
           Coverage coverage,
           std::int64_t optimum) {
  const std::string sizes = "/rows:" + std::to_string(size.rows) +
                            "/columns:" + std::to_string(size.columns) +
                            "/edges:" + std::to_string(size.edges);
  if (auto file = voda::bench::SolverFile::wanted(name + sizes, size.rows))
    file->write(cost.view(), objective, coverage, optimum);
}

bool is_proven(const SparseCost<std::int32_t>& weight, const WeightedMatching& matching) {
  std::int64_t prices =
      std::accumulate(matching.row_price.begin(), matching.row_price.end(), std::int64_t{0});
  prices = std::accumulate(matching.column_price.begin(), matching.column_price.end(), prices);
  bool covers = prices == matching.weight;
  for (std::size_t row = 0; row + 1 < weight.row_begin.size(); ++row) {
    for (int at = weight.row_begin[row]; at < weight.row_begin[row + 1]; ++at) {
      const auto edge = static_cast<std::size_t>(at);
      const auto column = static_cast<std::size_t>(weight.column[edge]);
      const auto sum = matching.row_price[row] + matching.column_price[column];
      covers = covers && sum >= weight.cost[edge];
    }
  }
  return covers;
}

void solve_partial(benchmark::State& state, const std::string& name, std::int64_t largest) {
  const SparseSize size = size_of(state, largest);
  const auto edges = random_edges<std::int32_t>(size);
  const auto weight = compress_edges(static_cast<int>(size.rows),
                                     static_cast<int>(size.columns),
                                     std::span<const Edge<std::int32_t>>(edges));
  for (auto _ : state)
    benchmark::DoNotOptimize(max_weight_matching(weight.view()));
  const auto matching = max_weight_matching(weight.view());
  if (!is_proven(weight, matching))
    state.SkipWithError("the prices prove nothing");
  write(name, size, weight, Objective::maximize, Coverage::partial, matching.weight);
}

/// Some of the edges are a diagonal at the highest cost, which lets every row be matched.
void solve_full(benchmark::State& state, const std::string& name, std::int64_t largest) {
  const SparseSize size = size_of(state, largest);
  SparseSize drawn = size;
  drawn.edges -= size.rows;
  auto edges = random_edges<std::int64_t>(drawn);
  for (int row = 0; row < size.rows; ++row)
    edges.push_back({row, static_cast<int>(row % size.columns), largest});
  const auto cost = compress_edges(static_cast<int>(size.rows),
                                   static_cast<int>(size.columns),
                                   std::span<const Edge<std::int64_t>>(edges));
  for (auto _ : state)
    benchmark::DoNotOptimize(solve_sparse_assignment(cost.view()));
  const auto result = solve_sparse_assignment(cost.view());
  const auto fault = certificate_fault(cost.view(), Objective::minimize, Coverage::full, result);
  if (fault) {
    state.SkipWithError(fault->c_str());
    return;
  }
  write(name, size, cost, Objective::minimize, Coverage::full, result.objective);
}

/// The same problem once more, from the prices of its answer.
void solve_again(benchmark::State& state, std::int64_t largest) {
  const auto cost =
      voda::test::SparseInstances(static_cast<int>(state.range(0))).uniform(largest).cost();
  const auto before = solve_sparse_assignment(cost.view());
  const auto again = [&] {
    return solve_sparse_assignment(
        cost.view(), Objective::minimize, Coverage::full, before.column_price);
  };
  for (auto _ : state)
    benchmark::DoNotOptimize(again());
  if (again().objective != before.objective)
    state.SkipWithError("another objective than from scratch");
}

/// One of the families of support/sparse_instances.hpp.
void solve_family(benchmark::State& state, std::size_t number) {
  const auto families = voda::test::SparseInstances::hard(static_cast<int>(state.range(0)));
  const auto cost = families.at(number).cost();
  for (auto _ : state)
    benchmark::DoNotOptimize(solve_sparse_assignment(cost.view()));
  const auto fault = certificate_fault(
      cost.view(), Objective::minimize, Coverage::full, solve_sparse_assignment(cost.view()));
  if (fault)
    state.SkipWithError(fault->c_str());
}

/// The names of benchmarks know no spaces and commas.
std::string joined(std::string name) {
  std::erase(name, ',');
  std::ranges::replace(name, ' ', '_');
  return name;
}

using Solve = void (*)(benchmark::State&, const std::string&, std::int64_t);

void add(const std::string& name,
         Solve solve,
         std::int64_t largest,
         const std::vector<SparseSize>& sizes) {
  auto* added = benchmark::RegisterBenchmark(
      name.c_str(), [=](benchmark::State& state) { solve(state, name, largest); });
  added->ArgNames({"rows", "columns", "edges"})->Unit(benchmark::kMillisecond);
  for (const SparseSize& size : sizes)
    added->Args({size.rows, size.columns, size.edges});
}

[[maybe_unused]] const bool is_registered = [] {
  const std::vector<SparseSize> square{{1000, 1000, 5000},
                                       {5000, 5000, 25'000},
                                       {20'000, 20'000, 100'000},
                                       {100'000, 100'000, 500'000}};
  const std::vector<SparseSize> usual{{20'000, 20'000, 100'000}};
  add("sparse_full", solve_full, 8, square);
  add("sparse_full_wide", solve_full, 1'000'000, square);
  add("sparse_partial", solve_partial, 8, square);
  add("sparse_partial_wide", solve_partial, 1'000'000, square);
  for (const std::int64_t largest : {8, 1'000'000}) {
    const std::string name = largest == 8 ? "sparse_full_again" : "sparse_full_wide_again";
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) { solve_again(state, largest); })
        ->ArgName("rows")
        ->Arg(20'000)
        ->Unit(benchmark::kMillisecond);
  }
  const auto families = voda::test::SparseInstances::hard(20);
  for (std::size_t number = 0; number < families.size(); ++number) {
    const std::string name = "sparse_full~" + joined(families[number].name);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) { solve_family(state, number); })
        ->ArgNames({"rows", "columns", "edges"})
        ->Args({20'000, 20'000, 100'000})
        ->Unit(benchmark::kMillisecond);
  }
  add("sparse_partial~all_equal", solve_partial, 1, usual);
  add("sparse_partial~few_columns", solve_partial, 8, {{20'000, 16'000, 100'000}});
  return true;
}();

}  // namespace

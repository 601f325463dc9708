#include "voda/solvers/sparse_assignment.hpp"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "support/sparse_instances.hpp"
#include "voda/solvers/certificate.hpp"
#include "voda/solvers/weighted_matching.hpp"

namespace {

using voda::solvers::compress_edges;
using voda::solvers::Coverage;
using voda::solvers::Edge;
using voda::solvers::max_weight_matching;
using voda::solvers::Objective;
using voda::solvers::solve_sparse_assignment;
using voda::solvers::SparseCost;
using voda::solvers::WeightedMatching;

constexpr std::uint64_t kSeed = 1;

/// Arguments: rows, columns, edges, largest weight.
template <class Number>
std::vector<Edge<Number>> drawn(const benchmark::State& state) {
  std::mt19937_64 random(kSeed);
  const auto below = [&](std::int64_t limit) {
    return random() % static_cast<std::uint64_t>(limit);
  };
  std::vector<Edge<Number>> edges{};
  for (std::int64_t k = 0; k < state.range(2); ++k) {
    const auto row = static_cast<int>(below(state.range(0)));
    const auto column = static_cast<int>(below(state.range(1)));
    edges.push_back({row, column, static_cast<Number>(1 + below(state.range(3)))});
  }
  return edges;
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

void largest_weight(benchmark::State& state) {
  const auto edges = drawn<std::int32_t>(state);
  const auto weight = compress_edges(static_cast<int>(state.range(0)),
                                     static_cast<int>(state.range(1)),
                                     std::span<const Edge<std::int32_t>>(edges));
  for (auto _ : state) {
    benchmark::DoNotOptimize(max_weight_matching(weight.view()));
  }
  if (!is_proven(weight, max_weight_matching(weight.view()))) {
    state.SkipWithError("the prices prove nothing");
  }
}

void full_matching(benchmark::State& state) {
  auto edges = drawn<std::int64_t>(state);
  for (int row = 0; row < state.range(0); ++row) {
    const auto column = static_cast<int>(row % state.range(1));
    edges.push_back({row, column, state.range(3)});
  }
  const auto cost = compress_edges(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)),
                                   std::span<const Edge<std::int64_t>>(edges));
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_sparse_assignment(cost.view()));
  }
  const auto fault = certificate_fault(
      cost.view(), Objective::minimize, Coverage::full, solve_sparse_assignment(cost.view()));
  if (fault) {
    state.SkipWithError(fault->c_str());
  }
}

/// Argument: largest weight. The same problem again, from the prices of its answer.
void full_matching_again(benchmark::State& state) {
  const auto cost = voda::test::SparseInstances(20'000).uniform(state.range(0)).cost();
  const auto before = solve_sparse_assignment(cost.view());
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_sparse_assignment(
        cost.view(), Objective::minimize, Coverage::full, before.column_price));
  }
}

/// Argument: which of the hard families, 20,000 rows each.
void hard_family(benchmark::State& state) {
  const auto families = voda::test::SparseInstances::hard(20'000);
  const auto& family = families.at(static_cast<std::size_t>(state.range(0)));
  state.SetLabel(family.name);
  const auto cost = family.cost();
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_sparse_assignment(cost.view()));
  }
  const auto fault = certificate_fault(
      cost.view(), Objective::minimize, Coverage::full, solve_sparse_assignment(cost.view()));
  if (fault) {
    state.SkipWithError(fault->c_str());
  }
}

BENCHMARK(largest_weight)
    ->Args({1000, 1000, 4000, 8})
    ->Args({5000, 5000, 30'000, 8})
    ->Args({5000, 4000, 30'000, 8})
    ->Args({20'000, 20'000, 100'000, 8})
    ->Args({20'000, 20'000, 100'000, 1'000'000})
    ->Args({100'000, 100'000, 500'000, 8})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(full_matching)
    ->Args({1000, 1000, 4000, 8})
    ->Args({5000, 4000, 30'000, 8})
    ->Args({20'000, 20'000, 100'000, 8})
    ->Args({20'000, 20'000, 100'000, 1'000'000})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(full_matching_again)->Arg(8)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(hard_family)->DenseRange(0, 14)->Unit(benchmark::kMillisecond);

}  // namespace

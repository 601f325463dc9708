#include "voda/solvers/knapsack.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "instances/knapsack.hpp"
#include "voda/solvers/marginal_gain.hpp"

namespace {

using voda::bench::Gains;
using voda::bench::KnapsackInstance;
using voda::solvers::add_by_marginal_gain;
using voda::solvers::solve_knapsack;
using voda::solvers::solve_knapsack_by_table;

KnapsackInstance drawn(const benchmark::State& state, Gains gains) {
  return voda::bench::knapsack_instance(
      state.range(0), static_cast<std::int32_t>(state.range(1)), gains);
}

void exact_core(benchmark::State& state, Gains gains) {
  const KnapsackInstance problem = drawn(state, gains);
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_knapsack(problem.begin, problem.options, problem.capacity));
  }
  const bool is_small = state.range(0) * state.range(1) <= 10'000'000;
  if (is_small &&
      solve_knapsack(problem.begin, problem.options, problem.capacity).gain !=
          solve_knapsack_by_table(problem.begin, problem.options, problem.capacity).gain) {
    state.SkipWithError("the full table gains more");
  }
}

void marginal_gain(benchmark::State& state) {
  const KnapsackInstance problem = drawn(state, Gains::concave);
  const auto jobs = static_cast<std::size_t>(state.range(0));
  std::vector<std::int32_t> limit(jobs, 0);
  for (std::size_t job = 0; job < jobs; ++job) {
    limit[job] = problem.begin[job + 1] - problem.begin[job];
  }
  const std::vector<std::int32_t> count(jobs, 1);
  const auto gain = [&](std::size_t job, std::int32_t now) {
    const auto next = static_cast<std::size_t>(problem.begin[job] + now);
    return problem.options[next].gain - problem.options[next - 1].gain;
  };
  const std::int64_t budget = state.range(1) - state.range(0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(add_by_marginal_gain(count, limit, budget, gain));
  }
  const auto counts = add_by_marginal_gain(count, limit, budget, gain);
  std::int64_t total = 0;
  for (std::size_t job = 0; job < jobs; ++job) {
    total += problem.options[static_cast<std::size_t>(problem.begin[job] + counts[job] - 1)].gain;
  }
  if (total != solve_knapsack(problem.begin, problem.options, problem.capacity).gain) {
    state.SkipWithError("another choice gains more");
  }
}

void add(const std::string& name, const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(), body)
      ->ArgNames({"jobs", "gpus"})
      ->Args({100, 1000})
      ->Args({1000, 1000})
      ->Args({1000, 10'000})
      ->Args({10'000, 100'000})
      ->Unit(benchmark::kMillisecond);
}

[[maybe_unused]] const bool is_registered = [] {
  const auto exact = [](Gains gains) {
    return [gains](benchmark::State& state) { exact_core(state, gains); };
  };
  add("knapsack", exact(Gains::concave));
  add("knapsack~noisy", exact(Gains::noisy));
  add("knapsack~staircase", exact(Gains::staircase));
  add("knapsack~tied_staircase", exact(Gains::tied_staircase));
  add("marginal_gain", marginal_gain);
  return true;
}();

}  // namespace

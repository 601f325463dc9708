#include "voda/solvers/knapsack.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "voda/solvers/marginal_gain.hpp"

namespace {

using voda::solvers::add_by_marginal_gain;
using voda::solvers::KnapsackOption;
using voda::solvers::solve_knapsack;
using voda::solvers::solve_knapsack_by_table;

constexpr std::uint64_t kSeed = 1;

constexpr std::int64_t kConcave = 0;
constexpr std::int64_t kNoisy = 1;
constexpr std::int64_t kStaircase = 2;
constexpr std::int64_t kTiedStaircase = 3;

struct Problem {
  std::vector<int> begin{0};
  std::vector<KnapsackOption> options{};
  std::int32_t capacity = 0;
};

/// Arguments: shape, jobs, GPUs; up to 64 GPUs a job, speedups in units of 2^-24.
Problem drawn(const benchmark::State& state) {
  std::mt19937_64 random(kSeed);
  Problem problem{.capacity = static_cast<std::int32_t>(state.range(2))};
  for (std::int64_t job = 0; job < state.range(1); ++job) {
    const auto slowdown = static_cast<std::int64_t>(random() % 200);
    const auto most = static_cast<std::int64_t>(1 + random() % 64);
    const bool in_powers = state.range(0) == kStaircase || state.range(0) == kTiedStaircase;
    for (std::int64_t gpus = 1; gpus <= most; ++gpus) {
      std::int64_t power = 1;
      while (power * 2 <= gpus) {
        power *= 2;
      }
      const std::int64_t used = in_powers ? power : gpus;
      const std::int64_t loss = state.range(0) == kTiedStaircase ? 0 : slowdown * (used - 1);
      std::int64_t gain = (used << 24) * 1000 / (1000 + loss);
      if (state.range(0) == kNoisy) {
        gain += static_cast<std::int64_t>(random() % (1U << 20));
      }
      problem.options.push_back({static_cast<std::int32_t>(gpus), gain});
    }
    problem.begin.push_back(static_cast<int>(problem.options.size()));
  }
  return problem;
}

void exact_core(benchmark::State& state) {
  const Problem problem = drawn(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(solve_knapsack(problem.begin, problem.options, problem.capacity));
  }
  const bool is_small = state.range(1) * state.range(2) <= 10'000'000;
  if (is_small &&
      solve_knapsack(problem.begin, problem.options, problem.capacity).gain !=
          solve_knapsack_by_table(problem.begin, problem.options, problem.capacity).gain) {
    state.SkipWithError("the full table gains more");
  }
}

void marginal_gain(benchmark::State& state) {
  const Problem problem = drawn(state);
  const auto jobs = static_cast<std::size_t>(state.range(1));
  std::vector<std::int32_t> limit(jobs, 0);
  for (std::size_t job = 0; job < jobs; ++job) {
    limit[job] = problem.begin[job + 1] - problem.begin[job];
  }
  const std::vector<std::int32_t> count(jobs, 1);
  const auto gain = [&](std::size_t job, std::int32_t now) {
    const auto next = static_cast<std::size_t>(problem.begin[job] + now);
    return problem.options[next].gain - problem.options[next - 1].gain;
  };
  const std::int64_t budget = state.range(2) - state.range(1);
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

BENCHMARK(exact_core)
    ->ArgsProduct({{kConcave, kNoisy, kStaircase, kTiedStaircase}, {1000}, {1000, 10'000}})
    ->ArgsProduct({{kConcave, kNoisy, kStaircase, kTiedStaircase}, {10'000}, {100'000}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(marginal_gain)
    ->Args({kConcave, 1000, 10'000})
    ->Args({kConcave, 10'000, 100'000})
    ->Unit(benchmark::kMillisecond);

}  // namespace

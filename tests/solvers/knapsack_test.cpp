#include "voda/solvers/knapsack.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace knapsack_test {

using voda::solvers::KnapsackOption;
using voda::solvers::KnapsackResult;
using voda::solvers::solve_knapsack;
using voda::solvers::solve_knapsack_by_table;
using voda::solvers::Status;

struct Problem {
  std::vector<int> begin{0};
  std::vector<KnapsackOption> options{};
  std::int32_t capacity = 0;

  void add(const std::vector<KnapsackOption>& of_class) {
    options.insert(options.end(), of_class.begin(), of_class.end());
    begin.push_back(static_cast<int>(options.size()));
  }

  [[nodiscard]] KnapsackResult solve() const { return solve_knapsack(begin, options, capacity); }

  [[nodiscard]] KnapsackResult table() const {
    return solve_knapsack_by_table(begin, options, capacity);
  }
};

enum class Shape { concave, noisy, staircase, falling, equal, tied, unsorted };
constexpr Shape kShapes[] = {Shape::concave,
                             Shape::noisy,
                             Shape::staircase,
                             Shape::falling,
                             Shape::equal,
                             Shape::tied,
                             Shape::unsorted};

/// One gain curve over costs 1, 2, ..., `length`, in units of 2^-24 as speedups are.
std::vector<KnapsackOption> curve(std::mt19937_64& random, Shape shape, int length) {
  std::vector<KnapsackOption> result{};
  const auto slowdown = static_cast<std::int64_t>(random() % 200);
  const auto concave = [&](std::int64_t gpus) {
    return (gpus << 24) * 1000 / (1000 + slowdown * (gpus - 1));
  };
  for (int gpus = 1; gpus <= length; ++gpus) {
    const auto noise = static_cast<std::int64_t>(random() % (1 << 22));
    std::int64_t power = 1;
    while (power * 2 <= gpus) {
      power *= 2;
    }
    std::int32_t cost = gpus;
    std::int64_t gain = concave(gpus);
    switch (shape) {
      case Shape::concave:
        break;
      case Shape::noisy:
        gain += noise;
        break;
      case Shape::staircase:
        gain = power;
        break;
      case Shape::falling:
        gain = concave(1) - noise * gpus;
        break;
      case Shape::equal:
        gain = 7;
        break;
      case Shape::tied:
        gain = noise % 4;
        break;
      case Shape::unsorted:
        cost = static_cast<std::int32_t>(noise % 12);
        gain = noise % 9 - 4;
        break;
    }
    result.push_back({cost, gain});
  }
  return result;
}

Problem drawn(std::mt19937_64& random, Shape shape, int classes, int longest, int capacity) {
  Problem problem{.capacity = capacity};
  for (int k = 0; k < classes; ++k) {
    const auto length = 1 + static_cast<int>(random() % static_cast<unsigned>(longest));
    problem.add(curve(random, shape, length));
  }
  return problem;
}

/// The options chosen are within the capacity and have the totals given.
bool is_consistent(const Problem& problem, const KnapsackResult& result) {
  std::int64_t gain = 0;
  std::int64_t cost = 0;
  for (std::size_t k = 0; k < result.option_of_class.size(); ++k) {
    const int at = problem.begin[k] + result.option_of_class[k];
    if (at < problem.begin[k] || at >= problem.begin[k + 1]) {
      return false;
    }
    gain += problem.options[static_cast<std::size_t>(at)].gain;
    cost += problem.options[static_cast<std::size_t>(at)].cost;
  }
  return result.option_of_class.size() + 1 == problem.begin.size() && gain == result.gain &&
         cost == result.cost && cost <= problem.capacity;
}

/// Largest gain, then smallest cost, over all choices.
std::optional<std::pair<std::int64_t, std::int64_t>> best_by_brute_force(const Problem& problem,
                                                                         std::size_t from,
                                                                         std::int64_t left) {
  if (left < 0) {
    return std::nullopt;
  }
  if (from + 1 == problem.begin.size()) {
    return std::pair<std::int64_t, std::int64_t>{0, 0};
  }
  std::optional<std::pair<std::int64_t, std::int64_t>> best{};
  for (int at = problem.begin[from]; at < problem.begin[from + 1]; ++at) {
    const KnapsackOption& option = problem.options[static_cast<std::size_t>(at)];
    auto rest = best_by_brute_force(problem, from + 1, left - option.cost);
    if (rest) {
      rest->first += option.gain;
      rest->second -= option.cost;  // negated, so that the larger pair is the better one
      best = best ? std::max(*best, *rest) : *rest;
    }
  }
  return best;
}

TEST(SolveKnapsack, TakesLargestGain) {
  // By hand: 10 + 9 at cost 5 beats 13 + 1 and 10 + 1.
  Problem problem{.capacity = 5};
  problem.add({{1, 4}, {2, 10}, {4, 13}});
  problem.add({{1, 1}, {3, 9}});

  const auto result = problem.solve();

  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(result.gain, 19);
  EXPECT_EQ(result.cost, 5);
  EXPECT_EQ(result.option_of_class, (std::vector<int>{1, 1}));
}

TEST(SolveKnapsack, PrefersFewerCostAmongEqualGains) {
  // Both classes reach their best gain early; the rest of the capacity stays free.
  Problem problem{.capacity = 100};
  problem.add({{1, 5}, {2, 8}, {3, 8}, {4, 7}});
  problem.add({{1, 2}, {5, 2}});

  const auto result = problem.solve();

  EXPECT_EQ(result.gain, 10);
  EXPECT_EQ(result.cost, 3);
}

TEST(SolveKnapsack, FillsAHoleBesideTheUpperHull) {
  // By hand: hull steps are 4 long; with 6 spare, 4 + 2 gains 40 + 15, which no whole hull step
  // reaches.
  Problem problem{.capacity = 8};
  problem.add({{1, 0}, {3, 15}, {5, 40}});
  problem.add({{1, 0}, {3, 14}, {5, 40}});

  EXPECT_EQ(problem.solve().gain, 55);
}

TEST(SolveKnapsack, IsInfeasibleWhenTheCheapestChoiceCostsTooMuch) {
  Problem problem{.capacity = 4};
  problem.add({{2, 1}, {3, 5}});
  problem.add({{3, 1}});

  EXPECT_EQ(problem.solve().status, Status::infeasible);
  EXPECT_EQ(problem.table().status, Status::infeasible);
}

TEST(SolveKnapsack, IsInfeasibleForAClassWithoutOptions) {
  Problem problem{.capacity = 4};
  problem.add({});

  EXPECT_EQ(problem.solve().status, Status::infeasible);
}

TEST(SolveKnapsack, HasNothingToChooseWithoutClasses) {
  const auto result = solve_knapsack({}, {}, 3);

  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(result.gain, 0);
}

TEST(SolveKnapsack, MatchesBruteForceOnSmallProblems) {
  std::mt19937_64 random(31);
  for (int trial = 0; trial < 7000; ++trial) {
    const auto problem = drawn(random,
                               kShapes[trial % 7],
                               1 + static_cast<int>(random() % 4),
                               8,
                               static_cast<int>(random() % 30));
    const auto expected = best_by_brute_force(problem, 0, problem.capacity);
    for (const auto& result : {problem.solve(), problem.table()}) {
      ASSERT_EQ(result.status == Status::optimal, expected.has_value());
      if (expected) {
        ASSERT_TRUE(is_consistent(problem, result));
        ASSERT_EQ(result.gain, expected->first);
        ASSERT_EQ(result.cost, -expected->second);
      }
    }
  }
}

RC_GTEST_PROP(SolveKnapsack, MatchesTheFullTable, ()) {
  const std::vector<Shape> shapes(std::begin(kShapes), std::end(kShapes));
  const auto shape = *rc::gen::elementOf(shapes);
  const auto classes = *rc::gen::inRange(1, 60);
  const auto longest = *rc::gen::inRange(1, 40);
  const auto capacity = *rc::gen::inRange(0, 800);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto problem = drawn(random, shape, classes, longest, capacity);
  const auto fast = problem.solve();
  const auto exact = problem.table();
  RC_ASSERT(fast.status == exact.status);
  RC_ASSERT(fast.gain == exact.gain);
  RC_ASSERT(fast.cost == exact.cost);
  RC_ASSERT(fast.status == Status::infeasible || is_consistent(problem, fast));
}

TEST(SolveKnapsack, MatchesTheFullTableOnMixedShapes) {
  std::mt19937_64 random(32);
  for (int trial = 0; trial < 200; ++trial) {
    Problem problem{.capacity = static_cast<std::int32_t>(random() % 1500)};
    for (int k = 0; k < 50; ++k) {
      problem.add(curve(random, kShapes[random() % 7], 1 + static_cast<int>(random() % 64)));
    }
    ASSERT_EQ(problem.solve().gain, problem.table().gain);
    ASSERT_EQ(problem.solve().cost, problem.table().cost);
  }
}

TEST(SolveKnapsack, MatchesTheFullTableOnEqualClassesThatLeaveAGap) {
  // Steps of 7 and 5 along equal hulls: no whole number of them fills every capacity, and all ties
  // are exact.
  for (int capacity = 40; capacity < 400; ++capacity) {
    Problem problem{.capacity = capacity};
    for (int k = 0; k < 40; ++k) {
      const std::int64_t step = k % 2 == 0 ? 7 : 5;
      problem.add({{1, 0},
                   {2, 1},
                   {static_cast<std::int32_t>(step + 1), 100 * step},
                   {static_cast<std::int32_t>(2 * step + 1), 200 * step}});
    }
    ASSERT_EQ(problem.solve().gain, problem.table().gain) << capacity;
    ASSERT_EQ(problem.solve().cost, problem.table().cost) << capacity;
  }
}

TEST(SolveKnapsack, IsExactForGainsThatNeedMoreThan64Bits) {
  std::mt19937_64 random(33);
  for (int trial = 0; trial < 60; ++trial) {
    Problem problem = drawn(random, kShapes[trial % 3], 30, 40, 600);
    for (KnapsackOption& option : problem.options) {
      option.gain = (option.gain << 20) + static_cast<std::int64_t>(random() % 1000);
    }
    ASSERT_EQ(problem.solve().gain, problem.table().gain);
    ASSERT_EQ(problem.solve().cost, problem.table().cost);
  }
}

TEST(SolveKnapsack, TakesAHundredThousandClassesOfTheLargestGains) {
  // Each step gains 2^44 / 4 per unit up to 4; by hand 100,000 units above the minimum buy 100,000
  // steps.
  constexpr std::int64_t kStep = std::int64_t{1} << 42;
  Problem problem{.capacity = 200'000};
  for (int k = 0; k < 100'000; ++k) {
    problem.add({{1, kStep}, {2, 2 * kStep}, {3, 3 * kStep}, {4, 4 * kStep}});
  }

  EXPECT_EQ(problem.solve().gain, 200'000 * kStep);
}

TEST(SolveKnapsack, RefusesGainsWhoseSumCouldOverflow) {
  Problem problem{.capacity = 10};
  problem.add({{1, std::int64_t{1} << 60}});
  EXPECT_EQ(problem.solve().gain, std::int64_t{1} << 60);

  problem.add({{1, -(std::int64_t{1} << 60)}});
  EXPECT_THROW(static_cast<void>(problem.solve()), std::invalid_argument);
}

TEST(SolveKnapsack, RefusesNegativeCosts) {
  Problem problem{.capacity = 10};
  problem.add({{-1, 3}});
  EXPECT_THROW(static_cast<void>(problem.solve()), std::invalid_argument);
}

TEST(SolveKnapsack, AnswersTheSameTwice) {
  std::mt19937_64 random(34);
  const auto problem = drawn(random, Shape::tied, 200, 30, 900);

  EXPECT_EQ(problem.solve().option_of_class, problem.solve().option_of_class);
}

// What one problem leaves behind must not reach the next.
TEST(KnapsackSolver, AnswersEachProblemAsIfItWereTheFirst) {
  std::mt19937_64 random(11);
  voda::solvers::KnapsackSolver solver;
  for (int i = 0; i < 300; ++i) {
    Problem problem{.capacity = static_cast<std::int32_t>(random() % 60)};
    const auto classes = random() % 12;
    for (std::uint64_t k = 0; k < classes; ++k)
      problem.add(curve(
          random, kShapes[random() % std::size(kShapes)], 1 + static_cast<int>(random() % 9)));

    const KnapsackResult& result = solver.solve(problem.begin, problem.options, problem.capacity);
    const KnapsackResult expected = problem.table();

    ASSERT_EQ(result.status, expected.status) << i;
    EXPECT_EQ(result.gain, expected.gain) << i;
    EXPECT_EQ(result.cost, expected.cost) << i;
    EXPECT_EQ(result.option_of_class, problem.solve().option_of_class) << i;
  }
}

}  // namespace knapsack_test

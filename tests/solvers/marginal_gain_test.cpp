#include "voda/solvers/marginal_gain.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "voda/solvers/knapsack.hpp"

namespace marginal_gain_test {

using voda::solvers::add_by_marginal_gain;
using Counts = std::vector<std::int32_t>;

TEST(AddByMarginalGain, GivesEachUnitToTheLargestGain) {
  // Gains by hand: item 0: 5, 3, 1; item 1: 4, 4, 4. Units go 0, 1, 1, 1, 0.
  const std::vector<std::vector<int>> gains{{5, 3, 1}, {4, 4, 4}};
  const auto gain = [&](std::size_t item, std::int32_t count) {
    return gains[item][static_cast<std::size_t>(count)];
  };

  EXPECT_EQ(add_by_marginal_gain(Counts{0, 0}, Counts{3, 3}, 5, gain), (Counts{2, 3}));
}

TEST(AddByMarginalGain, BreaksTiesToTheLowerIndex) {
  const auto gain = [](std::size_t, std::int32_t count) { return 10 - count; };

  EXPECT_EQ(add_by_marginal_gain(Counts{0, 0, 0}, Counts{9, 9, 9}, 4, gain), (Counts{2, 1, 1}));
}

TEST(AddByMarginalGain, StopsAtLimitsAndAtGainsThatAreNotPositive) {
  const auto gain = [](std::size_t item, std::int32_t count) {
    return item == 0 ? 1.0 : 2.0 - static_cast<double>(count);
  };

  EXPECT_EQ(add_by_marginal_gain(Counts{1, 0}, Counts{3, 9}, 100, gain), (Counts{3, 2}));
}

TEST(AddByMarginalGain, LeavesItemsWithoutANumber) {
  const auto gain = [](std::size_t item, std::int32_t) {
    return item == 0 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
  };

  EXPECT_EQ(add_by_marginal_gain(Counts{0, 0}, Counts{5, 5}, 3, gain), (Counts{0, 3}));
}

TEST(AddByMarginalGain, KeepsCountsAtOrAboveTheirLimit) {
  const auto gain = [](std::size_t, std::int32_t) { return 1; };

  EXPECT_EQ(add_by_marginal_gain(Counts{4, 1}, Counts{2, 1}, 3, gain), (Counts{4, 1}));
}

TEST(AddByMarginalGain, HandsOutNothingWithoutBudget) {
  const auto gain = [](std::size_t, std::int32_t) { return 1; };

  EXPECT_EQ(add_by_marginal_gain(Counts{0}, Counts{2}, 0, gain), (Counts{0}));
  EXPECT_EQ(add_by_marginal_gain(Counts{0}, Counts{2}, -1, gain), (Counts{0}));
  EXPECT_TRUE(add_by_marginal_gain(Counts{}, Counts{}, 7, gain).empty());
}

TEST(AddByMarginalGain, RefusesUnequalSizes) {
  const auto gain = [](std::size_t, std::int32_t) { return 1; };

  EXPECT_THROW(static_cast<void>(add_by_marginal_gain(Counts{0}, Counts{}, 1, gain)),
               std::invalid_argument);
}

TEST(AddByMarginalGain, IsOptimalForGainsThatNeverRise) {
  std::mt19937_64 random(41);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t items = 1 + random() % 12;
    const auto budget = static_cast<std::int32_t>(random() % 60);
    std::vector<std::vector<std::int64_t>> gains(items);
    std::vector<int> begin{0};
    std::vector<voda::solvers::KnapsackOption> options{};
    for (auto& of_item : gains) {
      std::int64_t gain = 20;
      std::int64_t total = 0;
      options.push_back({0, 0});
      for (std::int32_t count = 1; count <= 8; ++count) {
        gain -= static_cast<std::int64_t>(random() % 5);
        of_item.push_back(gain);
        total += gain;
        options.push_back({count, total});
      }
      begin.push_back(static_cast<int>(options.size()));
    }

    const auto counts = add_by_marginal_gain(
        Counts(items, 0), Counts(items, 8), budget, [&](std::size_t item, std::int32_t count) {
          return gains[item][static_cast<std::size_t>(count)];
        });

    std::int64_t total = 0;
    for (std::size_t item = 0; item < items; ++item) {
      total +=
          std::accumulate(gains[item].begin(), gains[item].begin() + counts[item], std::int64_t{0});
    }
    const auto exact = voda::solvers::solve_knapsack_by_table(begin, options, budget);
    ASSERT_EQ(total, exact.gain);
    ASSERT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), exact.cost);
  }
}

}  // namespace marginal_gain_test

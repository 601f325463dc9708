#include "voda/solvers/weighted_matching.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weighted_matching_test {

using voda::solvers::compress_edges;
using voda::solvers::Edge;
using voda::solvers::max_weight_matching;
using voda::solvers::WeightedMatching;
using Edges = std::vector<Edge<std::int32_t>>;

WeightedMatching solved(int rows, int columns, const Edges& edges) {
  return max_weight_matching(
      compress_edges(rows, columns, std::span<const Edge<std::int32_t>>(edges)).view());
}

Edges drawn(std::mt19937_64& random, int rows, int columns, int count, std::int32_t largest) {
  Edges edges{};
  for (int k = 0; k < count; ++k) {
    const auto row = static_cast<int>(random() % static_cast<unsigned>(rows));
    const auto column = static_cast<int>(random() % static_cast<unsigned>(columns));
    edges.push_back(
        {row, column, 1 + static_cast<std::int32_t>(random() % static_cast<unsigned>(largest))});
  }
  return edges;
}

/// The certificate, and that the matching weighs what it says.
bool is_proven(const Edges& edges, const WeightedMatching& matching) {
  std::int64_t prices = 0;
  bool covers = true;
  for (const auto* side : {&matching.row_price, &matching.column_price}) {
    for (const std::int32_t price : *side) {
      covers = covers && price >= 0;
      prices += price;
    }
  }
  std::vector<std::int64_t> weight(matching.column_of_row.size(), 0);
  for (const auto& edge : edges) {
    const auto row = static_cast<std::size_t>(edge.row);
    const auto column = static_cast<std::size_t>(edge.column);
    covers = covers && matching.row_price[row] + matching.column_price[column] >= edge.cost;
    if (matching.column_of_row[row] == edge.column) {
      weight[row] = std::max<std::int64_t>(weight[row], edge.cost);
    }
  }
  std::vector<int> used{};
  std::copy_if(matching.column_of_row.begin(),
               matching.column_of_row.end(),
               std::back_inserter(used),
               [](int column) { return column >= 0; });
  std::sort(used.begin(), used.end());
  const bool once = std::adjacent_find(used.begin(), used.end()) == used.end();
  const auto total = std::accumulate(weight.begin(), weight.end(), std::int64_t{0});
  return covers && once && prices == matching.weight && total == matching.weight;
}

std::int64_t best_by_brute_force(const Edges& edges, int row, int rows, unsigned used) {
  if (row == rows) {
    return 0;
  }
  std::int64_t best = best_by_brute_force(edges, row + 1, rows, used);
  for (const auto& edge : edges) {
    if (edge.row == row && (used >> edge.column & 1U) == 0) {
      const auto rest = best_by_brute_force(edges, row + 1, rows, used | 1U << edge.column);
      best = std::max(best, edge.cost + rest);
    }
  }
  return best;
}

TEST(MaxWeightMatching, PrefersWeightToNumberOfPairs) {
  // By hand: 8 alone beats 3 + 4.
  const Edges edges{{0, 0, 3}, {0, 1, 8}, {1, 1, 4}};

  const auto matching = solved(2, 2, edges);

  EXPECT_EQ(matching.weight, 8);
  EXPECT_EQ(matching.column_of_row, (std::vector<int>{1, -1}));
}

TEST(MaxWeightMatching, NeverUsesAWeightThatIsNotPositive) {
  const auto matching = solved(2, 2, {{0, 0, 0}, {1, 1, -5}});

  EXPECT_EQ(matching.weight, 0);
  EXPECT_EQ(matching.column_of_row, (std::vector<int>{-1, -1}));
  EXPECT_EQ(matching.row_price, (std::vector<std::int32_t>{0, 0}));
}

TEST(MaxWeightMatching, IsEmptyWithoutRows) {
  EXPECT_EQ(max_weight_matching({}).weight, 0);
  EXPECT_EQ(solved(0, 3, {}).column_price.size(), 3U);
}

TEST(MaxWeightMatching, RefusesWeightsBeyondTheLimit) {
  EXPECT_THROW(static_cast<void>(solved(1, 1, {{0, 0, (1 << 28) + 1}})), std::invalid_argument);
  EXPECT_EQ(solved(1, 1, {{0, 0, 1 << 28}}).weight, 1 << 28);
}

TEST(MaxWeightMatching, MatchesBruteForceOnSmallProblems) {
  std::mt19937_64 random(21);
  for (int trial = 0; trial < 4000; ++trial) {
    const auto rows = 1 + static_cast<int>(random() % 6);
    const auto columns = 1 + static_cast<int>(random() % 6);
    const auto edges =
        drawn(random, rows, columns, static_cast<int>(random() % 16), trial % 2 == 0 ? 8 : 5000);

    const auto matching = solved(rows, columns, edges);

    ASSERT_TRUE(is_proven(edges, matching));
    ASSERT_EQ(matching.weight, best_by_brute_force(edges, 0, rows, 0));
  }
}

RC_GTEST_PROP(MaxWeightMatching, IsProvenByItsPrices, ()) {
  const auto rows = *rc::gen::inRange(1, 400);
  const auto columns = *rc::gen::inRange(1, 400);
  const auto degree = *rc::gen::inRange(1, 7);
  const auto largest = *rc::gen::element(1, 2, 8, 1024, 1025, 1 << 28);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto edges = drawn(random, rows, columns, rows * degree, largest);
  RC_ASSERT(is_proven(edges, solved(rows, columns, edges)));
}

}  // namespace weighted_matching_test

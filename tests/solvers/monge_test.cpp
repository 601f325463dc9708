#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/assignment_instances.hpp"
#include "voda/solvers/assignment.hpp"
#include "voda/solvers/certificate.hpp"

// Monge arrays in any order of rows and columns, which have a method of their own.

namespace monge_test {

using namespace voda::solvers;
using voda::test::CostMatrix;
using voda::test::costs_of;

std::mt19937_64 any_random() {
  return std::mt19937_64(*rc::gen::arbitrary<std::uint64_t>());
}

std::vector<int> shuffled(int size, std::mt19937_64& random) {
  std::vector<int> order(static_cast<std::size_t>(size));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random() % i]);
  return order;
}

CostMatrix in_any_order(const CostMatrix& cost, std::mt19937_64& random) {
  const auto rows = shuffled(static_cast<int>(cost.rows()), random);
  const auto columns = shuffled(static_cast<int>(cost.cols()), random);
  return cost(rows, columns);
}

/// a(i) + b(j) less the sum over all k <= i, l <= j of some d(k, l) >= 0: every Monge array is of this form. The smaller
/// `odds`, the more of d is 0.
CostMatrix any_monge(int size, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t limit) {
    return static_cast<std::int64_t>(random() % limit);
  };
  const auto odds = static_cast<std::int64_t>(*rc::gen::inRange(1, 8));
  CostMatrix cost = CostMatrix::Zero(size, size);
  for (Eigen::Index row = 0; row < size; ++row) {
    for (Eigen::Index column = 0; column < size; ++column) {
      const std::int64_t density = below(8) < odds ? below(100) : 0;
      cost(row, column) = (row > 0 ? cost(row - 1, column) : 0) +
                          (column > 0 ? cost(row, column - 1) : 0) -
                          (row > 0 && column > 0 ? cost(row - 1, column - 1) : 0) - density;
    }
  }
  for (Eigen::Index i = 0; i < size; ++i) {
    cost.row(i).array() += below(5000);
    cost.col(i).array() += below(5000) - 2500;
  }
  return cost;
}

RC_GTEST_PROP(MongeArrays, AreSolvedInAnyOrder, ()) {
  auto random = any_random();
  const auto size = *rc::gen::inRange(1, 40);
  const CostMatrix sorted = any_monge(size, random);
  const CostMatrix cost = in_any_order(sorted, random);

  const auto smallest = solve_assignment(cost);
  const auto largest = solve_assignment(-cost, Objective::maximize);

  RC_ASSERT(smallest.objective == sorted.diagonal().sum());
  RC_ASSERT(largest.objective == -smallest.objective);
  RC_ASSERT(certificate_fault(cost, Objective::minimize, smallest) == std::nullopt);
  RC_ASSERT(certificate_fault(-cost, Objective::maximize, largest) == std::nullopt);
}

RC_GTEST_PROP(MongeArrays, WithAFaultAreSolvedAsWell, ()) {
  auto random = any_random();
  const auto size = *rc::gen::inRange(8, 40);
  CostMatrix cost = in_any_order(any_monge(size, random), random);
  cost(*rc::gen::inRange(0, size), *rc::gen::inRange(0, size)) += *rc::gen::inRange(-300, 300);

  const auto result = solve_assignment(cost);

  RC_ASSERT(certificate_fault(cost, Objective::minimize, result) == std::nullopt);
}

/// Without a search, as the diagonal is the answer.
void expect_no_search(const CostMatrix& sorted) {
  std::mt19937_64 random(20260101);
  for (const CostMatrix& cost : {sorted, in_any_order(sorted, random)}) {
    const auto result = solve_assignment(cost);
    EXPECT_EQ(result.effort.searches, 0);
    EXPECT_EQ(result.objective, sorted.diagonal().sum());
    EXPECT_EQ(certificate_fault(cost, Objective::minimize, result), std::nullopt);
  }
}

TEST(MongeArrays, ThatHurtShortestPathsNeedNoSearch) {
  constexpr int size = 200;
  expect_no_search(
      costs_of(size, size, [](auto row, auto column) { return row * (size - column); }));
  expect_no_search(
      costs_of(size, size, [](auto row, auto column) { return -std::min(row, column); }));
  expect_no_search(costs_of(
      size, size, [](auto row, auto column) { return (row - column) * (row - column) * 1000; }));
  expect_no_search(costs_of(
      size, size, [](auto row, auto column) { return std::abs(row * row - column * column - 7); }));
}

/// Costs of two numbers each, of which many are equal or beyond all others on one side.
TEST(MongeArrays, OfRepeatedAndSharedNumbersAreFoundInMostOrders) {
  constexpr int size = 60;
  constexpr int orders = 20;
  using Cost = std::int64_t (*)(std::int64_t, std::int64_t);
  const std::vector<std::pair<const char*, Cost>> families{
      {"distance", [](std::int64_t x, std::int64_t y) { return std::abs(x - y); }},
      {"smaller", [](std::int64_t x, std::int64_t y) { return -std::min(x, y); }},
      {"excess", [](std::int64_t x, std::int64_t y) { return std::max<std::int64_t>(0, x - y); }}};
  std::mt19937_64 random(20260102);
  for (const auto& [name, family] : families) {
    const Cost cost_of = family;
    for (const std::uint64_t values : {20ULL, 60ULL, 1ULL << 20}) {
      int found = 0;
      for (int order = 0; order < orders; ++order) {
        std::vector<std::int64_t> x(size);
        std::vector<std::int64_t> y(size);
        for (auto* side : {&x, &y}) {
          for (auto& number : *side)
            number = static_cast<std::int64_t>(random() % values);
        }
        const CostMatrix cost = costs_of(size, size, [&](auto row, auto column) {
          return cost_of(x[static_cast<std::size_t>(row)], y[static_cast<std::size_t>(column)]);
        });
        const auto result = solve_assignment(cost);
        EXPECT_EQ(certificate_fault(cost, Objective::minimize, result), std::nullopt);
        found += result.effort.searches == 0 ? 1 : 0;
      }
      EXPECT_GE(found, orders - 2) << name << " of numbers below " << values;
    }
  }
}

TEST(MongeArrays, AreSolvedInWholeDoubles) {
  constexpr int size = 100;
  const CostMatrix cost =
      costs_of(size, size, [](auto row, auto column) { return row * (size - column); });
  const voda::solvers::CostMatrix<double> doubles = cost.cast<double>();
  const auto result = solve_assignment(doubles);
  EXPECT_EQ(result.effort.searches, 0);
  EXPECT_EQ(result.objective, static_cast<double>(cost.diagonal().sum()));
}

TEST(MongeArrays, ThatNeed64BitsNeedNoSearch) {
  constexpr int size = 60;
  expect_no_search(costs_of(size, size, [](auto row, auto column) {
    return (row * (size - column)) * (std::int64_t{1} << 38);
  }));
}

}  // namespace monge_test

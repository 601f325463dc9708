#include "voda/solvers/assignment.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "voda/solvers/certificate.hpp"

namespace assignment_test {

using voda::solvers::AssignmentResult;
using voda::solvers::certificate_fault;
using voda::solvers::CostMatrix;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;
using voda::solvers::Status;
using Integers = CostMatrix<std::int64_t>;
using Doubles = CostMatrix<double>;

constexpr std::int64_t kTwoTo53 = std::int64_t{1} << 53;
constexpr Objective kObjectives[] = {Objective::minimize, Objective::maximize};

/// Tries every way to match the shorter side in full.
template <class Number>
class BruteForce {
 public:
  BruteForce(const CostMatrix<Number>& cost, Objective objective)
      : cost_(cost), sign_(objective == Objective::minimize ? 1 : -1) {}

  Number best() {
    search(0, 0, static_cast<int>(std::max<Eigen::Index>(0, cost_.rows() - cost_.cols())), 0);
    return found_ ? best_ * sign_ : 0;
  }

 private:
  void search(int row, unsigned used, int may_skip, Number sum) {
    if (row == cost_.rows()) {
      best_ = found_ ? std::min(best_, sum) : sum;
      found_ = true;
      return;
    }
    if (may_skip > 0) {
      search(row + 1, used, may_skip - 1, sum);
    }
    for (int column = 0; column < cost_.cols(); ++column) {
      if ((used >> column & 1U) == 0) {
        search(row + 1, used | 1U << column, may_skip, sum + sign_ * cost_(row, column));
      }
    }
  }

  const CostMatrix<Number>& cost_;
  Number sign_ = 1;
  Number best_ = 0;
  bool found_ = false;
};

template <class Number, class Draw>
CostMatrix<Number> drawn(int rows, int columns, Draw draw) {
  CostMatrix<Number> cost(rows, columns);
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      cost(row, column) = static_cast<Number>(draw());
    }
  }
  return cost;
}

/// Uniform in [low, high], the same on every machine.
std::int64_t between(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
}

template <class Number>
void expect_optimal(const CostMatrix<Number>& cost,
                    Objective objective,
                    const AssignmentResult<Number>& result) {
  if constexpr (std::is_same_v<Number, double>) {
    const double largest = cost.size() == 0 ? 0.0 : cost.cwiseAbs().maxCoeff();
    EXPECT_EQ(certificate_fault(cost, objective, result, 1e-13 * largest), std::nullopt);
  } else {
    EXPECT_EQ(certificate_fault(cost, objective, result), std::nullopt);
  }
}

std::string message_of(const Doubles& cost) {
  try {
    static_cast<void>(solve_assignment(cost));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(SolveAssignment, AgreesWithTheExampleInTheScipyManual) {
  // scipy.optimize.linear_sum_assignment, Examples: columns [1, 0, 2], sum 5.
  const Integers cost{{4, 1, 3}, {2, 0, 5}, {3, 2, 2}};

  const auto result = solve_assignment(cost);

  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(result.column_of_row, (std::vector<int>{1, 0, 2}));
  EXPECT_EQ(result.objective, 5);
}

TEST(SolveAssignment, MaximizesWhenAsked) {
  // By hand: 4 + 5 + 2 = 11 is the largest of 4+0+2, 4+5+2, 1+2+2, 1+5+3, 3+2+2, 3+0+3.
  const Integers cost{{4, 1, 3}, {2, 0, 5}, {3, 2, 2}};

  EXPECT_EQ(solve_assignment(cost, Objective::maximize).objective, 11);
}

TEST(SolveAssignment, LeavesWorstRowOfATallMatrixUnmatched) {
  const Integers cost{{7}, {3}, {5}};

  const auto result = solve_assignment(cost);

  EXPECT_EQ(result.column_of_row, (std::vector<int>{-1, 0, -1}));
  EXPECT_EQ(result.objective, 3);
  expect_optimal(cost, Objective::minimize, result);
}

TEST(SolveAssignment, SolvesASinglePair) {
  const auto result = solve_assignment(Integers{{-9}});

  EXPECT_EQ(result.objective, -9);
  EXPECT_EQ(result.row_price[0] + result.column_price[0], -9);
}

TEST(SolveAssignment, HasNothingToDoWithoutRowsOrColumns) {
  const auto no_rows = solve_assignment(Integers(0, 3));
  const auto no_columns = solve_assignment(Doubles(2, 0));

  EXPECT_EQ(no_rows.status, Status::optimal);
  EXPECT_EQ(no_rows.column_price, (std::vector<std::int64_t>{0, 0, 0}));
  EXPECT_EQ(no_columns.column_of_row, (std::vector<int>{-1, -1}));
  EXPECT_EQ(no_columns.row_price, (std::vector<double>{0, 0}));
}

TEST(SolveAssignment, MatchesBruteForceOnEverySmallShape) {
  std::mt19937_64 random(1);
  for (int rows = 0; rows <= 6; ++rows) {
    for (int columns = 0; columns <= 6; ++columns) {
      for (int trial = 0; trial < 12; ++trial) {
        const std::int64_t range = trial % 3 == 0 ? 2 : (trial % 3 == 1 ? 10 : 1'000'000);
        const auto whole =
            drawn<std::int64_t>(rows, columns, [&] { return between(random, -range, range); });
        const Doubles eighths = whole.cast<double>() / 8.0;  // exact in binary
        for (const Objective objective : kObjectives) {
          const auto integers = solve_assignment(whole, objective);
          const auto doubles = solve_assignment(eighths, objective);

          expect_optimal(whole, objective, integers);
          expect_optimal(eighths, objective, doubles);
          EXPECT_EQ(integers.objective, BruteForce<std::int64_t>(whole, objective).best());
          EXPECT_EQ(doubles.objective, BruteForce<double>(eighths, objective).best());
        }
      }
    }
  }
}

RC_GTEST_PROP(SolveAssignment, IsCertifiedForIntegersOfAnyRange, ()) {
  const auto rows = *rc::gen::inRange(1, 90);
  const auto columns = *rc::gen::inRange(1, 150);
  const auto bits = *rc::gen::inRange(0, 54);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const std::int64_t range = std::int64_t{1} << bits;
  const auto cost =
      drawn<std::int64_t>(rows, columns, [&] { return between(random, -range, range); });
  for (const Objective objective : kObjectives) {
    const auto result = solve_assignment(cost, objective);
    RC_ASSERT(certificate_fault(cost, objective, result) == std::nullopt);
  }
}

RC_GTEST_PROP(SolveAssignment, IsCertifiedForDoublesUpToRounding, ()) {
  const auto rows = *rc::gen::inRange(1, 90);
  const auto columns = *rc::gen::inRange(1, 150);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto cost = drawn<double>(rows, columns, [&] {
    return static_cast<double>(between(random, -1'000'000, 1'000'000)) / 7.0;
  });
  for (const Objective objective : kObjectives) {
    RC_ASSERT(certificate_fault(cost, objective, solve_assignment(cost, objective), 1e-9) ==
              std::nullopt);
  }
}

RC_GTEST_PROP(SolveAssignment, KeepsItsObjectiveWhenRowsAndColumnsArePermuted, ()) {
  const auto rows = *rc::gen::inRange(1, 40);
  const auto columns = *rc::gen::inRange(1, 40);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto cost = drawn<std::int64_t>(rows, columns, [&] { return between(random, 0, 9); });
  const Integers turned = cost.colwise().reverse().rowwise().reverse();
  RC_ASSERT(solve_assignment(cost).objective == solve_assignment(turned).objective);
  const Integers upright = cost.transpose();
  RC_ASSERT(solve_assignment(cost).objective == solve_assignment(upright).objective);
}

RC_GTEST_PROP(SolveAssignment, AnswersWholeDoublesLikeIntegers, ()) {
  const auto rows = *rc::gen::inRange(1, 30);
  const auto columns = *rc::gen::inRange(1, 30);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto cost =
      drawn<std::int64_t>(rows, columns, [&] { return between(random, -1'000'000'000, 1'000); });
  const auto integers = solve_assignment(cost);
  const auto doubles = solve_assignment(Doubles(cost.cast<double>()));
  RC_ASSERT(integers.column_of_row == doubles.column_of_row);
  RC_ASSERT(static_cast<double>(integers.objective) == doubles.objective);
}

TEST(SolveAssignment, IsCertifiedOnPlateaus) {
  std::mt19937_64 random(3);
  for (const int rows : {64, 65, 130, 200}) {
    for (const int columns : {64, 128, 130, 300}) {
      const auto cost = drawn<std::int64_t>(
          rows, columns, [&] { return between(random, 0, 40) == 0 ? -between(random, 1, 8) : 0; });
      for (const Objective objective : kObjectives) {
        expect_optimal(cost, objective, solve_assignment(cost, objective));
      }
    }
  }
}

TEST(SolveAssignment, GivesEqualCostsInOrder) {
  const Integers cost = Integers::Constant(5, 5, 7);

  const auto result = solve_assignment(cost);

  EXPECT_EQ(result.column_of_row, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(result.objective, 35);
}

TEST(SolveAssignment, IsExactForProductsOfIndices) {
  // The rearrangement inequality: pairing i * j is cheapest in opposite order, with prices far from
  // the costs.
  constexpr int kSize = 120;
  constexpr std::int64_t kScale = 1'000'000;
  Integers cost(kSize, kSize);
  std::int64_t expected = 0;
  for (int row = 0; row < kSize; ++row) {
    for (int column = 0; column < kSize; ++column) {
      cost(row, column) = kScale * row * column;
    }
    expected += kScale * row * (kSize - 1 - row);
  }

  const auto result = solve_assignment(cost);

  EXPECT_EQ(result.objective, expected);
  expect_optimal(cost, Objective::minimize, result);
}

TEST(SolveAssignment, IsExactForLongChainsOfTheLargestCosts) {
  // Augmenting paths run along the band, and 32 bits never suffice.
  constexpr int kSize = 300;
  Integers cost = Integers::Constant(kSize, kSize, kTwoTo53);
  for (int k = 0; k < kSize; ++k) {
    cost(k, k) = -kTwoTo53;
    if (k + 1 < kSize) {
      cost(k, k + 1) = kTwoTo53 - k;
      cost(k + 1, k) = -kTwoTo53 + k;
    }
  }
  for (const Objective objective : kObjectives) {
    expect_optimal(cost, objective, solve_assignment(cost, objective));
  }
}

TEST(SolveAssignment, IsExactAtTheLimit) {
  const Integers cost{{kTwoTo53, -kTwoTo53}, {kTwoTo53 - 1, -kTwoTo53}};

  const auto result = solve_assignment(cost);

  EXPECT_EQ(result.objective, -1);
  expect_optimal(cost, Objective::minimize, result);
}

TEST(SolveAssignment, RefusesIntegersBeyondTheLimit) {
  const Integers above{{1, kTwoTo53 + 1}};
  const Integers lowest{{std::numeric_limits<std::int64_t>::min()}};

  EXPECT_THROW(static_cast<void>(solve_assignment(above)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(solve_assignment(lowest)), std::invalid_argument);
}

TEST(SolveAssignment, ReportsAnObjectiveThatDoesNotFit) {
  const Integers cost = Integers::Constant(1025, 1025, kTwoTo53);

  EXPECT_THROW(static_cast<void>(solve_assignment(cost)), std::overflow_error);
}

TEST(SolveAssignment, NamesTheCostThatIsNotANumber) {
  Doubles cost = Doubles::Zero(3, 4);
  cost(2, 1) = std::numeric_limits<double>::quiet_NaN();

  EXPECT_EQ(message_of(cost),
            "cost at row 2, column 1: nan is not a finite number of at most 2^990 in magnitude");
}

TEST(SolveAssignment, RefusesInfiniteCosts) {
  Doubles cost = Doubles::Zero(2, 2);
  cost(0, 1) = -std::numeric_limits<double>::infinity();

  EXPECT_NE(message_of(cost).find("row 0, column 1: -inf"), std::string::npos);
}

TEST(SolveAssignment, KeepsSmallDifferencesBesideHugeCosts) {
  // 1e18 stands for "never"; the choice between the other pairs must not drown in it.
  // By hand: 0.5 + 0.5 + 0.125, as the other way costs 0.25 + 0.875 + 0.125.
  const Doubles cost{{0.5, 0.25, 1e18}, {0.875, 0.5, 1e18}, {1e18, 1e18, 0.125}};

  const auto result = solve_assignment(cost);

  EXPECT_EQ(result.objective, 1.125);
  EXPECT_EQ(result.column_of_row, (std::vector<int>{0, 1, 2}));
}

TEST(SolveAssignment, TakesBlocksAndColumnMajorMatrices) {
  std::mt19937_64 random(5);
  const auto whole = drawn<double>(9, 9, [&] { return 0.1 * static_cast<double>(random() % 100); });
  const Doubles copy = whole.block(1, 2, 5, 6);
  const Eigen::MatrixXd column_major = copy;

  const auto expected = solve_assignment(copy);

  EXPECT_EQ(solve_assignment(whole.block(1, 2, 5, 6)).column_of_row, expected.column_of_row);
  EXPECT_EQ(solve_assignment(column_major).column_of_row, expected.column_of_row);
}

TEST(SolveAssignment, AnswersTheSameTwice) {
  std::mt19937_64 random(6);
  const auto cost = drawn<std::int64_t>(150, 150, [&] { return between(random, 0, 3); });

  const auto first = solve_assignment(cost);
  const auto second = solve_assignment(cost);

  EXPECT_EQ(first.column_of_row, second.column_of_row);
  EXPECT_EQ(first.row_price, second.row_price);
  EXPECT_EQ(first.column_price, second.column_price);
}

}  // namespace assignment_test

#include "voda/solvers/sparse_assignment.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "voda/solvers/assignment.hpp"
#include "voda/solvers/certificate.hpp"

namespace sparse_assignment_test {

using voda::solvers::certificate_fault;
using voda::solvers::compress_edges;
using voda::solvers::CostMatrix;
using voda::solvers::Coverage;
using voda::solvers::Edge;
using voda::solvers::infeasibility_fault;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;
using voda::solvers::solve_sparse_assignment;
using voda::solvers::SparseCost;
using voda::solvers::SparseCostView;
using voda::solvers::Status;
using IntegerEdges = std::vector<Edge<std::int64_t>>;

constexpr std::int64_t kTwoTo53 = std::int64_t{1} << 53;
constexpr Objective kObjectives[] = {Objective::minimize, Objective::maximize};

template <class Number>
SparseCost<Number> compressed(int rows, int columns, const std::vector<Edge<Number>>& edges) {
  return compress_edges(rows, columns, std::span<const Edge<Number>>(edges));
}

struct Problem {
  int rows = 0;
  int columns = 0;
  IntegerEdges edges{};

  [[nodiscard]] SparseCost<std::int64_t> cost() const { return compressed(rows, columns, edges); }

  [[nodiscard]] SparseCost<double> divided_by(double divisor) const {
    std::vector<Edge<double>> result{};
    for (const auto& edge : edges) {
      result.push_back({edge.row, edge.column, static_cast<double>(edge.cost) / divisor});
    }
    return compressed(rows, columns, result);
  }
};

Problem drawn(std::mt19937_64& random, int rows, int columns, int edges, std::int64_t range) {
  Problem problem{.rows = rows, .columns = columns};
  for (int k = 0; k < edges && rows > 0 && columns > 0; ++k) {
    const auto row = static_cast<int>(random() % static_cast<unsigned>(rows));
    const auto column = static_cast<int>(random() % static_cast<unsigned>(columns));
    const auto width = static_cast<std::uint64_t>(2 * range + 1);
    problem.edges.push_back({row, column, static_cast<std::int64_t>(random() % width) - range});
  }
  return problem;
}

/// Tries every matching; nothing if the shorter side cannot be matched in full.
class BruteForce {
 public:
  BruteForce(const Problem& problem, Objective objective, Coverage coverage)
      : problem_(problem),
        sign_(objective == Objective::minimize ? 1 : -1),
        needed_(coverage == Coverage::partial ? 0 : std::min(problem.rows, problem.columns)) {}

  std::optional<std::int64_t> best() {
    search(0, 0, 0, 0);
    return best_ ? std::optional(*best_ * sign_) : std::nullopt;
  }

 private:
  void search(int row, unsigned used, int matched, std::int64_t sum) {
    if (row == problem_.rows) {
      if (matched >= needed_) {
        best_ = best_ ? std::min(*best_, sum) : sum;
      }
      return;
    }
    search(row + 1, used, matched, sum);
    for (const auto& edge : problem_.edges) {
      if (edge.row == row && (used >> edge.column & 1U) == 0) {
        search(row + 1, used | 1U << edge.column, matched + 1, sum + sign_ * edge.cost);
      }
    }
  }

  const Problem& problem_;
  std::int64_t sign_ = 1;
  int needed_ = 0;
  std::optional<std::int64_t> best_{};
};

TEST(SolveSparseAssignment, MatchesRowsInFull) {
  // By hand: row 0 must leave its cheap column 0, the only one of row 1.
  const Problem problem{.rows = 2, .columns = 3, .edges = {{0, 0, 1}, {0, 2, 5}, {1, 0, 4}}};

  const auto result = solve_sparse_assignment(problem.cost().view());

  EXPECT_EQ(result.status, Status::optimal);
  EXPECT_EQ(result.column_of_row, (std::vector<int>{2, 0}));
  EXPECT_EQ(result.objective, 9);
}

TEST(SolveSparseAssignment, LeavesRowsThatDoNotPay) {
  // By hand: -3 - 2 = -5; taking column 0 for row 1 would bring -4 - 1.
  const Problem problem{
      .rows = 3, .columns = 2, .edges = {{0, 0, -3}, {1, 0, -4}, {1, 1, -2}, {2, 1, 6}}};

  const auto result =
      solve_sparse_assignment(problem.cost().view(), Objective::minimize, Coverage::partial);

  EXPECT_EQ(result.column_of_row, (std::vector<int>{0, 1, -1}));
  EXPECT_EQ(result.objective, -5);
}

TEST(SolveSparseAssignment, MatchesColumnsInFullWhenTheyAreFewer) {
  const Problem problem{.rows = 3, .columns = 1, .edges = {{0, 0, 4}, {2, 0, 3}}};

  const auto result = solve_sparse_assignment(problem.cost().view());

  EXPECT_EQ(result.column_of_row, (std::vector<int>{-1, -1, 0}));
  EXPECT_EQ(result.row_price, (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(SolveSparseAssignment, TakesTheBetterOfRepeatedPairs) {
  const Problem problem{.rows = 1, .columns = 1, .edges = {{0, 0, 5}, {0, 0, 2}, {0, 0, 3}}};

  EXPECT_EQ(solve_sparse_assignment(problem.cost().view()).objective, 2);
  EXPECT_EQ(solve_sparse_assignment(problem.cost().view(), Objective::maximize).objective, 5);
}

TEST(SolveSparseAssignment, HasNothingToDoWithoutRowsOrColumns) {
  const auto none = solve_sparse_assignment(SparseCostView<std::int64_t>{});
  const auto no_rows = solve_sparse_assignment(Problem{.rows = 0, .columns = 2}.cost().view());
  const auto no_columns = solve_sparse_assignment(Problem{.rows = 2, .columns = 0}.cost().view());

  EXPECT_EQ(none.status, Status::optimal);
  EXPECT_EQ(no_rows.column_price, (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(no_columns.column_of_row, (std::vector<int>{-1, -1}));
}

TEST(SolveSparseAssignment, NamesRowsThatCannotBeMatched) {
  // Rows 1 and 3 both have column 2 only.
  const Problem problem{
      .rows = 4,
      .columns = 5,
      .edges = {{0, 0, 1}, {0, 2, 1}, {1, 2, 3}, {2, 1, 1}, {2, 4, 1}, {3, 2, 2}}};

  const auto result = solve_sparse_assignment(problem.cost().view());

  EXPECT_EQ(result.status, Status::infeasible);
  EXPECT_EQ(result.unmatchable_rows, (std::vector<int>{1, 3}));
  EXPECT_EQ(result.shared_columns, (std::vector<int>{2}));
}

TEST(SolveSparseAssignment, NamesARowWithoutPairs) {
  const Problem problem{.rows = 2, .columns = 2, .edges = {{0, 0, 1}, {0, 1, 1}}};

  const auto result = solve_sparse_assignment(problem.cost().view());

  EXPECT_EQ(result.unmatchable_rows, (std::vector<int>{1}));
  EXPECT_TRUE(result.shared_columns.empty());
}

TEST(SolveSparseAssignment, MatchesBruteForceOnSmallProblems) {
  std::mt19937_64 random(11);
  for (int trial = 0; trial < 6000; ++trial) {
    const auto rows = static_cast<int>(random() % 6);
    const auto columns = static_cast<int>(random() % 6);
    const std::int64_t range = trial % 3 == 0 ? 2 : (trial % 3 == 1 ? 9 : 5000);
    const Problem problem = drawn(random, rows, columns, static_cast<int>(random() % 13), range);
    const auto cost = problem.cost();
    const auto eighths = problem.divided_by(8.0);
    for (const Objective objective : kObjectives) {
      for (const Coverage coverage : {Coverage::full, Coverage::partial}) {
        const auto expected = BruteForce(problem, objective, coverage).best();
        const auto result = solve_sparse_assignment(cost.view(), objective, coverage);
        const auto doubles = solve_sparse_assignment(eighths.view(), objective, coverage);

        ASSERT_EQ(result.status == Status::optimal, expected.has_value());
        ASSERT_EQ(doubles.status, result.status);
        if (expected) {
          ASSERT_EQ(result.objective, *expected);
          ASSERT_EQ(doubles.objective * 8.0, static_cast<double>(*expected));
          ASSERT_EQ(certificate_fault(cost.view(), objective, coverage, result), std::nullopt);
          ASSERT_EQ(certificate_fault(eighths.view(), objective, coverage, doubles, 0.0),
                    std::nullopt);
        } else {
          ASSERT_EQ(infeasibility_fault(cost.view(), result), std::nullopt);
          ASSERT_EQ(infeasibility_fault(eighths.view(), doubles), std::nullopt);
        }
      }
    }
  }
}

RC_GTEST_PROP(SolveSparseAssignment, ProvesEveryAnswer, ()) {
  const auto rows = *rc::gen::inRange(1, 120);
  const auto columns = *rc::gen::inRange(1, 120);
  const auto degree = *rc::gen::inRange(1, 9);
  const auto bits = *rc::gen::inRange(1, 54);
  const auto objective = *rc::gen::element(Objective::minimize, Objective::maximize);
  const auto coverage = *rc::gen::element(Coverage::full, Coverage::partial);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  Problem problem = drawn(random, rows, columns, rows * degree, (std::int64_t{1} << bits) - 1);
  if (*rc::gen::arbitrary<bool>()) {  // make a full matching possible
    for (int k = 0; k < std::max(rows, columns); ++k) {
      problem.edges.push_back({k % rows, k % columns, std::int64_t{1} << (bits - 1)});
    }
  }
  const auto cost = problem.cost();
  const auto result = solve_sparse_assignment(cost.view(), objective, coverage);
  const auto fault = result.status == Status::optimal
                         ? certificate_fault(cost.view(), objective, coverage, result)
                         : infeasibility_fault(cost.view(), result);
  RC_ASSERT(fault == std::nullopt);
  const auto doubles = problem.divided_by(7.0);
  const auto rounded = solve_sparse_assignment(doubles.view(), objective, coverage);
  RC_ASSERT(rounded.status == result.status);
  if (rounded.status == Status::optimal) {
    const double tolerance = 1e-13 * static_cast<double>(std::int64_t{1} << bits);
    RC_ASSERT(certificate_fault(doubles.view(), objective, coverage, rounded, tolerance) ==
              std::nullopt);
  }
}

RC_GTEST_PROP(SolveSparseAssignment, AgreesWithTheDenseSolverOnCompleteProblems, ()) {
  const auto rows = *rc::gen::inRange(1, 40);
  const auto columns = *rc::gen::inRange(1, 40);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  CostMatrix<std::int64_t> dense(rows, columns);
  Problem problem{.rows = rows, .columns = columns};
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      dense(row, column) = static_cast<std::int64_t>(random() % 30);
      problem.edges.push_back({row, column, dense(row, column)});
    }
  }
  for (const Objective objective : kObjectives) {
    const auto sparse = solve_sparse_assignment(problem.cost().view(), objective);
    RC_ASSERT(sparse.objective == solve_assignment(dense, objective).objective);
  }
}

/// Only the diagonal matches all rows, and each price must exceed the one before it by two costs.
Problem chain(int rows, std::int64_t cost) {
  Problem problem{.rows = rows, .columns = rows};
  for (int k = 0; k < rows; ++k) {
    problem.edges.push_back({k, k, cost});
    if (k > 0) {
      problem.edges.push_back({k, k - 1, -cost});
    }
  }
  return problem;
}

TEST(SolveSparseAssignment, IsExactWherePricesOutgrowTheCosts) {
  // 600 rows of 2^20 leave 32 bits, 400 rows of 2^53 need up to 2^62.7.
  for (const auto& problem : {chain(600, 1 << 20), chain(400, kTwoTo53)}) {
    const auto cost = problem.cost();

    const auto result = solve_sparse_assignment(cost.view());

    EXPECT_EQ(result.objective, problem.rows * problem.edges.front().cost);
    EXPECT_EQ(certificate_fault(cost.view(), Objective::minimize, Coverage::full, result),
              std::nullopt);
  }
}

TEST(SolveSparseAssignment, ReportsPricesThatDoNotFit) {
  // Any prices of this chain are 1998 * 2^53 > 2^63.9 apart.
  const auto cost = chain(1000, kTwoTo53).cost();

  EXPECT_THROW(static_cast<void>(solve_sparse_assignment(cost.view())), std::overflow_error);
}

TEST(SolveSparseAssignment, AnswersTheSameTwice) {
  std::mt19937_64 random(12);
  const auto cost = drawn(random, 300, 280, 1500, 3).cost();

  const auto first = solve_sparse_assignment(cost.view(), Objective::maximize, Coverage::partial);
  const auto second = solve_sparse_assignment(cost.view(), Objective::maximize, Coverage::partial);

  EXPECT_EQ(first.column_of_row, second.column_of_row);
  EXPECT_EQ(first.row_price, second.row_price);
}

TEST(SolveSparseAssignment, RefusesCostsThatAreNotExact) {
  const Problem problem{.rows = 1, .columns = 2, .edges = {{0, 1, kTwoTo53 + 1}}};
  const std::vector<Edge<double>> infinite{{0, 1, std::numeric_limits<double>::infinity()}};

  EXPECT_THROW(static_cast<void>(solve_sparse_assignment(problem.cost().view())),
               std::invalid_argument);
  EXPECT_THROW(static_cast<void>(solve_sparse_assignment(compressed(1, 2, infinite).view())),
               std::invalid_argument);
}

TEST(SolveSparseAssignment, RefusesAMalformedView) {
  const std::vector<int> row_begin{0, 2};
  const std::vector<int> columns{0, 7};
  const std::vector<std::int64_t> cost{1, 1};
  const SparseCostView<std::int64_t> outside{3, row_begin, columns, cost};
  const SparseCostView<std::int64_t> cut{9, row_begin, std::span(columns).first(1), cost};

  EXPECT_THROW(static_cast<void>(solve_sparse_assignment(outside)), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(solve_sparse_assignment(cut)), std::invalid_argument);
}

TEST(CompressEdges, GroupsByRowInTheGivenOrder) {
  const Problem problem{.rows = 3, .columns = 4, .edges = {{2, 3, 30}, {0, 1, 10}, {2, 0, 31}}};

  const auto cost = problem.cost();

  EXPECT_EQ(cost.row_begin, (std::vector<int>{0, 1, 1, 3}));
  EXPECT_EQ(cost.column, (std::vector<int>{1, 3, 0}));
  EXPECT_EQ(cost.cost, (std::vector<std::int64_t>{10, 30, 31}));
}

TEST(CompressEdges, NamesAnEdgeOutsideTheProblem) {
  const Problem problem{.rows = 2, .columns = 2, .edges = {{0, 1, 1}, {2, 0, 1}}};
  std::string message = "no error";
  try {
    static_cast<void>(problem.cost());
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "edge 1: row 2 is not in [0, 2)");
}

}  // namespace sparse_assignment_test

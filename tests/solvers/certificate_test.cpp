#include "voda/solvers/certificate.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace certificate_test {

using voda::solvers::AssignmentResult;
using voda::solvers::certificate_fault;
using voda::solvers::compress_edges;
using voda::solvers::CostMatrix;
using voda::solvers::Coverage;
using voda::solvers::Edge;
using voda::solvers::infeasibility_fault;
using voda::solvers::Objective;
using voda::solvers::Status;
using Integers = CostMatrix<std::int64_t>;

// Optimum by hand: 1 + 4 = 3 + 2 = 5, column 2 stays free.
const Integers kCost{{1, 3, 5}, {2, 4, 9}};

AssignmentResult<std::int64_t> correct() {
  return {.status = Status::optimal,
          .objective = 5,
          .column_of_row = {0, 1},
          .row_price = {3, 4},
          .column_price = {-2, 0, 0}};
}

std::string fault_of(const AssignmentResult<std::int64_t>& result) {
  return certificate_fault(kCost, Objective::minimize, result).value_or("none");
}

TEST(CertificateFault, AcceptsAProof) {
  EXPECT_EQ(fault_of(correct()), "none");
}

TEST(CertificateFault, RefusesAPriceBeyondACost) {
  auto result = correct();
  result.row_price = {1, 2};
  result.column_price = {0, 2, 0};
  EXPECT_EQ(fault_of(result), "column 1 may stay free, but its price is 2");
}

TEST(CertificateFault, RefusesPricesAboveAnUnmatchedCost) {
  const Integers cost{{1, 0}, {0, 1}};  // the diagonal is not optimal
  const AssignmentResult<std::int64_t> result{.status = Status::optimal,
                                              .objective = 2,
                                              .column_of_row = {0, 1},
                                              .row_price = {1, 1},
                                              .column_price = {0, 0}};
  EXPECT_EQ(certificate_fault(cost, Objective::minimize, result),
            "row 0, column 1: the prices are beyond the cost 0");
}

TEST(CertificateFault, RefusesSlackOnAMatchedPair) {
  auto result = correct();
  result.row_price = {2, 4};
  EXPECT_EQ(fault_of(result), "row 0 has column 0, but their prices leave slack");
}

TEST(CertificateFault, RefusesAColumnGivenTwice) {
  auto result = correct();
  result.column_of_row = {0, 0};
  EXPECT_EQ(fault_of(result), "rows 0 and 1 both have column 0");
}

TEST(CertificateFault, RefusesAnUnmatchedRowOfTheShorterSide) {
  auto result = correct();
  result.column_of_row = {0, -1};
  EXPECT_EQ(fault_of(result), "row 1 is not matched");
}

TEST(CertificateFault, RefusesAWrongObjective) {
  auto result = correct();
  result.objective = 4;
  EXPECT_EQ(fault_of(result), "the objective 4 is not the cost of the matched pairs");
}

/// Nothing compares with NaN, so that a fault looked for as "beyond the tolerance" would not be found.
TEST(CertificateFault, RefusesWhatIsNoNumber) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const CostMatrix<double> cost{{1, 100}, {100, 1}};
  const AssignmentResult<double> wrong{.status = Status::optimal,
                                       .objective = 200,
                                       .column_of_row = {1, 0},
                                       .row_price = {100, 100},
                                       .column_price = {0, 0}};
  auto prices = wrong;
  prices.row_price = {nan, nan};
  auto objective = wrong;
  objective.objective = nan;
  EXPECT_NE(certificate_fault(cost, Objective::minimize, prices, 0), std::nullopt);
  EXPECT_NE(certificate_fault(cost, Objective::minimize, objective, 0), std::nullopt);
  EXPECT_NE(certificate_fault(cost, Objective::minimize, wrong, nan), std::nullopt);

  const CostMatrix<double> wide{{1, 2}};
  const AssignmentResult<double> free_column{.status = Status::optimal,
                                             .objective = 1,
                                             .column_of_row = {0},
                                             .row_price = {1},
                                             .column_price = {0, nan}};
  EXPECT_NE(certificate_fault(wide, Objective::minimize, free_column, 0), std::nullopt);
}

TEST(CertificateFault, RefusesAForbiddenPair) {
  const std::vector<Edge<std::int64_t>> edges{{0, 0, 4}};
  const auto cost = compress_edges(1, 2, std::span<const Edge<std::int64_t>>(edges));
  const AssignmentResult<std::int64_t> result{.status = Status::optimal,
                                              .objective = 0,
                                              .column_of_row = {1},
                                              .row_price = {0},
                                              .column_price = {0, 0}};
  EXPECT_EQ(certificate_fault(cost.view(), Objective::minimize, Coverage::full, result),
            "row 0 has column 1, which is forbidden");
}

TEST(InfeasibilityFault, AcceptsRowsThatShareTooFewColumns) {
  const std::vector<Edge<std::int64_t>> edges{{0, 0, 1}, {1, 0, 1}, {2, 1, 1}, {2, 2, 1}};
  const auto cost = compress_edges(3, 3, std::span<const Edge<std::int64_t>>(edges));
  AssignmentResult<std::int64_t> result{};
  result.unmatchable_rows = {0, 1};
  result.shared_columns = {0};
  EXPECT_EQ(infeasibility_fault(cost.view(), result), std::nullopt);

  result.unmatchable_rows = {0, 2};
  result.shared_columns = {0, 1, 2};
  EXPECT_EQ(infeasibility_fault(cost.view(), result), "2 rows can make do with 3 columns");

  result.unmatchable_rows = {0, 1, 2};
  result.shared_columns = {0, 1};
  EXPECT_EQ(infeasibility_fault(cost.view(), result),
            "the columns are not those that the rows may take");
}

}  // namespace certificate_test

#include <cstdint>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "support/sparse_instances.hpp"
#include "voda/solvers/certificate.hpp"
#include "voda/solvers/sparse_assignment.hpp"

namespace sparse_assignment_effort_test {

using voda::solvers::AssignmentResult;
using voda::solvers::certificate_fault;
using voda::solvers::Coverage;
using voda::solvers::infeasibility_fault;
using voda::solvers::Objective;
using voda::solvers::solve_sparse_assignment;
using voda::solvers::SparseCost;
using voda::solvers::Status;
using voda::test::SparseInstance;
using voda::test::SparseInstances;
using Result = AssignmentResult<std::int64_t>;

constexpr int kRows = 3000;
constexpr Objective kObjectives[] = {Objective::minimize, Objective::maximize};

Result solved_and_proven(const SparseCost<std::int64_t>& cost,
                         Objective objective,
                         Coverage coverage) {
  auto result = solve_sparse_assignment(cost.view(), objective, coverage);
  const auto fault = result.status == Status::optimal
                         ? certificate_fault(cost.view(), objective, coverage, result)
                         : infeasibility_fault(cost.view(), result);
  EXPECT_EQ(fault, std::nullopt);
  return result;
}

double scans_per_edge(const SparseInstance& instance, const Result& result) {
  return static_cast<double>(result.effort.scans) / static_cast<double>(instance.edges.size());
}

/// Scans per edge where costs are random and all rows must be matched.
double usual_scans() {
  const SparseInstance instance = SparseInstances(kRows).uniform(8);
  return scans_per_edge(instance,
                        solved_and_proven(instance.cost(), Objective::minimize, Coverage::full));
}

TEST(SparseAssignmentEffort, IsSmallOnRandomProblems) {
  const SparseInstance narrow = SparseInstances(kRows).uniform(8);
  const SparseInstance wide = SparseInstances(kRows).uniform(1'000'000);
  for (const SparseInstance& instance : {narrow, wide}) {
    const auto full = solved_and_proven(instance.cost(), Objective::minimize, Coverage::full);
    const auto partial = solved_and_proven(instance.cost(), Objective::maximize, Coverage::partial);

    EXPECT_LT(scans_per_edge(instance, full), 30) << instance.name;
    EXPECT_LT(scans_per_edge(instance, partial), 8) << instance.name;
  }
}

TEST(SparseAssignmentEffort, StaysNearTheUsualOnHardFamilies) {
  const double most = 20 * usual_scans();
  for (const SparseInstance& instance : SparseInstances::hard(kRows)) {
    for (const Objective objective : kObjectives) {
      const auto result = solved_and_proven(instance.cost(), objective, Coverage::full);

      EXPECT_EQ(result.status, Status::optimal) << instance.name;
      EXPECT_LT(scans_per_edge(instance, result), most) << instance.name;
    }
  }
}

TEST(SparseAssignmentEffort, StaysNearTheUsualWithAColumnToSpare) {
  const double most = 20 * usual_scans();
  for (const SparseInstance& instance : SparseInstances::hard(kRows)) {
    auto cost = instance.cost();
    cost.columns += 1;
    for (const Objective objective : kObjectives) {
      const auto result = solved_and_proven(cost, objective, Coverage::full);

      EXPECT_LT(scans_per_edge(instance, result), most) << instance.name;
    }
  }
}

TEST(SparseAssignmentEffort, StaysNearTheUsualWhenEveryPairPays) {
  // Rows may stay unmatched, but nobody wants to: as hard as matching them in full.
  const double most = 20 * usual_scans();
  for (SparseInstance instance : SparseInstances::hard(kRows)) {
    for (auto& edge : instance.edges) {
      edge.cost -= std::int64_t{1} << 41;
    }
    const auto result = solved_and_proven(instance.cost(), Objective::minimize, Coverage::partial);

    EXPECT_LT(scans_per_edge(instance, result), most) << instance.name;
  }
}

TEST(SparseAssignmentEffort, IsSmallWhereThereIsNoSolution) {
  const double most = 2 * usual_scans();
  for (const SparseInstance& instance : SparseInstances::infeasible(kRows)) {
    const auto result = solved_and_proven(instance.cost(), Objective::minimize, Coverage::full);

    EXPECT_EQ(result.status, Status::infeasible) << instance.name;
    EXPECT_LT(scans_per_edge(instance, result), most) << instance.name;
  }
}

TEST(SparseAssignmentEffort, DoesNotDependOnAnOffsetOfAllCosts) {
  SparseInstance instance = SparseInstances(kRows).uniform(8);
  for (auto& edge : instance.edges) {
    edge.cost += 1'000'000'000'000;
  }

  const auto result = solved_and_proven(instance.cost(), Objective::minimize, Coverage::full);

  EXPECT_LT(scans_per_edge(instance, result), 2 * usual_scans());
}

TEST(SparseAssignmentEffort, CountsPathsAndEdges) {
  // By hand: rows 0 and 1 want column 0. Row 1 gets it, row 0 moves on along one path.
  const SparseInstance instance{
      .rows = 2, .columns = 3, .edges = {{0, 0, 1}, {0, 2, 5}, {1, 0, 4}}};

  const auto result = solved_and_proven(instance.cost(), Objective::minimize, Coverage::full);

  EXPECT_EQ(result.effort.searches, 1);
  EXPECT_EQ(result.effort.augmentations, 1);
  EXPECT_GE(result.effort.scans, 3);
}

}  // namespace sparse_assignment_effort_test

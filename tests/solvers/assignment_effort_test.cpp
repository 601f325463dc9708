#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

#include "support/assignment_instances.hpp"
#include "voda/solvers/assignment.hpp"
#include "voda/solvers/certificate.hpp"

namespace assignment_effort_test {

using voda::solvers::certificate_fault;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;
using voda::test::assignment_families;
using voda::test::CostMatrix;
using voda::test::matrices_read;

struct Shape {
  int rows = 0;
  int columns = 0;
};

/// Where columns stay free, every search passes all rows before it: prices cannot start at the columns' smallest costs, and
/// the diagonal of a Monge array is no answer.
bool is_hard(std::string_view family, const Shape& shape) {
  constexpr std::array<std::string_view, 4> rectangular{
      "products", "smaller index", "offsets", "far diagonal"};
  return shape.rows != shape.columns && std::ranges::count(rectangular, family) > 0;
}

double matrices_read_for_uniform(const Shape& shape) {
  const CostMatrix cost = voda::test::uniform_costs(shape.rows, shape.columns, 1'000'000);
  return matrices_read(cost, solve_assignment(cost));
}

constexpr std::array<Shape, 5> small_shapes{
    {{600, 600}, {300, 500}, {500, 300}, {1, 700}, {700, 1}}};

TEST(AssignmentEffort, OfMostFamiliesIsAtMostTwentyTimesThatOfUniformCosts) {
  for (const Shape shape : small_shapes) {
    const double most = 20.0 * matrices_read_for_uniform(shape);
    for (const auto& family : assignment_families()) {
      if (is_hard(family.name, shape)) {
        continue;
      }
      const CostMatrix cost = family.draw(shape.rows, shape.columns);
      EXPECT_LE(matrices_read(cost, solve_assignment(cost)), most)
          << family.name << ' ' << shape.rows << " x " << shape.columns;
    }
  }
}

TEST(AssignmentEffort, OfHardFamiliesIsAtMostHalfTheRowsInEachSearch) {
  for (const Shape shape : small_shapes) {
    for (const auto& family : assignment_families()) {
      const CostMatrix cost = family.draw(shape.rows, shape.columns);
      const auto result = solve_assignment(cost);
      const double rows = std::min(shape.rows, shape.columns);
      EXPECT_LE(result.effort.searches, rows) << family.name;
      EXPECT_LE(matrices_read(cost, result), 0.6 * rows + 20.0)
          << family.name << ' ' << shape.rows << " x " << shape.columns;
    }
  }
}

/// A search through all rows at a size at which only the cheapest pairs of each row are kept.
TEST(AssignmentEffort, IsSmallWhereARowMustTakeADearColumn) {
  constexpr int rows = 2100;
  const CostMatrix usual = voda::test::uniform_costs(rows, rows + 1, 100'000);
  CostMatrix dear = usual;
  dear.rightCols(2).array() += 1'000'000;

  const auto result = solve_assignment(dear);

  EXPECT_EQ(certificate_fault(dear, Objective::minimize, result), std::nullopt);
  EXPECT_LE(matrices_read(dear, result), 20 * matrices_read(usual, solve_assignment(usual)));
}

TEST(AssignmentEffort, OfManyColumnsIsLittleMoreThanReadingTheMatrix) {
  // Sizes at which only the cheapest pairs of each row are searched.
  constexpr std::array<Shape, 2> shapes{{{200, 2100}, {2100, 200}}};
  for (const Shape shape : shapes) {
    for (const auto& family : assignment_families()) {
      if (is_hard(family.name, shape)) {
        continue;
      }
      const CostMatrix cost = family.draw(shape.rows, shape.columns);
      const auto result = solve_assignment(cost);
      EXPECT_EQ(certificate_fault(cost, Objective::minimize, result), std::nullopt) << family.name;
      EXPECT_LE(matrices_read(cost, result), 20.0) << family.name;
    }
  }
}

TEST(AssignmentEffort, OfLargeSquaresIsAFractionOfThatOfSmallOnes) {
  for (const auto& cost : {voda::test::uniform_costs(2000, 2000, 1'000'000),
                           voda::test::geometric_costs(2000, 2000),
                           voda::test::geometric_costs(2000, 2000, 30)}) {
    const auto result = solve_assignment(cost);
    EXPECT_EQ(certificate_fault(cost, Objective::minimize, result), std::nullopt);
    EXPECT_LE(matrices_read(cost, result), 10.0);
  }
}

TEST(AssignmentEffort, OfHardFamiliesEndsInTheMethodForWholeRows) {
  constexpr std::array<Shape, 2> shapes{{{150, 2100}, {2100, 150}}};
  for (const Shape shape : shapes) {
    for (const auto& family : assignment_families()) {
      const CostMatrix cost = family.draw(shape.rows, shape.columns);
      const auto result = solve_assignment(cost);
      EXPECT_EQ(certificate_fault(cost, Objective::minimize, result), std::nullopt) << family.name;
      EXPECT_LE(matrices_read(cost, result), 0.6 * 150 + 40.0) << family.name;
    }
  }
}

TEST(AssignmentEffort, IsTheSameEachTime) {
  const CostMatrix cost = voda::test::geometric_costs(300, 300);

  const auto first = solve_assignment(cost).effort;
  const auto second = solve_assignment(cost).effort;

  EXPECT_EQ(first.searches, second.searches);
  EXPECT_EQ(first.scans, second.scans);
  EXPECT_EQ(first.augmentations, second.augmentations);
}

}  // namespace assignment_effort_test

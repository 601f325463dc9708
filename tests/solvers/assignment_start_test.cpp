#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/assignment_instances.hpp"
#include "voda/solvers/assignment.hpp"
#include "voda/solvers/certificate.hpp"

namespace assignment_start_test {

using voda::solvers::certificate_fault;
using voda::solvers::CostMatrix;
using voda::solvers::Objective;
using voda::solvers::solve_assignment;
using voda::test::matrices_read;
using Integers = CostMatrix<std::int64_t>;
using Doubles = CostMatrix<double>;

constexpr Objective kObjectives[] = {Objective::minimize, Objective::maximize};
constexpr std::int64_t kTwoTo53 = std::int64_t{1} << 53;
constexpr std::int64_t kTwoTo56 = std::int64_t{1} << 56;

template <class Number>
std::string message_of(const CostMatrix<Number>& cost, const std::vector<Number>& prices) {
  try {
    static_cast<void>(solve_assignment(cost, Objective::minimize, prices));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

template <class Number>
std::vector<Number> drawn_prices(std::mt19937_64& random, Eigen::Index count, std::int64_t range) {
  std::vector<Number> prices(static_cast<std::size_t>(count));
  for (Number& price : prices) {
    price = static_cast<Number>(
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * range + 1)) - range);
  }
  return prices;
}

RC_GTEST_PROP(StartPrices, DoNotChangeTheObjective, ()) {
  const auto rows = *rc::gen::inRange(1, 60);
  const auto columns = *rc::gen::inRange(1, 100);
  const auto cost_bits = *rc::gen::inRange(0, 54);
  const auto price_bits = *rc::gen::inRange(0, 57);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const Integers cost =
      voda::test::uniform_costs(rows, columns, std::int64_t{1} << cost_bits, random());
  for (const Objective objective : kObjectives) {
    const auto prices = drawn_prices<std::int64_t>(random, columns, std::int64_t{1} << price_bits);
    const auto result = solve_assignment(cost, objective, prices);
    RC_ASSERT(certificate_fault(cost, objective, result) == std::nullopt);
    RC_ASSERT(result.objective == solve_assignment(cost, objective).objective);
  }
}

RC_GTEST_PROP(StartPrices, KeepDoublesOptimalUpToRounding, ()) {
  const auto rows = *rc::gen::inRange(1, 60);
  const auto columns = *rc::gen::inRange(1, 100);
  const auto price_bits = *rc::gen::inRange(0, 62);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const Doubles cost =
      voda::test::uniform_costs(rows, columns, 1'000'000, random()).cast<double>() / 7.0;
  for (const Objective objective : kObjectives) {
    auto prices = drawn_prices<double>(random, columns, std::int64_t{1} << price_bits);
    prices.front() *= 1e200;
    const auto result = solve_assignment(cost, objective, prices);
    RC_ASSERT(certificate_fault(cost, objective, result, 1e-9) == std::nullopt);
  }
}

/// Changes a few costs of some rows.
Integers changed(Integers cost, int rows, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (int k = 0; k < rows; ++k) {
    const auto row = static_cast<Eigen::Index>(random() % static_cast<std::uint64_t>(cost.rows()));
    for (Eigen::Index column = 0; column < cost.cols(); column += 3) {
      cost(row, column) = static_cast<std::int64_t>(random() % 1'000'000);
    }
  }
  return cost;
}

RC_GTEST_PROP(StartPrices, OfAnAnswerLeadToAnAnswerOfAChangedMatrix, ()) {
  const auto rows = *rc::gen::inRange(1, 80);
  const auto columns = *rc::gen::inRange(1, 120);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Integers before = voda::test::uniform_costs(rows, columns, 1'000'000, seed);
  const Integers after = changed(before, *rc::gen::inRange(0, 20), seed);
  for (const Objective objective : kObjectives) {
    const auto former = solve_assignment(before, objective);
    const auto result = solve_assignment(after, objective, former.column_price);
    RC_ASSERT(certificate_fault(after, objective, result) == std::nullopt);
    RC_ASSERT(result.objective == solve_assignment(after, objective).objective);
  }
}

struct Shape {
  int rows = 0;
  int columns = 0;
};

constexpr Shape kShapes[] = {{200, 200}, {150, 250}, {250, 150}};

TEST(StartPrices, OfTheAnswerLeaveLittleMoreThanReadingTheMatrix) {
  for (const auto& family : voda::test::assignment_families()) {
    for (const auto [rows, columns] : kShapes) {
      const Integers cost = family.draw(rows, columns);
      const auto scratch = solve_assignment(cost);

      const auto again = solve_assignment(cost, Objective::minimize, scratch.column_price);

      EXPECT_EQ(certificate_fault(cost, Objective::minimize, again), std::nullopt) << family.name;
      EXPECT_EQ(again.objective, scratch.objective);
      EXPECT_LE(matrices_read(cost, again), 3.0)
          << family.name << ' ' << rows << ' ' << columns << ": " << matrices_read(cost, scratch);
    }
  }
}

TEST(StartPrices, AfterASmallChangeSaveMostOfTheWorkOfHardMatrices) {
  for (const auto& family : voda::test::assignment_families()) {
    for (const auto [rows, columns] : kShapes) {
      const Integers before = family.draw(rows, columns);
      Integers after = before;
      after.row(7).reverseInPlace();
      const auto scratch = solve_assignment(after);

      const auto restarted =
          solve_assignment(after, Objective::minimize, solve_assignment(before).column_price);

      EXPECT_EQ(certificate_fault(after, Objective::minimize, restarted), std::nullopt);
      EXPECT_EQ(restarted.objective, scratch.objective);
      EXPECT_LE(matrices_read(after, restarted), 3.0 + matrices_read(after, scratch) / 10.0)
          << family.name << ' ' << rows << ' ' << columns << ": " << matrices_read(after, scratch);
    }
  }
}

TEST(StartPrices, ThatCannotStandAreRaisedWhereColumnsStayFree) {
  // By hand: the row takes column 0 at cost 1; columns 1 and 2 stay free, so their prices are 0.
  const Integers cost{{1, 5, 9}};
  const std::vector<std::int64_t> prices{-100, 0, -3};

  const auto result = solve_assignment(cost, Objective::minimize, prices);

  EXPECT_EQ(result.column_of_row, (std::vector<int>{0}));
  EXPECT_EQ(result.column_price[1], 0);
  EXPECT_EQ(result.column_price[2], 0);
  EXPECT_EQ(certificate_fault(cost, Objective::minimize, result), std::nullopt);
}

TEST(StartPrices, MayBeAsLargeAsThePricesOfTheLargestCosts) {
  Integers cost = Integers::Constant(40, 40, kTwoTo53);
  cost.diagonal().setConstant(-kTwoTo53);
  const std::vector<std::int64_t> prices(40, -kTwoTo56);

  const auto result = solve_assignment(cost, Objective::maximize, prices);

  EXPECT_EQ(certificate_fault(cost, Objective::maximize, result), std::nullopt);
}

TEST(StartPrices, AreOfNoInterestWithoutRows) {
  const std::vector<std::int64_t> prices{1, 2, 3};

  const auto result = solve_assignment(Integers(0, 3), Objective::minimize, prices);

  EXPECT_EQ(result.column_price, (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(StartPrices, MustBeOnePerColumn) {
  EXPECT_EQ(message_of<std::int64_t>(Integers::Zero(2, 3), {1, 2}),
            "start_prices: 2 given, expected none or one for each of 3 columns");
}

TEST(StartPrices, MustBeFinite) {
  EXPECT_EQ(message_of<double>(Doubles::Zero(2, 2), {1, std::numeric_limits<double>::infinity()}),
            "start_prices: column 1: inf is not a finite number; expected one");
  EXPECT_EQ(message_of<double>(Doubles::Zero(1, 1), {std::numeric_limits<double>::quiet_NaN()}),
            "start_prices: column 0: nan is not a finite number; expected one");
}

TEST(StartPrices, MayBeAsLargeAsNumbersAre) {
  Integers whole(2, 2);
  whole << 1, 2, 3, 1;
  const std::vector<std::int64_t> ends{std::numeric_limits<std::int64_t>::min(),
                                       std::numeric_limits<std::int64_t>::max()};
  EXPECT_EQ(solve_assignment(whole, Objective::minimize, ends).objective, 2);
  EXPECT_EQ(solve_assignment(whole, Objective::maximize, ends).objective, 5);
  Doubles fractional(2, 2);
  fractional << 0.5, 2, 3, 0.25;
  const std::vector<double> far{std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::lowest()};
  EXPECT_EQ(solve_assignment(fractional, Objective::minimize, far).objective, 0.75);
  EXPECT_EQ(solve_assignment(fractional, Objective::maximize, far).objective, 5);
}

}  // namespace assignment_start_test

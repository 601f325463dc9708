#include <algorithm>
#include <cmath>
#include <cstddef>
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

#include "support/sparse_instances.hpp"
#include "voda/solvers/certificate.hpp"
#include "voda/solvers/sparse_assignment.hpp"

namespace sparse_assignment_start_test {

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
using Prices = std::vector<std::int64_t>;

constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
constexpr auto kSmallest = std::numeric_limits<std::int64_t>::min();

struct Mode {
  Objective objective = Objective::minimize;
  Coverage coverage = Coverage::full;
};

Mode any_mode() {
  return {*rc::gen::element(Objective::minimize, Objective::maximize),
          *rc::gen::element(Coverage::full, Coverage::partial)};
}

/// A random problem, often with a full matching.
SparseInstance any_instance(int most) {
  const auto rows = *rc::gen::inRange(1, most);
  const auto columns = *rc::gen::element(rows, rows, rows + 1, *rc::gen::inRange(1, most));
  const auto degree = *rc::gen::inRange(1, 7);
  const auto bits = *rc::gen::inRange(0, 45);
  const auto offset = *rc::gen::element<std::int64_t>(0, 0, 1000, -(std::int64_t{1} << 45));
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const auto below = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
  };
  SparseInstance instance{.rows = rows, .columns = columns};
  for (int k = 0; k < rows * degree; ++k) {
    instance.add(static_cast<int>(below(rows)),
                 static_cast<int>(below(columns)),
                 offset + below((std::int64_t{2} << bits)) - (std::int64_t{1} << bits));
  }
  if (*rc::gen::arbitrary<bool>()) {
    for (int k = 0; k < std::max(rows, columns); ++k) {
      instance.add(k % rows, k % columns, offset + (std::int64_t{1} << bits));
    }
  }
  return instance;
}

/// Prices good and bad: of a former answer, slightly or badly wrong, or nonsense.
Prices any_prices(const Prices& former, int columns) {
  const auto kind = *rc::gen::inRange(0, 5);
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  Prices prices = former;
  prices.resize(static_cast<std::size_t>(columns), 0);
  for (std::int64_t& price : prices) {
    if (kind == 1 && random() % 8 == 0) {
      price += static_cast<std::int64_t>(random() % 9) - 4;
    } else if (kind == 2) {
      price = static_cast<std::int64_t>(random() % 2000) - 1000;
    } else if (kind == 3) {
      price = static_cast<std::int64_t>(random());
    } else if (kind == 4) {
      price = random() % 2 == 0 ? kLargest : kSmallest;
    }
  }
  return prices;
}

SparseCost<double> divided(const SparseCost<std::int64_t>& cost, double divisor) {
  SparseCost<double> result{
      .columns = cost.columns, .row_begin = cost.row_begin, .column = cost.column};
  for (const std::int64_t value : cost.cost) {
    result.cost.push_back(static_cast<double>(value) / divisor);
  }
  return result;
}

std::string message_of(const SparseCost<double>& cost, const std::vector<double>& prices) {
  try {
    static_cast<void>(
        solve_sparse_assignment(cost.view(), Objective::minimize, Coverage::full, prices));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

RC_GTEST_PROP(SparseAssignmentStart, ChangesNothingButTheWayThere, ()) {
  const SparseInstance instance = any_instance(*rc::gen::element(6, 60, 300));
  const Mode mode = any_mode();
  const auto cost = instance.cost();
  const auto cold = solve_sparse_assignment(cost.view(), mode.objective, mode.coverage);
  const Prices prices = any_prices(cold.column_price, cost.columns);

  const auto warm = solve_sparse_assignment(cost.view(), mode.objective, mode.coverage, prices);

  RC_ASSERT(warm.status == cold.status);
  RC_ASSERT(warm.objective == cold.objective);
  const auto fault = warm.status == Status::optimal
                         ? certificate_fault(cost.view(), mode.objective, mode.coverage, warm)
                         : infeasibility_fault(cost.view(), warm);
  RC_ASSERT(fault == std::nullopt);
}

RC_GTEST_PROP(SparseAssignmentStart, IsAsPreciseForFractions, ()) {
  const SparseInstance instance = any_instance(*rc::gen::element(6, 60, 300));
  const Mode mode = any_mode();
  const auto cost = divided(instance.cost(), 7.0);
  double largest = 0;
  for (const double value : cost.cost) {
    largest = std::max(largest, std::abs(value));
  }
  const auto cold = solve_sparse_assignment(cost.view(), mode.objective, mode.coverage);
  std::vector<double> prices(cold.column_price);
  prices.resize(static_cast<std::size_t>(cost.columns), 0.0);
  const double wrong = *rc::gen::element(0.0, 0.5, 1e9, 1e300);
  for (std::size_t column = 0; column < prices.size(); column += 3) {
    prices[column] += column % 2 == 0 ? wrong : -wrong;
  }

  const auto warm = solve_sparse_assignment(cost.view(), mode.objective, mode.coverage, prices);

  RC_ASSERT(warm.status == cold.status);
  if (warm.status == Status::optimal) {
    const double tolerance = 1e-13 * largest;
    RC_ASSERT(certificate_fault(cost.view(), mode.objective, mode.coverage, warm, tolerance) ==
              std::nullopt);
  }
}

/// The size of a step must not stand out from costs that are all equal.
TEST(SparseAssignmentStart, IsAsPreciseForSmallEqualFractions) {
  constexpr int rows = 300;
  for (const double value : {0.1, 1e-9, 1e-15, 1e-25, -1e-25, 0.0}) {
    SparseInstances instances(rows);
    auto cost = divided(instances.uniform(8).cost(), 1.0);
    std::ranges::fill(cost.cost, value);

    const auto result = solve_sparse_assignment(cost.view());

    EXPECT_EQ(
        certificate_fault(
            cost.view(), Objective::minimize, Coverage::full, result, 1e-13 * std::abs(value)),
        std::nullopt)
        << value;
  }
}

TEST(SparseAssignmentStart, SavesMostOfTheWork) {
  for (const std::int64_t largest : {std::int64_t{8}, std::int64_t{1'000'000}}) {
    const auto cost = SparseInstances(3000).uniform(largest).cost();
    const auto cold = solve_sparse_assignment(cost.view());

    const auto warm = solve_sparse_assignment(
        cost.view(), Objective::minimize, Coverage::full, cold.column_price);

    EXPECT_EQ(warm.objective, cold.objective);
    EXPECT_LT(3 * warm.effort.scans, cold.effort.scans);
  }
}

TEST(SparseAssignmentStart, CostsLittleWhenItIsWrong) {
  const auto cost = SparseInstances(3000).uniform(1'000'000).cost();
  const auto cold = solve_sparse_assignment(cost.view());
  std::mt19937_64 random(3);
  for (const std::int64_t width : {std::int64_t{1'000'000}, kLargest}) {
    Prices prices(3000, 0);
    for (std::int64_t& price : prices) {
      price = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width));
    }

    const auto warm =
        solve_sparse_assignment(cost.view(), Objective::minimize, Coverage::full, prices);

    EXPECT_EQ(warm.objective, cold.objective);
    EXPECT_LT(warm.effort.scans, 4 * cold.effort.scans);
  }
}

TEST(SparseAssignmentStart, LeavesFreeColumnsWithoutAPrice) {
  // By hand: one row, two columns at cost 4 and 6; the price of the free column is given up.
  const SparseInstance instance{.rows = 1, .columns = 2, .edges = {{0, 0, 4}, {0, 1, 6}}};
  const Prices start{-9, -3};

  const auto result =
      solve_sparse_assignment(instance.cost().view(), Objective::minimize, Coverage::full, start);

  EXPECT_EQ(result.column_of_row, (std::vector<int>{0}));
  EXPECT_EQ(result.column_price[1], 0);
  EXPECT_EQ(result.row_price[0] + result.column_price[0], 4);
}

TEST(SparseAssignmentStart, NamesPricesThatCannotBe) {
  const SparseInstance instance{.rows = 1, .columns = 2, .edges = {{0, 0, 4}, {0, 1, 6}}};
  const auto cost = divided(instance.cost(), 1.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();

  EXPECT_EQ(message_of(cost, {1.0}),
            "start_prices: 1 given, expected none or one for each of 2 columns");
  EXPECT_EQ(message_of(cost, {1.0, nan}),
            "start_prices: column 1: nan is not a finite number; expected one");
  EXPECT_EQ(message_of(cost, {-infinite, 0.0}),
            "start_prices: column 0: -inf is not a finite number; expected one");
  EXPECT_EQ(message_of(cost, {1e308, -1e308}), "no error");
}

}  // namespace sparse_assignment_start_test

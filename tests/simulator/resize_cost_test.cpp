#include "voda/simulator/resize_cost.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace voda {
namespace resize_cost_test {

using Kind = ResizeCost::Kind;

TEST(ResizeCost, NoneAndStallDoNotDependOnTheSize) {
  const ResizeCost stall{.kind = Kind::stall, .fixed_s = 30.5};
  EXPECT_EQ(ResizeCost{}.price(8), Duration(0));
  EXPECT_EQ(stall.price(1), Duration(30500000));
  EXPECT_EQ(stall.price(64), Duration(30500000));
}

TEST(ResizeCost, RestartGrowsByDoublings) {
  // A + B (log2 g + 1) with A = 10, B = 2.5: 12.5 s on 1 GPU, 15 s on 2, 17.5 s on 4, 25 s on 32.
  const ResizeCost restart{.kind = Kind::restart, .fixed_s = 10, .per_doubling_s = 2.5};
  EXPECT_EQ(restart.price(1), Duration(12500000));
  EXPECT_EQ(restart.price(2), Duration(15000000));
  EXPECT_EQ(restart.price(4), Duration(17500000));
  EXPECT_EQ(restart.price(32), Duration(25000000));
  EXPECT_EQ(restart.price(0), Duration(0));
}

TEST(ResizeCost, RestartBetweenPowersOfTwoIsRoundedToMicroseconds) {
  // log2 3 = 1.5849625007211561815 (OEIS A020857), log2 10 = 3.3219280948873623479 (OEIS A020862).
  const ResizeCost restart{.kind = Kind::restart, .fixed_s = 0, .per_doubling_s = 1};
  EXPECT_EQ(restart.price(3), Duration(2584963));
  EXPECT_EQ(restart.price(10), Duration(4321928));
}

TEST(ResizeCost, AgreesWithTheLibraryLogarithmWherePricesAreNotTies) {
  const ResizeCost restart{.kind = Kind::restart, .fixed_s = 7, .per_doubling_s = 3600};
  for (GpuCount gpus = 1; gpus < 5000; ++gpus) {
    const double exact_us = (7 + 3600 * (std::log2(gpus) + 1)) * 1e6;
    EXPECT_NEAR(static_cast<double>(restart.price(gpus).count()), exact_us, 0.5001) << gpus;
  }
}

}  // namespace resize_cost_test
}  // namespace voda

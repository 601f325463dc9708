#include "voda/simulator/forecast.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "voda/simulator/random.hpp"

namespace voda {
namespace forecast_test {

TEST(Forecast, TakesQuantilesByNearestRank) {
  EXPECT_EQ(forecast_of(std::vector{7.0}), (Forecast{.p10_s = 7, .p50_s = 7, .p90_s = 7}));
  std::vector<double> twenty(20);
  std::iota(twenty.begin(), twenty.end(), 1);
  EXPECT_EQ(forecast_of(twenty), (Forecast{.p10_s = 2, .p50_s = 10, .p90_s = 18}));
}

TEST(PinballLoss, IsTheMeanOfThreeQuantiles) {
  const Forecast forecast{.p10_s = 10, .p50_s = 20, .p90_s = 30};
  EXPECT_DOUBLE_EQ(pinball_loss(forecast, 20), (0.1 * 10 + 0 + 0.1 * 10) / 3);
  EXPECT_DOUBLE_EQ(pinball_loss(forecast, 0), (0.9 * 10 + 0.5 * 20 + 0.1 * 30) / 3);
  EXPECT_DOUBLE_EQ(pinball_loss(forecast, 50), (0.1 * 40 + 0.5 * 30 + 0.9 * 20) / 3);
}

TEST(IntervalScale, BeginsWithTheForecastItself) {
  const Forecast forecast{.p10_s = 50, .p50_s = 100, .p90_s = 300};
  EXPECT_EQ(IntervalScale{}.scaled(forecast), forecast);
}

TEST(IntervalScale, FuturesThatAgreeGetASecondAndAPerCent) {
  const IntervalScale scale;
  EXPECT_EQ(scale.scaled({.p10_s = 100, .p50_s = 100, .p90_s = 100}),
            (Forecast{.p10_s = 98, .p50_s = 100, .p90_s = 102}));
  EXPECT_EQ(scale.scaled({}), (Forecast{.p10_s = 0, .p50_s = 0, .p90_s = 1}));
}

TEST(IntervalScale, AMissWidensItsSideAndAHitNarrowsIt) {
  IntervalScale scale;
  scale.learn_lower(true);
  EXPECT_NEAR(scale.lower(), std::exp(0.07 * 0.92), 1e-12);
  EXPECT_EQ(scale.upper(), 1);
  scale.learn_upper(false);
  EXPECT_NEAR(scale.upper(), std::exp(-0.07 * 0.08), 1e-12);
  scale.learn_upper(true);
  EXPECT_NEAR(scale.upper(), std::exp(0.07 * 0.84), 1e-12);
  const Forecast scaled = scale.scaled({.p10_s = 50, .p50_s = 100, .p90_s = 300});
  EXPECT_NEAR(scaled.p10_s, 100 - 50 * std::exp(0.07 * 0.92), 1e-9);
  EXPECT_NEAR(scaled.p90_s, 100 + 200 * std::exp(0.07 * 0.84), 1e-9);
}

TEST(IntervalScale, StaysWithinItsLimits) {
  IntervalScale scale;
  for (int i = 0; i < 1000; ++i) {
    scale.learn_lower(true);
    scale.learn_upper(false);
  }
  EXPECT_EQ(scale.lower(), IntervalScale::widest);
  EXPECT_EQ(scale.upper(), IntervalScale::narrowest);
}

/// However wrong the intervals, as long as the limits of the scale allow it, about 84 % of the outcomes are covered.
RC_GTEST_PROP(IntervalScale, CoversInTheLongRun, (std::uint64_t seed)) {
  RandomStream random(seed);
  const double deviation = 0.02 + 0.08 * random.uniform();  // of outcomes, as a share of the middle
  const double half_width = deviation * (0.4 + 2.6 * random.uniform());  // 1.34 would be right
  IntervalScale scale;
  int covered = 0;
  constexpr int outcomes = 4000;
  for (int i = 0; i < outcomes; ++i) {
    const double drift = i < outcomes / 2 ? 1 : 2;  // as if the load changed
    const double middle = 1000 + 1000 * random.uniform();
    const double half = half_width * middle;
    const Forecast given = scale.scaled({middle - half, middle, middle + half});
    const double actual = middle * (1 + deviation * drift * random.normal());
    covered += given.p10_s <= actual && actual <= given.p90_s ? 1 : 0;
    scale.learn_lower(actual < given.p10_s);
    scale.learn_upper(actual > given.p90_s);
  }
  RC_ASSERT(covered > 0.82 * outcomes);
  RC_ASSERT(covered < 0.86 * outcomes);
}

}  // namespace forecast_test
}  // namespace voda

#include "voda/model/speedup_curve.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "reference/naive_policies.hpp"
#include "support/error_text.hpp"
#include "voda/model/error.hpp"

namespace speedup_curve_test {

using voda::GpuCount;
using voda::InvalidInput;
using voda::SpeedupCurve;
using voda::test::error_text;

using Points = std::map<GpuCount, double>;
constexpr double unit = 0x1p-24;

TEST(SpeedupCurve, IsLinearWithoutPoints) {
  const SpeedupCurve curve;

  EXPECT_TRUE(curve.is_linear());
  EXPECT_EQ(curve(0), 0);
  EXPECT_EQ(curve(-3), 0);
  EXPECT_EQ(curve(7), 7);
  EXPECT_EQ(curve.marginal_gain(7), 1);
  EXPECT_EQ(curve.flat_from(), 0);
  EXPECT_TRUE(curve.points().empty());
}

TEST(SpeedupCurve, InterpolatesFromZeroAndBetweenPoints) {
  const SpeedupCurve curve(Points{{2, 1.5}, {6, 3.5}});

  EXPECT_EQ(curve(0), 0);
  EXPECT_EQ(curve(1), 0.75);  // half-way from (0, 0) to (2, 1.5)
  EXPECT_EQ(curve(2), 1.5);
  EXPECT_EQ(curve(3), 2);
  EXPECT_EQ(curve(5), 3);
  EXPECT_EQ(curve.marginal_gain(3), 0.5);
}

TEST(SpeedupCurve, IsFlatAfterTheLastPoint) {
  const SpeedupCurve curve(Points{{1, 1}, {4, 2.5}});

  EXPECT_EQ(curve.flat_from(), 4);
  EXPECT_EQ(curve(5), 2.5);
  EXPECT_EQ(curve(std::numeric_limits<GpuCount>::max()), 2.5);
}

TEST(SpeedupCurve, KnowsHowFarItRises) {
  EXPECT_EQ(SpeedupCurve().rises_to(), std::numeric_limits<GpuCount>::max());
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {2, 1.5}, {4, 2}}).rises_to(), 4);
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {2, 1.5}, {3, 1.5}, {4, 2}}).rises_to(), 2);
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {2, 0.5}, {4, 2}}).rises_to(), 1);
  EXPECT_EQ(SpeedupCurve(Points{{1024, unit}}).rises_to(), 0);  // S(1) is rounded to 0
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {5000, 9000}}).rises_to(), 1024);
}

TEST(SpeedupCurve, KnowsHowFarItIsConcave) {
  constexpr GpuCount everywhere = std::numeric_limits<GpuCount>::max();
  EXPECT_EQ(SpeedupCurve().concave_to(), everywhere);
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {2, 1.5}, {4, 2}}).concave_to(), everywhere);
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {2, 2.5}, {4, 3}}).concave_to(), 1);  // gains 1, 1.5
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {2, 1.5}, {3, 1.75}, {4, 2.25}}).concave_to(), 3);
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {2, 0.5}}).concave_to(), 2);  // flat rises after a loss
  EXPECT_EQ(SpeedupCurve(Points{{1, 1}, {5000, 5000}}).concave_to(), 1024);
}

TEST(SpeedupCurve, TakesSpeedOnOneGpuAsGiven) {
  const SpeedupCurve curve(Points{{1, 0.5}, {2, 3}});

  EXPECT_EQ(curve(1), 0.5);
  EXPECT_EQ(curve(2), 3);
}

TEST(SpeedupCurve, KeepsCurvesThatFall) {
  const SpeedupCurve curve(Points{{1, 3}, {2, 1.5}, {3, 1.5}});

  EXPECT_EQ(curve.marginal_gain(1), -1.5);
  EXPECT_EQ(curve.marginal_gain(2), 0);
}

TEST(SpeedupCurve, RoundsToMultiplesOfTwoToMinus24) {
  // 0.1 * 2^24 = 1677721.6 -> 1677722; halves go up: 2.5 units -> 3.
  EXPECT_EQ(SpeedupCurve(Points{{1, 0.1}})(1), 1677722 * unit);
  EXPECT_EQ(SpeedupCurve(Points{{1, 2.5 * unit}})(1), 3 * unit);
  EXPECT_EQ(SpeedupCurve(Points{{1, 0.1}}).units(1), 1677722);
}

TEST(SpeedupCurve, InterpolatesThePointsAsGivenNotAsRounded) {
  // Given 1.4 units at 1 and 3.4 at 3: 2.4 units at 2 -> 2. From the rounded 1 and 3 it would be 2
  // as well; with 1.4 and 4.4 it is 2.9 -> 3, from the rounded 1 and 4 it would be 2.5 -> 3;
  // with 1.6 and 3.2 it is 2.4 -> 2, from the rounded 2 and 3 it would be 2.5 -> 3.
  EXPECT_EQ(SpeedupCurve(Points{{1, 1.6 * unit}, {3, 3.2 * unit}}).units(2), 2);
}

TEST(SpeedupCurve, MayRoundToZeroBelowAPointOfTheSmallestSpeed) {
  const SpeedupCurve curve(Points{{4, unit}});

  EXPECT_EQ(curve(1), 0);     // 0.25 units
  EXPECT_EQ(curve(2), unit);  // 0.5 units
}

TEST(SpeedupCurve, AnswersFarPoints) {
  // Values up to 1024 GPUs are tabled; beyond, they are computed: 1000 + 3000 * (n - 1000) / 1000.
  const SpeedupCurve curve(Points{{1000, 1000}, {2000, 4000}, {2000000000, 5000}});

  EXPECT_EQ(curve(1024), 1072);
  EXPECT_EQ(curve(1025), 1075);
  EXPECT_EQ(curve(1999), 3997);
  EXPECT_EQ(curve(2000), 4000);
  EXPECT_EQ(curve(2000000000), 5000);
  EXPECT_EQ(curve(2000000001), 5000);
}

TEST(SpeedupCurve, KeepsItsPointsAsGiven) {
  const Points points{{1, 0.1}, {3, 2}};

  EXPECT_EQ(SpeedupCurve(points).points(), points);
  EXPECT_EQ(SpeedupCurve(Points{{0, 0}, {1, 0.1}, {3, 2}}), SpeedupCurve(points));
}

TEST(SpeedupCurve, CopiesShareTheirTable) {
  const SpeedupCurve curve(Points{{1, 1}});
  const SpeedupCurve copy = curve;
  const SpeedupCurve equal(Points{{1, 1}});

  EXPECT_TRUE(copy.shares_table_with(curve));
  EXPECT_FALSE(equal.shares_table_with(curve));
  EXPECT_EQ(equal, curve);
  EXPECT_NE(SpeedupCurve(Points{{1, 2}}), curve);
}

TEST(SpeedupCurve, SpanFactorsSlowASplitJobDown) {
  const SpeedupCurve curve(Points{{1, 1}, {8, 8}}, {{2, 0.75}, {4, 0.25}});

  EXPECT_TRUE(curve.has_span_factors());
  EXPECT_EQ(curve.at_span(8, 1), 8);
  EXPECT_EQ(curve.at_span(8, 2), 6);
  EXPECT_EQ(curve.at_span(8, 3), 4);  // factor 0.5 between
  EXPECT_EQ(curve.at_span(8, 4), 2);
  EXPECT_EQ(curve.at_span(8, 9), 2);  // flat after the last
}

TEST(SpeedupCurve, RoundsTheProductWithASpanFactor) {
  // 3 units * 0.5 = 1.5 units -> 2.
  const SpeedupCurve curve(Points{{1, 3 * unit}}, {{2, 0.5}});

  EXPECT_EQ(curve.at_span(1, 2), 2 * unit);
}

TEST(SpeedupCurve, SpanFactorsApplyToALinearCurve) {
  const SpeedupCurve curve({}, {{2, 0.5}});

  EXPECT_TRUE(curve.is_linear());
  EXPECT_EQ(curve(6), 6);
  EXPECT_EQ(curve.at_span(6, 2), 3);
  EXPECT_NE(curve, SpeedupCurve());
}

std::string refusal(const Points& points, const std::map<std::int32_t, double>& factors = {}) {
  return error_text<InvalidInput>([&] { return SpeedupCurve(points, factors); });
}

TEST(SpeedupCurve, RefusesBadPoints) {
  const std::string expected = "; expected a number from 2^-24 to 2^20";

  EXPECT_EQ(refusal({{-1, 1}}), "speedup: -1 GPUs; expected a number >= 0");
  EXPECT_EQ(refusal({{0, 0.5}}), "speedup at 0 GPUs: 0.5; expected 0");
  EXPECT_EQ(refusal({{0, std::nan("")}}), "speedup at 0 GPUs: nan; expected 0");
  EXPECT_EQ(refusal({{2, 0}}), "speedup at 2 GPUs: 0" + expected);
  EXPECT_EQ(refusal({{2, -1}}), "speedup at 2 GPUs: -1" + expected);
  EXPECT_EQ(refusal({{2, 1048577}}), "speedup at 2 GPUs: 1048577" + expected);
  EXPECT_EQ(refusal({{2, HUGE_VAL}}), "speedup at 2 GPUs: inf" + expected);
  EXPECT_EQ(refusal({{2, std::nan("")}}), "speedup at 2 GPUs: nan" + expected);
  EXPECT_EQ(refusal({{0, 0}}), "speedup: only at 0 GPUs; expected a point at 1 or more GPUs");
  EXPECT_EQ(refusal({{2, 1048576}, {3, unit}}), "nothing thrown");
}

TEST(SpeedupCurve, RefusesBadSpanFactors) {
  EXPECT_EQ(refusal({}, {{0, 1}}), "span: 0 nodes; expected a number >= 1");
  EXPECT_EQ(refusal({}, {{1, 0.9}}), "span at 1 node: 0.9; expected 1");
  EXPECT_EQ(refusal({}, {{2, 0}}), "span at 2 nodes: 0; expected a number above 0, at most 1024");
  EXPECT_EQ(refusal({}, {{2, 1025}}),
            "span at 2 nodes: 1025; expected a number above 0, at most 1024");
  EXPECT_EQ(refusal({}, {{1, 1}, {2, 1024}}), "nothing thrown");
}

RC_GTEST_PROP(SpeedupCurve, IsTheFunctionOfTheSpecification, ()) {
  naive::Job job{};
  const int count = *rc::gen::inRange(0, 8);
  for (int i = 0; i < count; ++i) {
    const int at = *rc::gen::element(*rc::gen::inRange(1, 20), *rc::gen::inRange(1, 1500));
    job.speedup_points[at] = *rc::gen::inRange(1, 100000000) * 1e-6;
  }
  const SpeedupCurve curve(job.speedup_points);

  for (const int n : {0, 1, 2, 3, 5, 9, 19, 20, 1023, 1024, 1025, 1499, 1600}) {
    RC_ASSERT(curve(n) == naive::speed(job, n));
    RC_ASSERT(curve(n) == static_cast<double>(curve.units(n)) * unit);
  }
}

}  // namespace speedup_curve_test

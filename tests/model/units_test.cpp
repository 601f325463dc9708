#include "voda/model/units.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/error_text.hpp"
#include "voda/model/error.hpp"

namespace units_test {

using voda::Duration;
using voda::duration_from_seconds;
using voda::InvalidInput;
using voda::saturating_add;
using voda::saturating_multiply;
using voda::test::error_text;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

TEST(Units, SecondsAreRoundedToTheNearestMicrosecond) {
  EXPECT_EQ(duration_from_seconds(1.5, "t").count(), 1500000);
  EXPECT_EQ(duration_from_seconds(0.0000014, "t").count(), 1);
  EXPECT_EQ(duration_from_seconds(0.0000016, "t").count(), 2);
}

TEST(Units, HalfAMicrosecondGoesUp) {
  // 2^-7 s = 7812.5 microseconds, exactly.
  EXPECT_EQ(duration_from_seconds(0.0078125, "t").count(), 7813);
  EXPECT_EQ(duration_from_seconds(-0.0078125, "t").count(), -7812);
}

TEST(Units, InstantsReadAsDurations) {
  EXPECT_EQ(voda::time_from_seconds(2.25, "now").time_since_epoch().count(), 2250000);
}

TEST(Units, SecondsComeBack) {
  EXPECT_EQ(voda::to_seconds(Duration(2250000)), 2.25);
  EXPECT_EQ(to_seconds(voda::TimePoint(Duration(-500000))), -0.5);
  EXPECT_EQ(to_seconds(voda::GpuTime{3000000}), 3);
}

TEST(Units, TimesBeyondTheLimitAreRefused) {
  const auto text = [](double seconds) {
    return error_text<InvalidInput>([=] { return duration_from_seconds(seconds, "submitted"); });
  };

  EXPECT_EQ(duration_from_seconds(1e12, "t").count(), 1000000000000000000);
  EXPECT_EQ(duration_from_seconds(-1e12, "t").count(), -1000000000000000000);
  EXPECT_EQ(text(1.5e12),
            "submitted: 1500000000000 is not a time; expected seconds from -1e+12 to 1e+12");
  EXPECT_EQ(text(std::nan("")),
            "submitted: nan is not a time; expected seconds from -1e+12 to 1e+12");
  EXPECT_EQ(text(-HUGE_VAL),
            "submitted: -inf is not a time; expected seconds from -1e+12 to 1e+12");
}

TEST(Units, SumsSaturate) {
  EXPECT_EQ(saturating_add(most, 1), most);
  EXPECT_EQ(saturating_add(most - 1, 1), most);
  EXPECT_EQ(saturating_add(least, -1), least);
  EXPECT_EQ(saturating_add(most, least), -1);
  EXPECT_EQ(saturating_add(2, -5), -3);
}

TEST(Units, ProductsSaturate) {
  EXPECT_EQ(saturating_multiply(most / 2, 3), most);
  EXPECT_EQ(saturating_multiply(most / 2, -3), least);
  EXPECT_EQ(saturating_multiply(least, -1), most);
  EXPECT_EQ(saturating_multiply(least, 1), least);
  EXPECT_EQ(saturating_multiply(0, least), 0);
  EXPECT_EQ(saturating_multiply(-4, 6), -24);
}

#ifdef __SIZEOF_INT128__
__extension__ using Wide = __int128;

RC_GTEST_PROP(Units, SaturationClampsTheTrueResult, ()) {
  const auto edge =
      rc::gen::element(most, most - 1, least, least + 1, std::int64_t{0}, std::int64_t{-1});
  const auto any = rc::gen::oneOf(edge, rc::gen::arbitrary<std::int64_t>());
  const std::int64_t a = *any;
  const std::int64_t b = *any;
  const auto clamped = [](Wide value) {
    return value > most ? most : value < least ? least : static_cast<std::int64_t>(value);
  };

  RC_ASSERT(saturating_add(a, b) == clamped(Wide{a} + b));
  RC_ASSERT(saturating_multiply(a, b) == clamped(Wide{a} * b));
}
#endif

}  // namespace units_test

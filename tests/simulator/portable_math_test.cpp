#include "voda/simulator/portable_math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "voda/simulator/random.hpp"

namespace voda {
namespace portable_math_test {

/// Units in the last place between two positive numbers.
[[nodiscard]] std::int64_t ulps(double a, double b) {
  return std::abs(std::bit_cast<std::int64_t>(a) - std::bit_cast<std::int64_t>(b));
}

// The library's functions are within one unit of the truth (glibc manual, "Errors in Math
// Functions").
TEST(PortableMath, LogarithmIsWithinTwoUnits) {
  RandomStream random(7);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(1 + random.uniform(), static_cast<int>(random.below(200)) - 100);
    const double expected = std::log(x);
    if (std::abs(expected) < 0.5) {
      EXPECT_NEAR(portable_log(x), expected, 2e-16) << x;
    } else {
      EXPECT_LE(ulps(std::abs(portable_log(x)), std::abs(expected)), 3) << x;
    }
  }
}

TEST(PortableMath, LogarithmToBaseTwoIsExactForPowersOfTwo) {
  for (int k = -60; k <= 60; ++k)
    EXPECT_EQ(portable_log2(std::ldexp(1.0, k)), k);
}

TEST(PortableMath, ExponentialIsWithinThreeUnits) {
  RandomStream random(8);
  for (int i = 0; i < 20000; ++i) {
    const double x = 1400 * random.uniform() - 700;
    EXPECT_LE(ulps(portable_exp(x), std::exp(x)), 3) << x;
  }
  EXPECT_EQ(portable_exp(0), 1);
}

TEST(PortableMath, SineOfTurnsAgreesWithTheLibrary) {
  RandomStream random(9);
  for (int i = 0; i < 20000; ++i) {
    const double turns = 4 * random.uniform() - 2;
    EXPECT_NEAR(portable_sine_of_turns(turns), std::sin(2 * 3.14159265358979323846 * turns), 3e-15)
        << turns;
  }
  EXPECT_NEAR(portable_sine_of_turns(0.25), 1, 1e-15);
  EXPECT_EQ(portable_sine_of_turns(0), 0);
}

}  // namespace portable_math_test
}  // namespace voda

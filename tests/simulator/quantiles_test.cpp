#include "voda/simulator/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/io_checks.hpp"
#include "voda/simulator/goodness_of_fit.hpp"
#include "voda/simulator/random.hpp"

namespace voda {
namespace quantiles_test {

[[nodiscard]] std::string refusal_of(const Quantiles& quantiles) {
  return test::message_of([&] {
    check(quantiles, "q", 0, 100);
    return 0;
  });
}

TEST(Quantiles, AreInterpolatedByTheScaleAskedFor) {
  const Quantiles quantiles{.probabilities = {0, 0.5, 1}, .values = {1, 4, 100}};

  EXPECT_DOUBLE_EQ(value_at(quantiles, 0.25, Interpolation::linear), 2.5);
  EXPECT_NEAR(value_at(quantiles, 0.25, Interpolation::logarithmic), 2, 1e-12);  // root of 1 * 4
  EXPECT_NEAR(value_at(quantiles, 0.75, Interpolation::logarithmic), 20, 1e-11);
  EXPECT_DOUBLE_EQ(value_at(quantiles, 1, Interpolation::linear), 100);
}

TEST(Quantiles, AreLinearWhereTheLowerOneIsNotAboveZero) {
  const Quantiles quantiles{.probabilities = {0, 1}, .values = {0, 10}};

  EXPECT_DOUBLE_EQ(value_at(quantiles, 0.3, Interpolation::logarithmic), 3);
}

TEST(Quantiles, OfASampleAreItsMembers) {
  // The smallest member at or below which at least the share lies: of four, the first covers 25 %.
  const std::vector<double> sample{1, 2, 3, 4};

  EXPECT_EQ(quantile_of(sample, 0), 1);
  EXPECT_EQ(quantile_of(sample, 0.25), 1);
  EXPECT_EQ(quantile_of(sample, 0.26), 2);
  EXPECT_EQ(quantile_of(sample, 0.5), 2);
  EXPECT_EQ(quantile_of(sample, 1), 4);
}

TEST(Quantiles, OfASampleNeedNoOrderAndAreValid) {
  const Quantiles quantiles = quantiles_of({5, 1, 3});

  EXPECT_NO_THROW(check(quantiles, "q", 0, 100));
  EXPECT_EQ(quantiles.values.front(), 1);
  EXPECT_EQ(quantiles.values.back(), 5);
}

RC_GTEST_PROP(Quantiles, StayWithinTheirSpacingOfTheSample, ()) {
  // Both distribution functions lie between the same two neighbouring probabilities everywhere, so
  // they differ by 0.05 at most; 20,000 equidistant draws add their own step.
  const auto raw =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40)));
  const std::vector<double> sample(raw.begin(), raw.end());
  const Quantiles quantiles = quantiles_of(sample);
  constexpr int draws = 20000;

  std::vector<double> drawn;
  for (int i = 0; i < draws; ++i) {
    const double value = value_at(quantiles, (i + 0.5) / draws, Interpolation::logarithmic);
    drawn.push_back(std::floor(value * 1000 + 0.5) / 1000);
  }

  RC_ASSERT(ks_distance(sample, drawn) <= 0.05 + 1.0 / draws);
}

TEST(Quantiles, NameWhatTheyRefuse) {
  EXPECT_EQ(refusal_of({}),
            "q: 0 probabilities and 0 values; expected a value each, and at least two");
  EXPECT_EQ(refusal_of({.probabilities = {0, 1}, .values = {1}}),
            "q: 2 probabilities and 1 values; expected a value each, and at least two");
  EXPECT_EQ(refusal_of({.probabilities = {0.1, 1}, .values = {1, 2}}),
            "q: probabilities from 0.1 to 1; expected them from 0 to 1");
  EXPECT_EQ(refusal_of({.probabilities = {0, 0.5, 0.5, 1}, .values = {1, 2, 3, 4}}),
            "q: probability 0.5 after 0.5; expected them to ascend");
  EXPECT_EQ(refusal_of({.probabilities = {0, 0.5, 1}, .values = {1, 3, 2}}),
            "q: 2 at probability 1 after 3; expected no value below the one before it");
  EXPECT_EQ(refusal_of({.probabilities = {0, 1}, .values = {1, 101}}),
            "q: 101 at probability 1; expected a number from 0 to 100");
  EXPECT_EQ(refusal_of({.probabilities = {0, 1}, .values = {std::nan(""), 101}}),
            "q: nan at probability 0; expected a number from 0 to 100");
}

}  // namespace quantiles_test
}  // namespace voda

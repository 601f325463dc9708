#include "voda/scheduler/pacer.hpp"

#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/model/error.hpp"

namespace pacer_test {

using namespace voda;
using namespace voda::test;

TEST(DecisionPacer, DecidesAtOnceByDefault) {
  DecisionPacer pacer;
  EXPECT_FALSE(pacer.due().has_value());
  pacer.trigger(at(3), Trigger::change);
  EXPECT_EQ(pacer.due(), at(3));
}

TEST(DecisionPacer, RateLimitDefersToTheLimitAfterTheLastDecision) {
  DecisionPacer pacer({.rate_limit = seconds(10)});
  pacer.trigger(at(3), Trigger::change);
  EXPECT_EQ(pacer.due(), at(3));

  pacer.decided(at(3), std::nullopt);
  pacer.trigger(at(5), Trigger::change);
  pacer.trigger(at(7), Trigger::change);
  EXPECT_EQ(pacer.due(), at(13));
}

TEST(DecisionPacer, EagerStartIsOnlyForArrivalsThatFit) {
  DecisionPacer pacer({.rate_limit = seconds(10), .is_eager = true});
  pacer.decided(at(0), std::nullopt);
  pacer.trigger(at(4), Trigger::change);
  EXPECT_EQ(pacer.due(), at(10));
  pacer.trigger(at(5), Trigger::arrival_that_fits);
  EXPECT_EQ(pacer.due(), at(5));
}

TEST(DecisionPacer, RoundsAreMultiplesOnTheClock) {
  DecisionPacer pacer({.round = seconds(60)});
  pacer.trigger(at(61), Trigger::change);
  EXPECT_EQ(pacer.due(), at(120));
  pacer.decided(at(120), at(180));
  EXPECT_EQ(pacer.due(), at(180));  // a review on a round is not deferred
  pacer.decided(at(180), at(181));
  EXPECT_EQ(pacer.due(), at(240));

  DecisionPacer early({.round = seconds(60)});
  early.trigger(at(-61), Trigger::change);
  EXPECT_EQ(early.due(), at(-60));
}

// Restarted at 6 s: the pending trigger stays due at 13 s, and after the decision at 13 s the limit holds until 23 s.
TEST(DecisionPacer, GoesOnFromItsState) {
  const PacerOptions limited{.rate_limit = seconds(10)};
  DecisionPacer before(limited);
  before.decided(at(3), std::nullopt);
  before.trigger(at(5), Trigger::change);
  DecisionPacer after(limited, before.state());
  EXPECT_EQ(after.due(), at(13));

  after.decided(at(13), std::nullopt);
  DecisionPacer again(limited, after.state());
  EXPECT_FALSE(again.due().has_value());
  again.trigger(at(14), Trigger::change);
  EXPECT_EQ(again.due(), at(23));
}

TEST(DecisionPacer, RefusesNegativeDurations) {
  EXPECT_THROW(DecisionPacer({.rate_limit = seconds(-1)}), InvalidInput);
  EXPECT_THROW(DecisionPacer({.round = seconds(-1)}), InvalidInput);
}

}  // namespace pacer_test

#include "voda/allocators/tiresias.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/error_text.hpp"
#include "support/policies.hpp"
#include "voda/model/error.hpp"

// Expected answers by hand from policies.md, section 5. Now is 5000 s; defaults: threshold 3600
// GPU-seconds, knob 8.

namespace tiresias_test {

using testing::ElementsAre;
using testing::IsEmpty;
using voda::test::AllocationCase;
using voda::test::gpus_given;
using voda::test::GpusById;

std::optional<double> review(std::string_view text, const AllocationCase& from) {
  return voda::test::review_s(voda::test::policy(text)->allocate(voda::test::problem_of(from)));
}

std::vector<std::string> resets(std::string_view text, const AllocationCase& from) {
  const auto problem = voda::test::problem_of(from);
  return voda::test::reset_ids(problem, voda::test::policy(text)->allocate(problem));
}

TEST(Tiresias, LittleServiceGoesFirst) {
  const AllocationCase from{
      .gpus = 1,
      .jobs = {
          {.id = "a", .service_s = 4000, .executed_s = 4000, .last_started_s = 1, .current = 1},
          {.id = "b"}}};

  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Tiresias, AJobFallsExactlyAtTheThreshold) {
  AllocationCase from{
      .gpus = 1,
      .jobs = {
          {.id = "a", .service_s = 3600, .executed_s = 3600, .last_started_s = 1, .current = 1},
          {.id = "b", .service_s = 3599.999999, .executed_s = 3600, .last_started_s = 2}}};
  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 0}, {"b", 1}}));

  from.jobs[0].service_s = 3599.999999;
  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 1}, {"b", 0}}));
}

TEST(Tiresias, SeveralThresholdsMakeSeveralQueues) {
  const AllocationCase from{
      .gpus = 1,
      .jobs = {
          {.id = "a", .service_s = 1500, .executed_s = 1500, .last_started_s = 1, .current = 1},
          {.id = "b", .service_s = 500, .executed_s = 500, .last_started_s = 2}}};

  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 1}, {"b", 0}}));
  EXPECT_EQ(gpus_given("tiresias:thresholds=1000/5000", from), (GpusById{{"a", 0}, {"b", 1}}));
}

// papers.md: in Voda 0.2.2 jobs that never started sort before running ones and preempt them.
TEST(Tiresias, InAQueueHoldersGoBeforeWaitingJobs) {
  const AllocationCase from{
      .gpus = 1,
      .jobs = {{.id = "a", .submitted_s = 1},
               {.id = "b", .submitted_s = 2, .last_started_s = 4000, .current = 1},
               {.id = "c", .submitted_s = 0, .executed_s = 1000, .last_started_s = 10}}};

  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 0}, {"b", 1}, {"c", 0}}));
}

TEST(Tiresias, BothGroupsGoByTheirLatestStart) {
  const AllocationCase from{.gpus = 2,
                            .jobs = {{.id = "a", .last_started_s = 20, .current = 1},
                                     {.id = "b", .last_started_s = 10, .current = 1},
                                     {.id = "c", .last_started_s = 5, .current = 1}}};
  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 0}, {"b", 1}, {"c", 1}}));

  const AllocationCase waiting{.gpus = 1,
                               .jobs = {{.id = "a", .submitted_s = 1},
                                        {.id = "b", .submitted_s = 9, .last_started_s = 4000}}};
  EXPECT_EQ(gpus_given("tiresias", waiting),
            (GpusById{{"a", 0}, {"b", 1}}));  // never started: last
}

TEST(Tiresias, EqualStartsGoByArrival) {
  const AllocationCase from{.gpus = 1,
                            .jobs = {{.id = "b", .submitted_s = 1}, {.id = "a", .submitted_s = 2}}};

  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Tiresias, GivesTheRequestAndSkipsWhatDoesNotFit) {
  const AllocationCase from{.gpus = 4,
                            .jobs = {{.id = "a", .submitted_s = 1, .requested = 3, .max = 4},
                                     {.id = "b", .submitted_s = 2, .requested = 2, .max = 4},
                                     {.id = "c", .submitted_s = 3, .requested = 1, .max = 4}}};

  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 3}, {"b", 0}, {"c", 1}}));
}

TEST(Tiresias, ReviewsWhenAJobReachesItsThreshold) {
  AllocationCase from{
      .gpus = 2, .jobs = {{.id = "a", .requested = 2, .max = 2, .service_s = 3000, .current = 2}}};
  EXPECT_EQ(review("tiresias", from), 5300);  // (3600 - 3000) / 2

  from.jobs[0].service_s = 3599.999999;
  EXPECT_EQ(review("tiresias", from), 5000.000001);  // half a microsecond, rounded up
}

TEST(Tiresias, ReviewCountsTheGpusJustGiven) {
  const AllocationCase from{.gpus = 4, .jobs = {{.id = "a", .requested = 4, .max = 4}}};

  EXPECT_EQ(review("tiresias", from), 5900);
}

TEST(Tiresias, NothingToReviewInTheLastQueue) {
  const AllocationCase from{
      .gpus = 1, .jobs = {{.id = "a", .service_s = 3600, .executed_s = 9000, .current = 1}}};

  EXPECT_EQ(review("tiresias", from), std::nullopt);
}

/// a holds the only GPU in the last queue; b waits behind it, having executed 100 s: promoted after
/// 800 s of waiting.
AllocationCase waiting_for_promotion(double waited_s) {
  return {.gpus = 1,
          .jobs = {
              {.id = "a", .service_s = 9000, .executed_s = 9000, .last_started_s = 1, .current = 1},
              {.id = "b",
               .service_s = 4000,
               .executed_s = 100,
               .waited_s = waited_s,
               .last_started_s = 2}}};
}

TEST(Tiresias, ReviewsWhenAPromotionFallsDue) {
  EXPECT_EQ(gpus_given("tiresias", waiting_for_promotion(700)), (GpusById{{"a", 1}, {"b", 0}}));
  EXPECT_EQ(review("tiresias", waiting_for_promotion(700)), 5100);
  EXPECT_EQ(review("tiresias", waiting_for_promotion(799.999999)), 5000.000001);
}

TEST(Tiresias, PromotesExactlyThen) {
  const AllocationCase due = waiting_for_promotion(800);

  EXPECT_EQ(gpus_given("tiresias", due), (GpusById{{"a", 0}, {"b", 1}}));
  EXPECT_THAT(resets("tiresias", due), ElementsAre("b"));
  // b starts anew at service 0: 3600 s on one GPU; a waits 72,000 s for its own promotion.
  EXPECT_EQ(review("tiresias", due), 8600);
}

TEST(Tiresias, DoesNotPromoteEarlier) {
  EXPECT_THAT(resets("tiresias", waiting_for_promotion(799.999999)), IsEmpty());
}

TEST(Tiresias, KnobZeroSwitchesPromotionOff) {
  EXPECT_EQ(gpus_given("tiresias:knob=0", waiting_for_promotion(4000)),
            (GpusById{{"a", 1}, {"b", 0}}));
  EXPECT_THAT(resets("tiresias:knob=0", waiting_for_promotion(4000)), IsEmpty());
  EXPECT_EQ(review("tiresias:knob=0", waiting_for_promotion(700)), std::nullopt);
}

TEST(Tiresias, TheWaitIsRoundedUpToWholeMicroseconds) {
  AllocationCase from = waiting_for_promotion(0.000001);
  from.jobs[1].executed_s = 0.000003;

  // 0.5 * 3 = 1.5 microseconds: one is too few, two are enough.
  EXPECT_THAT(resets("tiresias:knob=0.5", from), IsEmpty());
  EXPECT_EQ(review("tiresias:knob=0.5", from), 5000.000001);
  from.jobs[1].waited_s = 0.000002;
  EXPECT_THAT(resets("tiresias:knob=0.5", from), ElementsAre("b"));
}

// papers.md: Voda 0.2.2 tests promotion on running jobs too.
TEST(Tiresias, AHolderIsNotPromoted) {
  const AllocationCase from{.gpus = 1,
                            .jobs = {{.id = "a",
                                      .service_s = 4000,
                                      .executed_s = 100,
                                      .waited_s = 900,
                                      .last_started_s = 1,
                                      .current = 1}}};

  EXPECT_THAT(resets("tiresias", from), IsEmpty());
}

TEST(Tiresias, AJobInTheFirstQueueIsNotPromoted) {
  const AllocationCase from{
      .gpus = 0, .jobs = {{.id = "a", .executed_s = 1, .waited_s = 4000, .last_started_s = 1}}};

  EXPECT_THAT(resets("tiresias", from), IsEmpty());
  EXPECT_EQ(review("tiresias", from), std::nullopt);
}

TEST(Tiresias, APromotionDueForAJobThatLosesItsGpusIsNotReported) {
  const AllocationCase from{.gpus = 1,
                            .jobs = {{.id = "a",
                                      .service_s = 4000,
                                      .executed_s = 100,
                                      .waited_s = 900,
                                      .last_started_s = 1,
                                      .current = 1},
                                     {.id = "b"}}};

  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 0}, {"b", 1}}));
  EXPECT_EQ(review("tiresias", from), 8600);  // b at its threshold
}

TEST(Tiresias, ResetsGoByIdAsText) {
  AllocationCase from{.gpus = 0};
  for (const char* id : {"j9", "j10", "J9"}) {
    from.jobs.push_back(
        {.id = id, .service_s = 4000, .executed_s = 1, .waited_s = 8, .last_started_s = 1});
  }

  EXPECT_THAT(resets("tiresias", from), ElementsAre("J9", "j10", "j9"));
}

// papers.md: Voda 0.2.2 counts service since the last start only; here the counters of all runs add
// up.
TEST(Tiresias, ServiceOfEarlierRunsCounts) {
  const AllocationCase from{.gpus = 1,
                            .jobs = {{.id = "a",
                                      .service_s = 3600,
                                      .executed_s = 3600,
                                      .last_started_s = 4999.9,
                                      .current = 1},
                                     {.id = "b"}}};

  EXPECT_EQ(gpus_given("tiresias", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Tiresias, ThresholdsMustAscend) {
  const auto text = [](const char* written) {
    return voda::test::error_text<voda::InvalidInput>(
        [written] { return voda::test::policy(written); });
  };

  EXPECT_EQ(text("tiresias:thresholds=5000/1000"),
            "policy 'tiresias': option 'thresholds': '5000/1000'; expected ascending numbers");
  EXPECT_EQ(text("tiresias:thresholds=5/5"),
            "policy 'tiresias': option 'thresholds': '5/5'; expected ascending numbers");
  EXPECT_EQ(
      text("tiresias:thresholds=-1"),
      "policy 'tiresias': option 'thresholds': '-1'; expected a number from 0 to 1000000000000");
}

}  // namespace tiresias_test

#include "voda/allocators/elastic_tiresias.hpp"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/policies.hpp"

// Expected answers by hand from policies.md, section 6. Now is 5000 s.

namespace elastic_tiresias_test {

using voda::GpuCount;
using voda::SizeRule;
using voda::test::AllocationCase;
using voda::test::AskingJob;
using voda::test::gpus_given;
using voda::test::GpusById;

/// A job of the second queue that holds its request; later `start` means later in Tiresias order.
AskingJob holder(std::string id, GpuCount min, GpuCount requested, double start) {
  return {.id = std::move(id),
          .min = min,
          .requested = requested,
          .max = requested,
          .service_s = 4000,
          .executed_s = 4000,
          .last_started_s = start,
          .current = requested};
}

/// A job of the second queue that waits and asks for more than there is.
AskingJob waiting(std::string id, GpuCount min) {
  return {.id = std::move(id),
          .min = min,
          .requested = 8,
          .max = 8,
          .service_s = 4000,
          .executed_s = 4000,
          .last_started_s = 900};
}

TEST(ElasticTiresias, ExpandsWhereTheGainIsLargest) {
  const AllocationCase from{.gpus = 6,
                            .jobs = {{.id = "a", .requested = 2, .max = 4},
                                     {.id = "b",
                                      .requested = 2,
                                      .max = 4,
                                      .speedup = {{1, 1}, {2, 1.9}, {3, 2.2}, {4, 2.4}}}}};

  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 4}, {"b", 2}}));
}

TEST(ElasticTiresias, EqualGainsGoToTheSmallerCost) {
  const AllocationCase from{.gpus = 5,
                            .jobs = {{.id = "a",
                                      .submitted_s = 1,
                                      .max = 4,
                                      .sizes = {.kind = SizeRule::Kind::step, .step = 3}},
                                     {.id = "b", .submitted_s = 2, .max = 2}}};

  // 3 are free; a's step costs 3, b's 1, both gain 1 per GPU: b first, then a's step does not fit.
  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 1}, {"b", 2}}));
}

TEST(ElasticTiresias, EqualGainsAndCostsGoInTiresiasOrder) {
  const AllocationCase from{
      .gpus = 3,
      .jobs = {{.id = "b", .submitted_s = 1, .max = 3}, {.id = "a", .submitted_s = 2, .max = 3}}};

  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 1}, {"b", 2}}));
}

// papers.md: marginal greed sticks on curves that are not concave.
TEST(ElasticTiresias, ExpansionJumpsOverFlatParts) {
  const AllocationCase from{
      .gpus = 4, .jobs = {{.id = "a", .max = 4, .speedup = {{1, 1}, {2, 1}, {3, 1}, {4, 4}}}}};

  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 4}}));
}

// The largest speed at 2 GPUs, the smallest up to 2^30: differences of speeds times differences of sizes exceed 64 bits.
TEST(ElasticTiresias, ExpansionComparesTheSteepestCurvesExactly) {
  constexpr double smallest = voda::SpeedupCurve::smallest_speed;
  constexpr double largest = voda::SpeedupCurve::largest_speed;
  const AllocationCase from{
      .gpus = 2,
      .jobs = {{.id = "a",
                .max = 1 << 30,
                .sizes = {.kind = SizeRule::Kind::powers_of_two},
                .speedup = {{1, 1}, {2, largest}, {4, smallest}, {1 << 30, smallest}}}}};

  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 2}}));
}

TEST(ElasticTiresias, ExpansionStopsWhereNothingIsGained) {
  const AllocationCase from{.gpus = 8,
                            .jobs = {{.id = "a", .max = 8, .speedup = {{1, 1}, {2, 2}}}}};

  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 2}}));
}

TEST(ElasticTiresias, JobsWithoutGpusTakePartInExpansion) {
  const AllocationCase from{.gpus = 3, .jobs = {{.id = "a", .min = 2, .requested = 4, .max = 4}}};

  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 3}}));
}

TEST(ElasticTiresias, AJobWithoutGpusMayStartAtAnySize) {
  const AllocationCase from{
      .gpus = 3, .jobs = {{.id = "a", .requested = 4, .max = 4, .speedup = {{1, 0.5}, {3, 3}}}}};

  // S / n: 0.5, 0.875, 1: straight to 3.
  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 3}}));
}

// papers.md: in Voda 0.2.2 "a running job whose m exceeds the free GPUs is barred from growing".
TEST(ElasticTiresias, AMinimumAboveTheFreeGpusDoesNotStopGrowth) {
  const AllocationCase from{
      .gpus = 6, .jobs = {{.id = "a", .min = 4, .requested = 4, .max = 6, .current = 4}}};

  EXPECT_EQ(gpus_given("elastic_tiresias", from), (GpusById{{"a", 6}}));
}

/// A job on all 8 GPUs and `count` waiting ones with minimum 2.
AllocationCase crowd(int count) {
  AllocationCase from{.gpus = 8, .jobs = {holder("low", 2, 8, 1)}};
  for (int i = 0; i < count; ++i)
    from.jobs.push_back(waiting("w" + std::to_string(10 + i), 2));
  return from;
}

// papers.md: in Voda 0.2.2 the shrunk job takes its GPUs back: 8 to the old job, 0 to all others.
TEST(ElasticTiresias, CompactionFeedsTheWaiting) {
  const GpusById gpus = gpus_given("elastic_tiresias", crowd(11));

  EXPECT_EQ(gpus.at("low"), 2);
  EXPECT_EQ(gpus.at("w10"), 2);
  EXPECT_EQ(gpus.at("w11"), 2);
  EXPECT_EQ(gpus.at("w12"), 2);
  EXPECT_EQ(gpus.at("w13"), 0);
}

TEST(ElasticTiresias, CompactsOnlyAboveTheLimit) {
  EXPECT_EQ(gpus_given("elastic_tiresias", crowd(10)).at("low"), 8);
  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=1", crowd(1)).at("low"), 8);
  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=0", crowd(1)).at("low"), 6);
}

// papers.md: Voda 0.2.2 shrinks all low jobs, not just enough.
TEST(ElasticTiresias, ShrinksTheLastJobAndOnlyAsFarAsNeeded) {
  const AllocationCase from{.gpus = 8,
                            .jobs = {holder("a", 1, 4, 1), holder("b", 1, 4, 2), waiting("c", 2)}};

  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=0", from),
            (GpusById{{"a", 4}, {"b", 2}, {"c", 2}}));
}

TEST(ElasticTiresias, ShrinksFurtherJobsWhenOneIsNotEnough) {
  const AllocationCase from{.gpus = 8,
                            .jobs = {holder("a", 3, 4, 1), holder("b", 3, 4, 2), waiting("c", 2)}};

  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=0", from),
            (GpusById{{"a", 3}, {"b", 3}, {"c", 2}}));
}

TEST(ElasticTiresias, ShrinksToAllowedSizesAndWhatIsLeftOverIsNotTakenBack) {
  AllocationCase from{.gpus = 4, .jobs = {holder("b", 1, 4, 1), waiting("c", 1)}};
  from.jobs[0].sizes.kind = SizeRule::Kind::powers_of_two;
  from.jobs[1].speedup = {{1, 1}};

  // c needs 1; b goes to 2, the largest power of two that frees enough. The GPU left over helps
  // nobody else.
  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=0", from), (GpusById{{"b", 2}, {"c", 1}}));
}

TEST(ElasticTiresias, JobsOfTheFirstQueueAreNotShrunk) {
  AllocationCase from{.gpus = 8, .jobs = {holder("a", 1, 8, 1), waiting("c", 1)}};
  from.jobs[0].service_s = 3599;

  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=0", from), (GpusById{{"a", 8}, {"c", 0}}));
}

TEST(ElasticTiresias, AJobThatCannotStartFreesNothingAndTheNextIsTried) {
  AllocationCase from{.gpus = 8, .jobs = {holder("a", 2, 8, 1), waiting("c", 7), waiting("d", 1)}};

  // c would need 7, 6 can be freed; d needs 1.
  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=0", from),
            (GpusById{{"a", 7}, {"c", 0}, {"d", 1}}));
}

TEST(ElasticTiresias, CompactionDoesNotStartAJobThatMakesNoProgress) {
  AllocationCase from{.gpus = 8, .jobs = {holder("a", 1, 8, 1), waiting("c", 1)}};
  from.jobs[1].speedup = {{4, 0x1p-24}};  // S(1) is rounded to 0

  EXPECT_EQ(gpus_given("elastic_tiresias:compact_above=0", from), (GpusById{{"a", 8}, {"c", 0}}));
}

TEST(ElasticTiresias, ReviewCountsTheExpandedSizes) {
  const auto problem = voda::test::problem_of({.gpus = 4, .jobs = {{.id = "a", .max = 4}}});

  const auto decision = voda::test::policy("elastic_tiresias")->allocate(problem);

  EXPECT_EQ(voda::test::review_s(decision), 5900);  // 3600 GPU-seconds on 4 GPUs
}

TEST(ElasticTiresias, PromotesAsTiresias) {
  AllocationCase from{.gpus = 1, .jobs = {holder("a", 1, 1, 1), waiting("b", 1)}};
  from.jobs[1].requested = 1;
  from.jobs[1].executed_s = 100;
  from.jobs[1].waited_s = 800;
  const auto problem = voda::test::problem_of(from);

  const auto decision = voda::test::policy("elastic_tiresias")->allocate(problem);

  EXPECT_EQ(voda::test::gpus_by_id(problem, decision), (GpusById{{"a", 0}, {"b", 1}}));
  EXPECT_THAT(voda::test::reset_ids(problem, decision), testing::ElementsAre("b"));
}

}  // namespace elastic_tiresias_test

#include "voda/allocators/elastic_fifo.hpp"

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/policies.hpp"

// Expected counts by hand from policies.md, sections 0 and 2.

namespace elastic_fifo_test {

using voda::SizeRule;
using voda::test::AllocationCase;
using voda::test::gpus_given;
using voda::test::GpusById;

constexpr SizeRule powers{.kind = SizeRule::Kind::powers_of_two};

/// Linear jobs: a from 1 to 4, b from 2 to 4.
AllocationCase two_jobs() {
  return {.gpus = 7,
          .jobs = {{.id = "a", .submitted_s = 1, .max = 4},
                   {.id = "b", .submitted_s = 2, .min = 2, .requested = 2, .max = 4}}};
}

TEST(ElasticFifo, GrowsInTurnsAfterTheMinimums) {
  // Minimums 1 and 2 leave 4: a 2, b 3, a 3, b 4.
  EXPECT_EQ(gpus_given("elastic_fifo", two_jobs()), (GpusById{{"a", 3}, {"b", 4}}));
}

TEST(ElasticFifo, GreedyFeedsTheFirstFirst) {
  // Of the 4 that are left a takes 3 up to its maximum, b 1.
  EXPECT_EQ(gpus_given("elastic_fifo:grow=greedy", two_jobs()), (GpusById{{"a", 4}, {"b", 3}}));
}

TEST(ElasticFifo, InOrderHasNoMinimumsFirst) {
  const AllocationCase from{.gpus = 4, .jobs = {{.id = "a", .max = 4}, {.id = "b", .max = 4}}};

  EXPECT_EQ(gpus_given("elastic_fifo:grow=in_order", from), (GpusById{{"a", 4}, {"b", 0}}));
}

TEST(ElasticFifo, InOrderTakesTheFastestSizeThatFits) {
  const AllocationCase from{
      .gpus = 4,
      .jobs = {{.id = "a", .max = 8, .speedup = {{1, 1}, {2, 0.5}, {3, 2}, {4, 2}, {5, 9}}},
               {.id = "b"}}};

  // 3 and 4 are equally fast, the smaller one is taken; 5 does not fit.
  EXPECT_EQ(gpus_given("elastic_fifo:grow=in_order", from), (GpusById{{"a", 3}, {"b", 1}}));
}

// papers.md: Voda 0.2.2 feeds b single GPUs below its minimum and panics.
TEST(ElasticFifo, AJobWithoutItsMinimumGetsNothing) {
  const AllocationCase from{
      .gpus = 4,
      .jobs = {{.id = "a", .submitted_s = 1, .max = 4},
               {.id = "b", .submitted_s = 2, .min = 4, .requested = 4, .max = 4}}};

  EXPECT_EQ(gpus_given("elastic_fifo", from), (GpusById{{"a", 4}, {"b", 0}}));
}

TEST(ElasticFifo, MinimumsThatDoNotFitAreSkipped) {
  const AllocationCase from{
      .gpus = 4,
      .jobs = {{.id = "a", .submitted_s = 1, .min = 3, .requested = 3, .max = 3},
               {.id = "b", .submitted_s = 2, .min = 2, .requested = 2, .max = 2},
               {.id = "c", .submitted_s = 3}}};

  EXPECT_EQ(gpus_given("elastic_fifo", from), (GpusById{{"a", 3}, {"b", 0}, {"c", 1}}));
}

// papers.md: Voda 0.2.2 feeds jobs that gain nothing.
TEST(ElasticFifo, AJobStopsWhereTheNextSizeIsNotFaster) {
  const AllocationCase from{.gpus = 8,
                            .jobs = {{.id = "a", .max = 8, .speedup = {{1, 1}, {2, 2}}},
                                     {.id = "b", .max = 8, .speedup = {{1, 1}, {2, 1}, {3, 5}}}}};

  EXPECT_EQ(gpus_given("elastic_fifo", from), (GpusById{{"a", 2}, {"b", 1}}));
  EXPECT_EQ(gpus_given("elastic_fifo:grow=greedy", from), (GpusById{{"a", 2}, {"b", 1}}));
}

TEST(ElasticFifo, AStepThatIsTooDearStopsOnlyItsJob) {
  const AllocationCase from{
      .gpus = 8, .jobs = {{.id = "a", .max = 8, .sizes = powers}, {.id = "b", .max = 4}}};

  // a 1 b 1, a 2 b 2, a 4 b 3 leave 1: a would need 4, b takes it.
  EXPECT_EQ(gpus_given("elastic_fifo", from), (GpusById{{"a", 4}, {"b", 4}}));
}

TEST(ElasticFifo, LeavesGpusIdleThatFillNoStep) {
  const AllocationCase from{.gpus = 7, .jobs = {{.id = "a", .max = 8, .sizes = powers}}};

  EXPECT_EQ(gpus_given("elastic_fifo", from), (GpusById{{"a", 4}}));
  EXPECT_EQ(gpus_given("elastic_fifo:grow=in_order", from), (GpusById{{"a", 4}}));
}

TEST(ElasticFifo, GrowsByWholeWorkers) {
  const AllocationCase from{
      .gpus = 9, .jobs = {{.id = "a", .max = 8, .gpus_per_worker = 3}, {.id = "b", .max = 8}}};

  // a 3 b 1 leave 5: a 6, b 2 leave 1: b 3. (8 rounded down to whole workers is 6.)
  EXPECT_EQ(gpus_given("elastic_fifo", from), (GpusById{{"a", 6}, {"b", 3}}));
}

TEST(ElasticFifo, DoesNotStartAJobThatMakesNoProgress) {
  // S(1) is 2^-26, rounded to 0.
  const AllocationCase from{.gpus = 4, .jobs = {{.id = "a", .max = 4, .speedup = {{4, 0x1p-24}}}}};

  EXPECT_EQ(gpus_given("elastic_fifo", from), (GpusById{{"a", 0}}));
}

}  // namespace elastic_fifo_test

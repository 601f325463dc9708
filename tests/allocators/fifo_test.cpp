#include "voda/allocators/fifo.hpp"

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/policies.hpp"

// Expected counts by hand from policies.md, sections 0 and 1.

namespace fifo_test {

using voda::test::AllocationCase;
using voda::test::gpus_given;
using voda::test::GpusById;

/// a asks for 3, b for 2, c for 1, on 4 GPUs.
AllocationCase three_jobs() {
  return {.gpus = 4,
          .jobs = {{.id = "a", .submitted_s = 1, .requested = 3, .max = 3},
                   {.id = "b", .submitted_s = 2, .requested = 2, .max = 2},
                   {.id = "c", .submitted_s = 3}}};
}

TEST(Fifo, LaterJobsMayPassOneThatDoesNotFit) {
  EXPECT_EQ(gpus_given("fifo", three_jobs()), (GpusById{{"a", 3}, {"b", 0}, {"c", 1}}));
}

TEST(Fifo, WaitLetsTheFirstThatDoesNotFitBlockTheRest) {
  EXPECT_EQ(gpus_given("fifo:blocked=wait", three_jobs()),
            (GpusById{{"a", 3}, {"b", 0}, {"c", 0}}));
}

TEST(Fifo, SizeMinimumGivesTheMinimum) {
  EXPECT_EQ(gpus_given("fifo:size=minimum", three_jobs()),
            (GpusById{{"a", 1}, {"b", 1}, {"c", 1}}));
}

TEST(Fifo, EqualSubmissionsGoByIdAsText) {
  const AllocationCase tie{.gpus = 1, .jobs = {{.id = "j9"}, {.id = "j10"}}};

  EXPECT_EQ(gpus_given("fifo", tie), (GpusById{{"j9", 0}, {"j10", 1}}));
}

/// c runs on 2 of 3 GPUs when the older a, which wants 2, comes into question.
AllocationCase running_younger() {
  return {.gpus = 3,
          .jobs = {{.id = "a", .submitted_s = 1, .requested = 2, .max = 2},
                   {.id = "c", .submitted_s = 9, .requested = 2, .max = 2, .current = 2}}};
}

// Voda 0.2.2 stops a job that runs in a gap as soon as an older one fits.
TEST(Fifo, AnOlderJobDoesNotPushOutOneThatRuns) {
  EXPECT_EQ(gpus_given("fifo", running_younger()), (GpusById{{"a", 0}, {"c", 2}}));
}

TEST(Fifo, PreemptServesInOnePass) {
  EXPECT_EQ(gpus_given("fifo:preempt=true", running_younger()), (GpusById{{"a", 2}, {"c", 0}}));
}

TEST(Fifo, AHolderGetsTheSizeOfTheOptionWhateverItHolds) {
  const AllocationCase holder{
      .gpus = 8, .jobs = {{.id = "a", .min = 1, .requested = 3, .max = 8, .current = 6}}};

  EXPECT_EQ(gpus_given("fifo", holder), (GpusById{{"a", 3}}));
  EXPECT_EQ(gpus_given("fifo:size=minimum", holder), (GpusById{{"a", 1}}));
}

/// The pool shrank to 2 GPUs: a, which holds 4, fits no more.
AllocationCase shrunk_pool() {
  return {.gpus = 2,
          .jobs = {{.id = "a", .submitted_s = 1, .requested = 4, .max = 4, .current = 4},
                   {.id = "b", .submitted_s = 2, .current = 1},
                   {.id = "c", .submitted_s = 3}}};
}

TEST(Fifo, AHolderThatFitsNoMoreIsSkipped) {
  EXPECT_EQ(gpus_given("fifo", shrunk_pool()), (GpusById{{"a", 0}, {"b", 1}, {"c", 1}}));
}

TEST(Fifo, WaitAppliesToTheSecondPassOnly) {
  // a does not block the holder b in the first pass; in the second it is at 0 and blocks c.
  EXPECT_EQ(gpus_given("fifo:blocked=wait", shrunk_pool()),
            (GpusById{{"a", 0}, {"b", 1}, {"c", 0}}));
}

// papers.md, FIFO: "4 GPUs, running 2, waiting 3, then 1 -> the 1 runs, the 3 waits".
TEST(Fifo, WritesVodasRule) {
  const AllocationCase from{
      .gpus = 4,
      .jobs = {{.id = "a", .submitted_s = 1, .min = 2, .requested = 4, .max = 4, .current = 2},
               {.id = "b", .submitted_s = 2, .min = 3, .requested = 4, .max = 4},
               {.id = "c", .submitted_s = 3, .min = 1, .requested = 4, .max = 4}}};

  EXPECT_EQ(gpus_given("FIFO:size=minimum,blocked=skip,preempt=true", from),
            (GpusById{{"a", 2}, {"b", 0}, {"c", 1}}));
}

TEST(Fifo, GivesTheRequestRoundedToAnAllowedSize) {
  const AllocationCase from{.gpus = 8,
                            .jobs = {{.id = "a",
                                      .min = 1,
                                      .requested = 3,
                                      .max = 8,
                                      .sizes = {.kind = voda::SizeRule::Kind::powers_of_two}}}};

  EXPECT_EQ(gpus_given("fifo", from), (GpusById{{"a", 2}}));
}

TEST(Fifo, HandsOutTheRequestEvenWhereItBringsNothing) {
  const AllocationCase from{
      .gpus = 4, .jobs = {{.id = "a", .requested = 4, .max = 4, .speedup = {{1, 1}, {4, 0.5}}}}};

  EXPECT_EQ(gpus_given("fifo", from), (GpusById{{"a", 4}}));
}

}  // namespace fifo_test

#include "voda/allocators/srjf.hpp"

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/error_text.hpp"
#include "support/policies.hpp"
#include "voda/model/error.hpp"

// Expected counts by hand from policies.md, sections 0 and 3.

namespace srjf_test {

using voda::test::AllocationCase;
using voda::test::gpus_given;
using voda::test::GpusById;

/// On 4 GPUs a would take 100 / 4 = 25 s, b 40 s on one.
AllocationCase wide_and_narrow() {
  return {.gpus = 4,
          .jobs = {{.id = "a", .requested = 4, .max = 4, .work_s = 100.0},
                   {.id = "b", .work_s = 40.0}}};
}

TEST(Srjf, RanksByTheTimeAtTheRequestedSize) {
  EXPECT_EQ(gpus_given("srjf", wide_and_narrow()), (GpusById{{"a", 4}, {"b", 0}}));
}

TEST(Srjf, GpuTimeRanksByTheArea) {
  // 4 * 25 = 100 against 1 * 40.
  EXPECT_EQ(gpus_given("srjf:rank=gpu_time", wide_and_narrow()), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Srjf, SizeMinimumRanksAndGivesTheMinimum) {
  AllocationCase from = wide_and_narrow();
  from.gpus = 1;

  // Voda 0.2.2 ranks by w: 40 before 100.
  EXPECT_EQ(gpus_given("srjf:size=minimum", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Srjf, TheRankFollowsTheSpeedup) {
  AllocationCase from = wide_and_narrow();
  from.jobs[0].speedup = {{1, 1}, {4, 1.6}};  // 62.5 s

  EXPECT_EQ(gpus_given("srjf", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Srjf, SkipsWhatDoesNotFit) {
  const AllocationCase from{.gpus = 4,
                            .jobs = {{.id = "a", .requested = 3, .max = 3, .work_s = 3.0},
                                     {.id = "b", .requested = 2, .max = 2, .work_s = 10.0},
                                     {.id = "c", .work_s = 100.0}}};

  EXPECT_EQ(gpus_given("srjf", from), (GpusById{{"a", 3}, {"b", 0}, {"c", 1}}));
}

TEST(Srjf, PushesOutALongerJobThatRuns) {
  const AllocationCase from{
      .gpus = 1, .jobs = {{.id = "a", .work_s = 10.0, .current = 1}, {.id = "b", .work_s = 9.0}}};

  EXPECT_EQ(gpus_given("srjf", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Srjf, EqualTimesGoByArrival) {
  const AllocationCase from{.gpus = 1,
                            .jobs = {{.id = "a", .submitted_s = 2, .work_s = 9.0, .current = 1},
                                     {.id = "b", .submitted_s = 1, .work_s = 9.0}}};

  EXPECT_EQ(gpus_given("srjf", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Srjf, AJobThatMakesNoProgressIsLastEvenWithoutWork) {
  // S(1) is 2^-26, rounded to 0: the remaining time is taken as infinite.
  const AllocationCase from{
      .gpus = 1,
      .jobs = {{.id = "a", .max = 4, .work_s = 0.0, .speedup = {{4, 0x1p-24}}},
               {.id = "b", .work_s = 1e6}}};

  EXPECT_EQ(gpus_given("srjf", from), (GpusById{{"a", 0}, {"b", 1}}));
}

TEST(Srjf, MissingWorkNamesJobAndPolicy) {
  const AllocationCase from{.gpus = 1, .jobs = {{.id = "a", .work_s = 1.0}, {.id = "b"}}};

  EXPECT_EQ(voda::test::error_text<voda::InvalidInput>([&] { return gpus_given("srjf", from); }),
            "job 'b': work_s is missing; policy 'srjf' needs it");
}

}  // namespace srjf_test

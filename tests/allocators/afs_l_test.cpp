#include "voda/allocators/afs_l.hpp"

#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/error_text.hpp"
#include "support/policies.hpp"
#include "voda/model/error.hpp"

// Expected counts by hand from policies.md, section 8; the first three are runs of the published
// procedure (papers.md).

namespace afs_l_test {

using voda::GpuCount;
using voda::SizeRule;
using voda::test::AllocationCase;
using voda::test::gpus_given;
using voda::test::GpusById;

/// Jobs a, b, ... with the given work, linear up to 4 GPUs.
AllocationCase linear(GpuCount gpus, std::initializer_list<double> work) {
  AllocationCase from{.gpus = gpus};
  for (const double work_s : work) {
    const auto number = static_cast<int>(from.jobs.size());
    from.jobs.push_back(
        {.id = std::string(1, static_cast<char>('a' + number)), .max = 4, .work_s = work_s});
  }
  return from;
}

TEST(AfsL, AWaitingJobBeatsOneThatOnlyDoubles) {
  EXPECT_EQ(gpus_given("afs_l", linear(2, {10, 100})), (GpusById{{"a", 1}, {"b", 1}}));
}

TEST(AfsL, ThreeJobsOnThreeGpusGetOneEach) {
  EXPECT_EQ(gpus_given("afs_l", linear(3, {10, 20, 30})), (GpusById{{"a", 1}, {"b", 1}, {"c", 1}}));
}

TEST(AfsL, FourEqualJobsOnFourGpusGetOneEach) {
  EXPECT_EQ(gpus_given("afs_l", linear(4, {10, 10, 10, 10})),
            (GpusById{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}));
}

TEST(AfsL, OfWaitingJobsTheShorterAtItsMinimumWins) {
  EXPECT_EQ(gpus_given("afs_l", linear(1, {100, 10})), (GpusById{{"a", 0}, {"b", 1}}));

  AllocationCase from = linear(2, {10, 12});
  from.jobs[1].min = 2;
  from.jobs[1].requested = 2;
  // R(m): 10 s for a, 12 / 2 = 6 s for b.
  EXPECT_EQ(gpus_given("afs_l", from), (GpusById{{"a", 0}, {"b", 2}}));
}

TEST(AfsL, OfEquallyLongWaitingJobsTheChallengerWins) {
  EXPECT_EQ(gpus_given("afs_l", linear(1, {10, 10})), (GpusById{{"a", 0}, {"b", 1}}));
}

/// a (10 s) has the given speed on two GPUs, b (100 s) is linear; both at most 2 GPUs, and 3 to
/// share.
GpusById third_gpu(double speed_of_a) {
  AllocationCase from = linear(3, {10, 100});
  from.jobs[0].speedup = {{1, 1}, {2, speed_of_a}};
  from.jobs[0].max = 2;
  from.jobs[1].max = 2;
  return gpus_given("afs_l", from);
}

TEST(AfsL, TheShorterWinsUnlessTheLongerProfitsMore) {
  // a as the shorter: S(2) - 1; b as the longer: (2 - 1) / 2 = 0.5.
  EXPECT_EQ(third_gpu(1.75), (GpusById{{"a", 2}, {"b", 1}}));
  EXPECT_EQ(third_gpu(1.25), (GpusById{{"a", 1}, {"b", 2}}));
}

// Voda 0.2.2 gives equality to the shorter.
TEST(AfsL, EqualityGoesToTheLonger) {
  EXPECT_EQ(third_gpu(1.5), (GpusById{{"a", 1}, {"b", 2}}));
}

TEST(AfsL, OfEquallyLongHoldersTheChallengerCountsAsTheShorter) {
  // b: 1 > 0.5.
  EXPECT_EQ(gpus_given("afs_l", linear(3, {10, 10})), (GpusById{{"a", 1}, {"b", 2}}));
}

TEST(AfsL, AJobThatMoreThanDoublesBeatsAWaitingOne) {
  AllocationCase from = linear(2, {10, 100});
  from.jobs[0].speedup = {{1, 1}, {2, 3}};

  // a as the shorter: 2; b, waiting: (1 - 0) / 1 = 1.
  EXPECT_EQ(gpus_given("afs_l", from), (GpusById{{"a", 2}, {"b", 0}}));
}

TEST(AfsL, GainsAreDividedByThePriceOfTheStep) {
  AllocationCase from = linear(4, {10, 100});
  from.jobs[0].sizes = {.kind = SizeRule::Kind::step, .step = 2};
  from.jobs[0].speedup = {{1, 1}, {3, 1.8}};

  // With 1 each, a's step to 3 gains 0.8 / 2 = 0.4, b's 0.5; then a's step is too dear, and b takes
  // the last one.
  EXPECT_EQ(gpus_given("afs_l", from), (GpusById{{"a", 1}, {"b", 3}}));
}

TEST(AfsL, TheMinimumIsOneStep) {
  AllocationCase from = linear(4, {10, 100});
  from.jobs[0].min = 3;
  from.jobs[0].requested = 3;

  // R(m) 10 / 3 s: a takes 3. Then b, waiting, 1 against a's (4 - 3) / 3.
  EXPECT_EQ(gpus_given("afs_l", from), (GpusById{{"a", 3}, {"b", 1}}));
}

TEST(AfsL, AJobWhoseStepIsTooDearLeaves) {
  AllocationCase from = linear(2, {10, 100});
  from.jobs[0].min = 3;
  from.jobs[0].requested = 3;

  EXPECT_EQ(gpus_given("afs_l", from), (GpusById{{"a", 0}, {"b", 2}}));
}

// papers.md: Voda 0.2.2 feeds a job that is flat beyond 2 up to 8.
TEST(AfsL, AJobStopsWhereTheNextSizeIsNotFaster) {
  const AllocationCase from{
      .gpus = 8, .jobs = {{.id = "a", .max = 8, .work_s = 10.0, .speedup = {{1, 1}, {2, 2}}}}};

  EXPECT_EQ(gpus_given("afs_l", from), (GpusById{{"a", 2}}));
}

TEST(AfsL, DoesNotStartAJobThatMakesNoProgress) {
  const AllocationCase from{
      .gpus = 8, .jobs = {{.id = "a", .max = 8, .work_s = 0.0, .speedup = {{4, 0x1p-24}}}}};

  EXPECT_EQ(gpus_given("afs_l", from), (GpusById{{"a", 0}}));
}

TEST(AfsL, MissingWorkNamesJobAndPolicy) {
  const AllocationCase from{.gpus = 0, .jobs = {{.id = "b"}}};

  EXPECT_EQ(voda::test::error_text<voda::InvalidInput>([&] { return gpus_given("afs_l", from); }),
            "job 'b': work_s is missing; policy 'afs_l' needs it");
}

}  // namespace afs_l_test

#include "voda/simulator/past_jobs.hpp"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/model/error.hpp"

namespace voda {
namespace past_jobs_test {

using test::at;
using test::rigid_job;
using test::seconds;
using testing::AnyOf;
using testing::DoubleEq;

/// Jobs at 0, 10, 30 and 60 s.
[[nodiscard]] PastJobs four_jobs(Duration memory = seconds(1000)) {
  PastJobs past(memory);
  past.submitted(rigid_job("a", 0, 1, 100));
  past.submitted(rigid_job("b", 10, 1, 200));
  past.submitted(rigid_job("c", 30, 1, 300));
  past.submitted(rigid_job("d", 60, 1, 400));
  return past;
}

TEST(PastJobs, ArrivalsKeepTheirDistancesAroundTheWindow) {
  const PastJobs past = four_jobs();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomStream random(seed);
    const Trace arrivals = past.arrivals(at(100), random);
    ASSERT_EQ(arrivals.jobs.size(), 12U);
    EXPECT_GE(arrivals.jobs.front().submitted, at(100));
    std::set<std::string> ids;
    for (std::size_t i = 0; i < arrivals.jobs.size(); ++i) {
      ids.insert(arrivals.jobs[i].id.value);
      if (i == 0)
        continue;
      // After a comes b, after b c, after c d; from d round to a it is 40 s to the end of the window of 100 s.
      const double work_s = arrivals.jobs[i - 1].work->left_s;
      const std::int64_t expected = work_s == 100   ? 10
                                    : work_s == 200 ? 20
                                    : work_s == 300 ? 30
                                                    : 40;
      EXPECT_EQ(arrivals.jobs[i].submitted - arrivals.jobs[i - 1].submitted, seconds(expected));
    }
    EXPECT_EQ(ids.size(), 12U);
  }
}

TEST(PastJobs, ArrivalsComeFromTheMemoryAlone) {
  PastJobs past = four_jobs(seconds(50));  // from 10 s on
  RandomStream random(1);
  EXPECT_EQ(past.arrivals(at(60), random).jobs.size(), 9U);
  EXPECT_EQ(past.arrivals(at(100), random).jobs.size(), 0U);  // one job is no window
}

TEST(PastJobs, ADeadlineMovesWithItsJob) {
  PastJobs past(seconds(1000));
  for (int i = 0; i < 2; ++i) {
    Job job = rigid_job(std::to_string(i), 10 * i, 1, 100);
    job.spec.deadline = job.submitted + seconds(500);
    past.submitted(job);
  }
  RandomStream random(7);
  for (const Job& job : past.arrivals(at(20), random).jobs)
    EXPECT_EQ(*job.spec.deadline - job.submitted, seconds(500));
}

TEST(PastJobs, BelievesWhatIsToldUntilFiveJobsEnded) {
  PastJobs past = four_jobs();
  past.submitted(rigid_job("e", 70, 1, 500));
  RandomStream random(1);
  past.ended({"a"}, 50);
  past.ended({"b"}, 100);
  past.ended({"c"}, 150);
  past.ended({"d"}, 200);
  EXPECT_EQ(past.true_left_s({"e"}, 400, random), 400);
  EXPECT_EQ(past.true_left_s({"e"}, -3, random), 0);
  EXPECT_EQ(past.true_left_s({"unknown"}, 17, random), 17);
}

/// Ten jobs were told 100 s; half of them took 50 s and half 300 s.
[[nodiscard]] PastJobs halves_and_threefolds() {
  PastJobs past(seconds(1000));
  for (int i = 0; i < 10; ++i) {
    past.submitted(rigid_job(std::to_string(i), i, 1, 100));
    past.ended({std::to_string(i)}, i % 2 == 0 ? 50 : 300);
  }
  past.submitted(rigid_job("x", 20, 1, 1000));
  return past;
}

TEST(PastJobs, TrueWorkIsToldWorkTimesAPastRatio) {
  const PastJobs past = halves_and_threefolds();
  std::set<double> drawn;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed);
    drawn.insert(past.true_left_s({"x"}, 1000, random));
  }
  EXPECT_THAT(drawn, testing::ElementsAre(500, 3000));
}

TEST(PastJobs, AJobThatOutlastedARatioHasAnother) {
  const PastJobs past = halves_and_threefolds();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed);
    EXPECT_EQ(past.true_left_s({"x"}, 300, random), 2300);  // 700 are done: 500 it cannot be
  }
}

TEST(PastJobs, AJobThatOutlastedAllMayLastUpToAsLongAgain) {
  const PastJobs past = halves_and_threefolds();
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed);
    const double left_s = past.true_left_s({"x"}, -3000, random);  // 4000 are done
    EXPECT_GE(left_s, 1);
    EXPECT_LT(left_s, 4000);
  }
}

TEST(PastJobs, NoJobHasMoreLeftThanWorkCanBe) {
  PastJobs past = halves_and_threefolds();
  past.submitted(rigid_job("y", 20, 1, max_seconds));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomStream random(seed);
    EXPECT_LE(past.true_left_s({"x"}, -3 * max_seconds, random), max_seconds);
    EXPECT_LE(past.true_left_s({"y"}, max_seconds, random), max_seconds);
  }
}

TEST(PastJobs, WhatIsToldMayChange) {
  PastJobs past = halves_and_threefolds();
  EXPECT_EQ(past.told_s({"x"}), 1000);
  past.told({"x"}, 300);
  past.told({"unknown"}, 300);
  EXPECT_EQ(past.told_s({"x"}), 300);
  EXPECT_FALSE(past.told_s({"unknown"}));
  RandomStream random(1);
  EXPECT_EQ(past.true_left_s({"x"}, 100, random), 700);  // 200 are done: 150 it cannot be
}

TEST(PastJobs, AnUnknownLengthTeachesNothing) {
  PastJobs past = halves_and_threefolds();
  for (int i = 0; i < 1000; ++i) {
    past.submitted(rigid_job("u", 21 + i, 1, 100));
    past.ended({"u"}, 0);
  }
  EXPECT_FALSE(past.told_s({"u"}));
  RandomStream random(1);
  EXPECT_THAT(past.true_left_s({"x"}, 1000, random), AnyOf(DoubleEq(500), DoubleEq(3000)));
}

TEST(PastJobs, AJobThatWasThereBeforeIsNoSubmission) {
  PastJobs past = halves_and_threefolds();
  past.found({"before"}, 1000);
  past.found({"x"}, 7);
  EXPECT_EQ(past.told_s({"before"}), 1000);
  EXPECT_EQ(past.told_s({"x"}), 1000);
  RandomStream random(1);
  EXPECT_THAT(past.true_left_s({"before"}, 1000, random), AnyOf(DoubleEq(500), DoubleEq(3000)));
  PastJobs empty(seconds(10));
  empty.found({"a"}, 1);
  empty.found({"b"}, 1);
  EXPECT_TRUE(empty.arrivals(at(0), random).jobs.empty());
}

TEST(PastJobs, ForgetsThoseThatAreGone) {
  PastJobs past = halves_and_threefolds();
  past.submitted(rigid_job("y", 20, 1, 10));
  past.forget_unless({"y"});
  EXPECT_FALSE(past.told_s({"x"}));
  EXPECT_EQ(past.told_s({"y"}), 10);
}

TEST(PastJobs, RefusesWhatCannotBe) {
  EXPECT_THROW(PastJobs(Duration(0)), InvalidInput);
  PastJobs past = four_jobs();
  EXPECT_THROW(past.submitted(rigid_job("e", 59, 1, 1)), InvalidInput);
  EXPECT_THROW(past.submitted(rigid_job("d", 60, 1, 1)), InvalidInput);
}

}  // namespace past_jobs_test
}  // namespace voda

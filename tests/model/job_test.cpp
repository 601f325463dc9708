#include "voda/model/job.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/error_text.hpp"
#include "voda/model/error.hpp"

namespace job_test {

using voda::Counters;
using voda::Duration;
using voda::InvalidInput;
using voda::Job;
using voda::JobSpec;
using voda::never;
using voda::RemainingWork;
using voda::SizeChanges;
using voda::TimePoint;
using voda::test::error_text;

TimePoint at(double seconds) {
  return voda::time_from_seconds(seconds, "at");
}

TEST(RemainingWork, FallsWithTheRate) {
  const RemainingWork work{.left_s = 100, .since = at(10), .rate = 4};

  EXPECT_EQ(work.at(at(10)), 100);
  EXPECT_EQ(work.at(at(15)), 80);
  EXPECT_EQ(work.at(at(1000)), 0);  // never below 0
}

TEST(RemainingWork, BeforeItsInstantNothingIsDone) {
  const RemainingWork work{.left_s = 100, .since = at(10), .rate = 4};

  EXPECT_EQ(work.at(at(5)), 100);
}

TEST(RemainingWork, StandsStillWhileStalled) {
  const RemainingWork work{.left_s = 100, .since = at(10), .rate = 4, .stalled_until = at(20)};

  EXPECT_EQ(work.at(at(20)), 100);
  EXPECT_EQ(work.at(at(25)), 80);
}

TEST(RemainingWork, GoesOnAtANewRate) {
  const RemainingWork work{.left_s = 100, .since = at(0), .rate = 4};

  const RemainingWork later = work.continued(at(5), 2);

  EXPECT_EQ(later.left_s, 80);
  EXPECT_EQ(later.since, at(5));
  EXPECT_EQ(later.rate, 2);
  EXPECT_EQ(later.at(at(15)), 60);
}

TEST(RemainingWork, ChangingTheRateInAStallKeepsTheStall) {
  const RemainingWork work{.left_s = 100, .since = at(0), .rate = 4, .stalled_until = at(20)};

  const RemainingWork later = work.continued(at(5), 2);

  EXPECT_EQ(later.left_s, 100);
  EXPECT_EQ(later.since, at(5));
  EXPECT_EQ(later.at(at(30)), 80);
}

TEST(RemainingWork, ContinuedIsNotClampedAtZero) {
  const RemainingWork work{.left_s = 1, .since = at(0), .rate = 4};

  EXPECT_EQ(work.continued(at(1), 4).left_s, -3);
}

TEST(RemainingWork, IsDoneWhenTheRateHasEatenIt) {
  const RemainingWork work{.left_s = 100, .since = at(10), .rate = 4};

  EXPECT_EQ(work.done_at(), at(35));
}

TEST(RemainingWork, IsDoneAfterTheStall) {
  const RemainingWork work{.left_s = 100, .since = at(10), .rate = 4, .stalled_until = at(20)};

  EXPECT_EQ(work.done_at(), at(45));
}

TEST(RemainingWork, TakesAtLeastAMicrosecond) {
  EXPECT_EQ((RemainingWork{.left_s = 0, .since = at(10), .rate = 1}.done_at()), at(10.000001));
  EXPECT_EQ((RemainingWork{.left_s = -5, .since = at(10), .rate = 1}.done_at()), at(10.000001));
  EXPECT_EQ((RemainingWork{.left_s = 1e-9, .since = at(10), .rate = 1}.done_at()), at(10.000001));
}

TEST(RemainingWork, IsDoneAtTheNearestMicrosecond) {
  // 1 / 3 s = 333333.3 microseconds; 2 / 3 s = 666666.7.
  EXPECT_EQ((RemainingWork{.left_s = 1, .since = at(0), .rate = 3}.done_at()), at(0.333333));
  EXPECT_EQ((RemainingWork{.left_s = 2, .since = at(0), .rate = 3}.done_at()), at(0.666667));
}

TEST(RemainingWork, IsNeverDoneWithoutARate) {
  EXPECT_EQ((RemainingWork{.left_s = 0, .since = at(0), .rate = 0}.done_at()), never);
}

TEST(RemainingWork, IsNeverDoneBeyondTheClock) {
  EXPECT_EQ((RemainingWork{.left_s = 1e12, .since = at(0), .rate = 0x1p-24}.done_at()), never);
  EXPECT_EQ((RemainingWork{.left_s = 9e12, .since = at(1e12), .rate = 1}.done_at()), never);
  EXPECT_EQ(
      (RemainingWork{.left_s = 1, .since = at(0), .rate = 1, .stalled_until = never}.done_at()),
      never);
}

RC_GTEST_PROP(RemainingWork, NeverGrows, ()) {
  RemainingWork work{.left_s = *rc::gen::inRange(0, 100000) / 8.0,
                     .since = at(*rc::gen::inRange(0, 1000)),
                     .rate = *rc::gen::inRange(0, 64) / 4.0,
                     .stalled_until = at(*rc::gen::inRange(0, 2000))};
  const int first = *rc::gen::inRange(0, 3000);
  const int second = first + *rc::gen::inRange(0, 3000);

  RC_ASSERT(work.at(at(first)) >= work.at(at(second)));
  RC_ASSERT(work.at(at(second)) >= 0);
  RC_ASSERT(work.continued(at(first), work.rate).at(at(second)) ==
            work.at(at(second)));  // eighths: exact
}

TEST(Counters, AccrueServiceOrWaiting) {
  Counters counters{};

  voda::accrue(counters, 4, Duration(10));
  voda::accrue(counters, 0, Duration(7));

  EXPECT_EQ(counters.service.gpu_microseconds, 40);
  EXPECT_EQ(counters.executed.count(), 10);
  EXPECT_EQ(counters.waited.count(), 7);
}

TEST(Counters, Saturate) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Counters counters{
      .service = {most - 1}, .executed = Duration(most - 1), .waited = Duration(most - 1)};

  voda::accrue(counters, 1000, Duration(most / 2));
  voda::accrue(counters, 0, Duration(5));

  EXPECT_EQ(counters.service.gpu_microseconds, most);
  EXPECT_EQ(counters.executed.count(), most);
  EXPECT_EQ(counters.waited.count(), most);
}

/// The message for a good job with one change.
std::string refusal(const std::function<void(Job&)>& change) {
  Job job{.id = {"a"},
          .spec = {.min_gpus = 2, .requested_gpus = 4, .max_gpus = 8},
          .work = RemainingWork{.left_s = 5}};
  change(job);
  return error_text<InvalidInput>([&job] {
    check(job);
    return 0;
  });
}

TEST(Job, AGoodOnePasses) {
  EXPECT_EQ(refusal([](Job&) {}), "nothing thrown");
  EXPECT_EQ(refusal([](Job& job) { job.work.reset(); }), "nothing thrown");
}

TEST(Job, MessagesNameJobAndField) {
  EXPECT_EQ(refusal([](Job& job) { job.id.value.clear(); }), "job: id is empty; expected a name");
  EXPECT_EQ(refusal([](Job& job) { job.spec.requested_gpus = 1; }),
            "job 'a': requested_gpus 1 < min_gpus 2");
  EXPECT_EQ(refusal([](Job& job) { job.spec.requested_gpus = 9; }),
            "job 'a': requested_gpus 9 > max_gpus 8");
  EXPECT_EQ(refusal([](Job& job) { job.spec.min_gpus = 0; }),
            "job 'a': min_gpus 0; expected a number >= 1");
  EXPECT_EQ(refusal([](Job& job) { job.spec.gpus_per_worker = -1; }),
            "job 'a': gpus_per_worker -1; expected a number >= 1");
  EXPECT_EQ(
      refusal([](Job& job) { job.spec.gpus_per_worker = 16; }),
      "job 'a': gpus_per_worker 16: no multiple of it lies between min_gpus 2 and max_gpus 8");
  EXPECT_EQ(
      refusal([](Job& job) { job.spec.sizes = {.kind = voda::SizeRule::Kind::step, .step = 0}; }),
      "job 'a': sizes.step 0; expected a number >= 1");
}

TEST(Job, WorkMustBeANumberOfSeconds) {
  const auto text = [](double left_s) {
    return refusal([=](Job& job) { job.work->left_s = left_s; });
  };

  EXPECT_EQ(text(0), "nothing thrown");
  EXPECT_EQ(text(1e12), "nothing thrown");
  EXPECT_EQ(text(-1), "job 'a': work_s -1; expected seconds from 0 to 1e+12");
  EXPECT_EQ(text(2e12), "job 'a': work_s 2000000000000; expected seconds from 0 to 1e+12");
  EXPECT_EQ(text(std::nan("")), "job 'a': work_s nan; expected seconds from 0 to 1e+12");
}

TEST(Job, CountersMustNotBeNegative) {
  EXPECT_EQ(refusal([](Job& job) { job.progress.since_promotion.service = {-1000000}; }),
            "job 'a': progress: service -1, executed 0, waited 0; expected numbers >= 0");
  EXPECT_EQ(refusal([](Job& job) { job.progress.lifetime.waited = Duration(-2000000); }),
            "job 'a': progress: service 0, executed 0, waited -2; expected numbers >= 0");
}

TEST(SizeChanges, StartsAndStopsAreTheLatestChangeButNoResize) {
  SizeChanges changes;
  EXPECT_FALSE(changes.last());

  changes.add(0, 2, at(1));
  EXPECT_EQ(changes.last(), at(1));
  changes.add(2, 2, at(2));
  EXPECT_EQ(changes.last(), at(1));
  EXPECT_TRUE(changes.resizes().empty());
  changes.add(2, 4, at(3));
  changes.add(4, 0, at(4));

  EXPECT_EQ(changes.last(), at(4));
  EXPECT_EQ(changes, SizeChanges(at(4), std::vector{at(3)}));
}

TEST(SizeChanges, RemembersTheLatestResizes) {
  SizeChanges changes;
  std::vector<TimePoint> all;
  for (int i = 0; i < 40; ++i) {
    changes.add(1 + i % 2, 2 - i % 2, at(i));
    all.push_back(at(i));
  }

  ASSERT_EQ(changes.resizes().size(), SizeChanges::most_resizes);
  EXPECT_EQ(changes.resizes().front(), at(40 - 16));
  EXPECT_EQ(changes.resizes().back(), at(39));
  EXPECT_EQ(changes, SizeChanges(at(39), all));
}

TEST(Job, ResizesMustAscend) {
  EXPECT_EQ(refusal([](Job& job) { job.progress.resized = {at(2), at(1)}; }),
            "job 'a': progress: resized 2 s, then 1 s; expected instants that ascend");
}

}  // namespace job_test

#include "voda/model/job_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "voda/model/error.hpp"

namespace job_columns_test {

using voda::Duration;
using voda::Job;
using voda::JobColumns;
using voda::JobIndex;
using voda::never;
using voda::TimePoint;

TimePoint at(double seconds) {
  return voda::time_from_seconds(seconds, "at");
}

Job named(std::string id, double submitted_s = 0) {
  return {.id = {std::move(id)}, .submitted = at(submitted_s)};
}

TEST(JobColumns, FreshSlotsHoldDefaults) {
  JobColumns columns;

  columns.resize(2);

  EXPECT_EQ(columns.size(), 2U);
  EXPECT_EQ(columns.last_started[JobIndex{1}], never);
  EXPECT_EQ(columns.current[JobIndex{1}], 0);
  EXPECT_EQ(columns.has_work[JobIndex{1}], 0);
}

TEST(JobColumns, SetWritesEveryColumn) {
  JobColumns columns;
  columns.resize(1);
  Job job = named("a", 3);
  job.spec = {.min_gpus = 1, .requested_gpus = 3, .max_gpus = 8};
  job.spec.sizes.kind = voda::SizeRule::Kind::powers_of_two;
  job.progress.since_promotion.executed = Duration(7);
  job.progress.last_started = at(4);
  job.work = voda::RemainingWork{.left_s = 9};
  job.speedup = voda::SpeedupCurve({{1, 2.0}});
  const JobIndex slot{0};

  columns.set(slot, job, 4, at(5));

  EXPECT_EQ(columns.id[slot].value, "a");
  EXPECT_EQ(columns.submitted[slot], at(3));
  EXPECT_EQ(columns.sizes[slot], allowed_sizes(job.spec));
  EXPECT_EQ(columns.requested[slot], 2);  // 3 rounded down to a power of two
  EXPECT_EQ(columns.current[slot], 4);
  EXPECT_EQ(columns.clock[slot],
            (voda::JobClock{
                .since_promotion = {.executed = Duration(7)}, .counted_at = at(5), .running = 4}));
  EXPECT_EQ(columns.last_started[slot], at(4));
  EXPECT_EQ(columns.work[slot].left_s, 9);
  EXPECT_EQ(columns.has_work[slot], 1);
  EXPECT_TRUE(columns.speedup[slot].shares_table_with(job.speedup));
}

TEST(JobColumns, RequestBelowTheRoundedMinimumBecomesTheMinimum) {
  JobColumns columns;
  columns.resize(1);
  Job job = named("a");
  job.spec = {.min_gpus = 3, .requested_gpus = 3, .max_gpus = 8, .gpus_per_worker = 4};

  columns.set(JobIndex{0}, job, 0, at(0));

  EXPECT_EQ(columns.requested[JobIndex{0}], 4);
}

TEST(JobColumns, ASlotUsedAgainKeepsNothingOfTheJobBefore) {
  JobColumns columns;
  columns.resize(1);
  const JobIndex slot{0};
  Job first = named("a");
  first.work = voda::RemainingWork{.left_s = 9};
  first.progress.last_started = at(1);
  columns.set(slot, first, 1, at(2));

  columns.set(slot, named("b"), 0, at(3));

  EXPECT_EQ(columns.has_work[slot], 0);
  EXPECT_EQ(columns.last_started[slot], never);
  EXPECT_EQ(columns.clock[slot].running, 0);
}

TEST(JobColumns, RefusesAnInvalidJob) {
  JobColumns columns;
  columns.resize(1);
  Job job = named("a");
  job.spec.min_gpus = 0;

  EXPECT_THROW(columns.set(JobIndex{0}, job, 0, at(0)), voda::InvalidInput);
}

TEST(ArrivalOrder, SubmissionThenIdAsText) {
  JobColumns columns;
  columns.resize(4);
  columns.set(JobIndex{0}, named("j9", 5), 0, at(0));
  columns.set(JobIndex{1}, named("j10", 5), 0, at(0));
  columns.set(JobIndex{2}, named("z", 1), 0, at(0));
  columns.set(JobIndex{3}, named("J9", 5), 0, at(0));
  std::vector<JobIndex> order{JobIndex{0}, JobIndex{1}, JobIndex{2}, JobIndex{3}};

  sort_by_arrival(order, columns);

  // "J" < "j" in text order, and "j10" < "j9".
  EXPECT_EQ(order, (std::vector<JobIndex>{JobIndex{2}, JobIndex{3}, JobIndex{1}, JobIndex{0}}));
}

RC_GTEST_PROP(ArrivalOrder, IsTheOrderOfThePairs, ()) {
  const int count = *rc::gen::inRange(0, 20);
  JobColumns columns;
  columns.resize(static_cast<std::size_t>(count));
  std::vector<JobIndex> order;
  for (int i = 0; i < count; ++i) {
    const JobIndex slot{static_cast<std::uint32_t>(i)};
    columns.set(slot, named("j" + std::to_string(i), *rc::gen::inRange(0, 3)), 0, at(0));
    order.push_back(slot);
  }

  sort_by_arrival(order, columns);

  const auto key = [&](JobIndex job) {
    return std::tie(columns.submitted[job], columns.id[job].value);
  };
  for (std::size_t i = 1; i < order.size(); ++i) {
    RC_ASSERT(key(order[i - 1]) < key(order[i]));
    RC_ASSERT(arrives_before(columns, order[i - 1], order[i]));
    RC_ASSERT(!arrives_before(columns, order[i], order[i - 1]));
  }
}

}  // namespace job_columns_test

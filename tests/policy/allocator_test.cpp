#include "voda/policy/allocator.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/error_text.hpp"
#include "voda/model/error.hpp"

namespace allocator_test {

using voda::AllocationProblem;
using voda::Counters;
using voda::Duration;
using voda::JobColumns;
using voda::JobIndex;
using voda::test::AllocationCase;
using voda::test::problem_of;

constexpr JobIndex first{0};

/// The same problem `seconds` later, with nothing decided in between.
AllocationProblem later(AllocationProblem problem, double seconds) {
  problem.now += voda::duration_from_seconds(seconds, "seconds");
  return problem;
}

TEST(AllocationProblem, CountersOfAHolderGrowByItsGpus) {
  const AllocationProblem problem = problem_of(
      {.gpus = 4,
       .jobs = {
           {.id = "a", .max = 4, .service_s = 10, .executed_s = 5, .waited_s = 2, .current = 3}}});

  const Counters counters = later(problem, 2).since_promotion(first);

  EXPECT_EQ(voda::to_seconds(counters.service), 16);
  EXPECT_EQ(voda::to_seconds(counters.executed), 7);
  EXPECT_EQ(voda::to_seconds(counters.waited), 2);
}

TEST(AllocationProblem, CountersOfAWaitingJobGrowByItsWait) {
  const AllocationProblem problem =
      problem_of({.jobs = {{.id = "a", .service_s = 10, .waited_s = 2}}});

  const Counters counters = later(problem, 2).since_promotion(first);

  EXPECT_EQ(voda::to_seconds(counters.service), 10);
  EXPECT_EQ(voda::to_seconds(counters.waited), 4);
}

TEST(AllocationProblem, CountersDoNotRunBackwards) {
  const AllocationProblem problem =
      problem_of({.jobs = {{.id = "a", .service_s = 10, .current = 1}}});

  EXPECT_EQ(voda::to_seconds(later(problem, -100).since_promotion(first).service), 10);
}

TEST(AllocationProblem, RemainingWorkIsThatOfNow) {
  AllocationProblem problem = problem_of({.jobs = {{.id = "a", .work_s = 100.0, .current = 1}}});
  auto columns = std::make_shared<JobColumns>(*problem.columns);
  columns->work[first].rate = 2;
  problem.columns = columns;

  EXPECT_EQ(later(problem, 30).remaining_work(first, "p"), 40);
  EXPECT_EQ(later(problem, 300).remaining_work(first, "p"), 0);
}

TEST(AllocationProblem, MissingWorkNamesJobAndPolicy) {
  const AllocationProblem problem = problem_of({.jobs = {{.id = "a"}}});

  EXPECT_EQ(voda::test::error_text<voda::InvalidInput>(
                [&] { return problem.remaining_work(first, "srjf"); }),
            "job 'a': work_s is missing; policy 'srjf' needs it");
}

/// Uses the default session.
struct Idle final : voda::Allocator {
  [[nodiscard]] voda::AllocationDecision allocate(const AllocationProblem& problem) const override {
    return {.gpus = voda::Allocation(problem.columns->size())};
  }
};

TEST(Allocator, HasNoSessionUnlessItSaysSo) {
  EXPECT_EQ(Idle().session(), nullptr);
}

}  // namespace allocator_test

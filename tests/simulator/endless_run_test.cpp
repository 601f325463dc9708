#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/fifo.hpp"
#include "voda/simulator/simulator.hpp"

namespace endless_run_test {

using namespace voda;
using namespace voda::test;

/// Gives nobody anything and asks to be asked again a second later.
class Procrastinator final : public Allocator {
 public:
  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override {
    return {.gpus = Allocation(problem.columns->size(), 0), .review_at = problem.now + seconds(1)};
  }
};

SimulationOptions fifo_on(std::vector<Node> nodes) {
  return {.allocator = std::make_shared<Fifo>(), .nodes = std::move(nodes)};
}

TEST(EndlessRun, EndsWhenAPolicyOnlyPutsThingsOff) {
  SimulationOptions options = fifo_on({node("n", 1)});
  options.allocator = std::make_shared<Procrastinator>();
  options.patience = 1000;
  const auto result = simulate({.jobs = {rigid_job("a", 0, 1, 10)}}, options);

  EXPECT_EQ(result.end, SimulationEnd::no_progress);
  EXPECT_EQ(result.summary.unfinished, 1);
  EXPECT_EQ(result.outcomes[0].id.value, "a");
  EXPECT_EQ(result.outcomes[0].waited, seconds(999));  // the first of 1000 instants is 0
}

// A failure every 10 s and no checkpoint within eleven days of running time: the job starts anew all the time.
TEST(EndlessRun, EndsWhenFailuresTakeEverythingBack) {
  SimulationOptions options = fifo_on({node("n", 1)});
  options.failures = RandomFailures{.mean_time_between = seconds(10), .repair = seconds(1)};
  options.checkpoint_interval = seconds(1000000);
  options.patience = 1000;
  const auto result = simulate({.jobs = {rigid_job("a", 0, 1, 1e5)}}, options);

  EXPECT_EQ(result.end, SimulationEnd::no_progress);
  EXPECT_EQ(result.outcomes[0].status, JobStatus::unfinished);
}

// The same with a stall that is longer than any time between failures.
TEST(EndlessRun, EndsWhenStallsLeaveNoTime) {
  SimulationOptions options = fifo_on({node("n", 1)});
  options.failures = RandomFailures{.mean_time_between = seconds(10), .repair = seconds(1)};
  options.resize_cost = {.kind = ResizeCost::Kind::stall, .fixed_s = 10000};
  options.patience = 1000;
  const auto result = simulate({.jobs = {rigid_job("a", 0, 1, 1e5)}}, options);

  EXPECT_EQ(result.end, SimulationEnd::no_progress);
}

// A few dozen instants are not many, but they bring checkpoints.
TEST(EndlessRun, GoesOnWhileCheckpointsAreMade) {
  SimulationOptions options = fifo_on({node("n", 1)});
  options.failures = RandomFailures{.mean_time_between = seconds(100), .repair = seconds(1)};
  options.checkpoint_interval = seconds(10);
  options.patience = 30;
  const auto result = simulate({.jobs = {rigid_job("a", 0, 1, 1e5)}}, options);

  EXPECT_EQ(result.end, SimulationEnd::no_event_left);
  EXPECT_EQ(result.summary.finished, 1);
}

// One GPU: a ends at 10 s, b holds it from then on; c would come at 500 s.
TEST(EndlessRun, EndsAtTheTimeLimit) {
  SimulationOptions options = fifo_on({node("n", 1)});
  const Trace trace{
      .jobs = {rigid_job("a", 0, 1, 10), rigid_job("b", 0, 1, 1000), rigid_job("c", 500, 1, 10)}};
  options.max_time = seconds(100);
  const auto result = simulate(trace, options);

  EXPECT_EQ(result.end, SimulationEnd::time_limit);
  ASSERT_EQ(result.outcomes.size(), 3U);
  EXPECT_EQ(result.summary.finished, 1);
  EXPECT_EQ(result.summary.unfinished, 2);
  EXPECT_EQ(result.outcomes[1].executed, seconds(90));
  EXPECT_EQ(result.outcomes[2].id.value, "c");
  EXPECT_EQ(result.outcomes[2].waited, seconds(0));
  EXPECT_EQ(result.outcomes[2].status, JobStatus::unfinished);

  options.max_time = seconds(1020);
  EXPECT_EQ(simulate(trace, options).end, SimulationEnd::no_event_left);
}

}  // namespace endless_run_test

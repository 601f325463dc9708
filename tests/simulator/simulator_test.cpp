#include "voda/simulator/simulator.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/allocators/elastic_fifo.hpp"
#include "voda/allocators/fifo.hpp"
#include "voda/allocators/srjf.hpp"
#include "voda/allocators/tiresias.hpp"
#include "voda/model/error.hpp"
#include "voda/placers/builtin.hpp"

namespace simulator_test {

using namespace voda;
using namespace voda::test;
using testing::ElementsAre;
using testing::HasSubstr;

SimulationOptions options(std::shared_ptr<const Allocator> allocator, std::vector<Node> nodes) {
  return {.allocator = std::move(allocator), .nodes = std::move(nodes)};
}

std::map<std::string, JobOutcome> by_id(const SimulationResult& result) {
  std::map<std::string, JobOutcome> outcomes;
  for (const JobOutcome& outcome : result.outcomes)
    outcomes[outcome.id.value] = outcome;
  return outcomes;
}

/// Slows down: 1 GPU 1, 2 GPUs 1.5, and 0.5 of that on two nodes.
SpeedupCurve spanning_curve() {
  return SpeedupCurve({{1, 1.0}, {2, 1.5}}, {{2, 0.5}});
}

// a: 100 s of work alone on 4 of 4 GPUs for 10 s: 60 left; then 2 and 2 until b (20 s of work) is done after 10 s: 40 left;
// then 4 again: 10 s more.
TEST(Simulator, ElasticJobsShareAndGrowBack) {
  const Trace trace{.jobs = {elastic_job("a", 0, 4, 100), elastic_job("b", 10, 4, 20)}};
  const auto result = simulate(trace, options(std::make_shared<ElasticFifo>(), {node("n", 4)}));
  const auto outcomes = by_id(result);

  EXPECT_EQ(outcomes.at("b").finished, at(20));
  EXPECT_EQ(outcomes.at("a").finished, at(30));
  EXPECT_EQ(outcomes.at("a").resizes, 2);
  EXPECT_EQ(outcomes.at("a").starts, 1);
  EXPECT_EQ(to_seconds(outcomes.at("a").gpu_time), 40 + 20 + 40);
  EXPECT_EQ(result.summary.finished, 2);
  EXPECT_EQ(result.summary.makespan_s, 30);
  EXPECT_EQ(result.summary.utilization_held, 1);
  EXPECT_EQ(result.summary.utilization_useful, 1);
  EXPECT_EQ(result.summary.decisions, 4);
}

// SRJF: b (5 s at 2 GPUs) preempts a at 10 s; a resumes at 15 s with 10 s left.
TEST(Simulator, PreemptedJobsKeepTheirProgress) {
  const Trace trace{.jobs = {rigid_job("a", 0, 2, 40), rigid_job("b", 10, 2, 10)}};
  const auto outcomes = by_id(simulate(trace, options(std::make_shared<Srjf>(), {node("n", 2)})));

  EXPECT_EQ(outcomes.at("b").finished, at(15));
  EXPECT_EQ(outcomes.at("a").finished, at(25));
  EXPECT_EQ(outcomes.at("a").preemptions, 1);
  EXPECT_EQ(outcomes.at("a").waited, seconds(5));
  EXPECT_EQ(outcomes.at("a").executed, seconds(20));
}

// floor(1e-7 / 1 * 1e6 + 0.5) = 0 microseconds becomes 1; work 0 takes 1 microsecond too.
TEST(Simulator, AJobTakesAtLeastOneMicrosecond) {
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 1e-7), rigid_job("b", 0, 1, 0)}};
  const auto outcomes = by_id(simulate(trace, options(std::make_shared<Fifo>(), {node("n", 2)})));

  EXPECT_EQ(outcomes.at("a").finished, TimePoint(Duration(1)));
  EXPECT_EQ(outcomes.at("b").finished, TimePoint(Duration(1)));
}

// Both events at 10 s: a ends, b arrives. One decision gives b the GPUs: three decisions in all (0, 10 and 20 s).
TEST(Simulator, EventsAtOneInstantMakeOneDecision) {
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 10), rigid_job("b", 10, 1, 10)}};
  const auto result = simulate(trace, options(std::make_shared<Fifo>(), {node("n", 1)}));

  EXPECT_EQ(result.summary.decisions, 3);
  EXPECT_EQ(by_id(result).at("b").finished, at(20));
}

// Two queues at 10 GPU-seconds: a (1 GPU) falls into queue 1 at 10 s exactly and b, waiting in queue 0, takes over; b falls
// at 20 s and a, started earlier but stopped, waits behind the running b of its own queue until b ends at 30 s.
TEST(Simulator, ReviewsHappenAtTheirExactInstant) {
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 15), rigid_job("b", 1, 1, 20)}};
  const auto tiresias = std::make_shared<Tiresias>(TiresiasOptions{.thresholds = {10}, .knob = 0});
  const auto outcomes = by_id(simulate(trace, options(tiresias, {node("n", 1)})));

  EXPECT_EQ(outcomes.at("b").first_started, at(10));
  EXPECT_EQ(outcomes.at("b").finished, at(30));
  EXPECT_EQ(outcomes.at("a").finished, at(35));
}

// stall:5. a on 4 GPUs loses 2 to b at 10 s: no progress until 15 s, 2 GPUs until b (10 s of work on 2 GPUs from its first
// start, no stall) ends at 15 s; grows to 4 at 15 s: stalls anew until 20 s; 60 left at speed 4: 15 s more.
TEST(Simulator, AStallStopsProgressAfterEachChange) {
  const Trace trace{.jobs = {elastic_job("a", 0, 4, 100), elastic_job("b", 10, 4, 10)}};
  SimulationOptions stalls = options(std::make_shared<ElasticFifo>(), {node("n", 4)});
  stalls.resize_cost = {.kind = ResizeCost::Kind::stall, .fixed_s = 5};
  const auto outcomes = by_id(simulate(trace, stalls));

  EXPECT_EQ(outcomes.at("b").finished, at(15));
  EXPECT_EQ(outcomes.at("b").stalled, seconds(0));
  EXPECT_EQ(outcomes.at("a").finished, at(35));
  EXPECT_EQ(outcomes.at("a").stalled, seconds(10));
  EXPECT_EQ(outcomes.at("a").executed, seconds(35));
}

// restart:2,3. b preempts a at 10 s for 5 s; a restarts on 2 GPUs: 2 + 3 * (log2 2 + 1) = 8 s without progress.
TEST(Simulator, ARestartCostsMoreOnMoreGpus) {
  const Trace trace{.jobs = {rigid_job("a", 0, 2, 40), rigid_job("b", 10, 2, 10)}};
  SimulationOptions restarts = options(std::make_shared<Srjf>(), {node("n", 2)});
  restarts.resize_cost = {.kind = ResizeCost::Kind::restart, .fixed_s = 2, .per_doubling_s = 3};
  const auto outcomes = by_id(simulate(trace, restarts));

  EXPECT_EQ(outcomes.at("b").finished, at(15));
  EXPECT_EQ(outcomes.at("a").finished, at(33));
  EXPECT_EQ(outcomes.at("a").stalled, seconds(8));
}

// Speed 1.5 on 2 GPUs, times 0.5 on two nodes: 30 s of work take 40 s.
TEST(Simulator, ASpanOverNodesSlowsDown) {
  Job job = rigid_job("a", 0, 2, 30);
  job.speedup = spanning_curve();
  SimulationOptions placed = options(std::make_shared<Fifo>(), {node("n0", 1), node("n1", 1)});
  placed.placer = builtin_placers().make("steady");

  EXPECT_EQ(simulate({.jobs = {job}}, placed).outcomes[0].finished, at(40));
  placed.placer = nullptr;
  EXPECT_EQ(simulate({.jobs = {job}}, placed).outcomes[0].finished, at(20));
}

// Checkpoints every 4 s of running time; the node fails at 10 s: 2 s of work are lost (92 left of 100), and nothing runs until
// it is back at 20 s.
TEST(Simulator, AFailedNodeLosesWorkSinceTheLastCheckpoint) {
  SimulationOptions failing = options(std::make_shared<Fifo>(), {node("n", 1)});
  failing.placer = builtin_placers().make("steady");
  failing.checkpoint_interval = seconds(4);
  failing.node_events = {{.at = at(20), .node = {"n"}, .kind = NodeEvent::Kind::up},
                         {.at = at(10), .node = {"n"}, .kind = NodeEvent::Kind::down}};
  const auto lost = simulate({.jobs = {rigid_job("a", 0, 1, 100)}}, failing).outcomes[0];
  EXPECT_EQ(lost.finished, at(112));
  EXPECT_EQ(lost.waited, seconds(10));
  EXPECT_EQ(lost.starts, 2);

  failing.checkpoint_interval = Duration{};
  EXPECT_EQ(simulate({.jobs = {rigid_job("a", 0, 1, 100)}}, failing).outcomes[0].finished, at(110));
}

// Rounds of 60 s: the job starts at 0, its node is gone from 10 s on, the decision is made at 60 s; no progress in between.
TEST(Simulator, AJobOnALostNodeMakesNoProgressUntilItIsDecidedAgain) {
  SimulationOptions failing = options(std::make_shared<Fifo>(), {node("n0", 1), node("n1", 1)});
  failing.placer = builtin_placers().make("steady");
  failing.pacing.round = seconds(60);
  failing.node_events = {{.at = at(10), .node = {"n0"}, .kind = NodeEvent::Kind::down}};

  EXPECT_EQ(simulate({.jobs = {rigid_job("a", 0, 1, 100)}}, failing).outcomes[0].finished, at(150));
}

// Down and up again before the decision at 100 s: the job is still placed on n, so no action tells it to go on; it does so
// at 100 s with the 50 s of work that are left.
TEST(Simulator, AJobGoesOnWhenItsNodeIsBackBeforeTheDecision) {
  SimulationOptions failing = options(std::make_shared<Fifo>(), {node("n", 1)});
  failing.placer = builtin_placers().make("steady");
  failing.pacing.rate_limit = seconds(100);
  failing.node_events = {{.at = at(50), .node = {"n"}, .kind = NodeEvent::Kind::down},
                         {.at = at(60), .node = {"n"}, .kind = NodeEvent::Kind::up}};

  const auto result = simulate({.jobs = {rigid_job("a", 0, 1, 100)}}, failing);
  EXPECT_EQ(result.outcomes[0].finished, at(150));
  EXPECT_EQ(result.outcomes[0].stalled, seconds(50));
}

// a ends at 10 s; b runs on until its node is lost for good: only what was held until 10 s counts.
TEST(Simulator, UtilizationCountsOnlyTheMakespan) {
  SimulationOptions failing = options(std::make_shared<Fifo>(), {node("n0", 1), node("n1", 1)});
  failing.placer = builtin_placers().make("steady");
  failing.node_events = {{.at = at(500), .node = {"n0"}, .kind = NodeEvent::Kind::down},
                         {.at = at(500), .node = {"n1"}, .kind = NodeEvent::Kind::down}};
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 10), rigid_job("b", 0, 1, 1000)}};

  EXPECT_EQ(simulate(trace, failing).summary.utilization_held, 1);
}

// Two jobs of 100 s on all of 2,000,000,000 GPUs, 2 * 10^10 s apart: 4 * 10^19 GPU seconds there are, 4 * 10^11 held.
TEST(Simulator, UtilizationCountsMoreGpuTimeThan64BitsHold) {
  constexpr GpuCount all = 2000000000;
  const Trace trace{
      .jobs = {rigid_job("a", 0, all, 100.0 * all), rigid_job("b", 2e10, all, 100.0 * all)}};
  const auto result = simulate(trace, options(std::make_shared<Fifo>(), {node("n", all)}));

  EXPECT_NEAR(result.summary.utilization_held, 1e-8, 1e-15);  // 200 s of 2 * 10^10
  EXPECT_NEAR(result.summary.utilization_useful, 1e-8, 1e-15);
}

// A cordoned node is drained: the job moves at once and goes on.
TEST(Simulator, ACordonedNodeIsDrained) {
  SimulationOptions cordoning = options(std::make_shared<Fifo>(), {node("n0", 1), node("n1", 1)});
  cordoning.placer = builtin_placers().make("steady");
  cordoning.node_events = {{.at = at(10), .node = {"n0"}, .kind = NodeEvent::Kind::cordon}};
  const auto result = simulate({.jobs = {rigid_job("a", 0, 1, 100)}}, cordoning);

  EXPECT_EQ(result.outcomes[0].finished, at(100));
  EXPECT_EQ(result.outcomes[0].migrations, 1);
  EXPECT_EQ(result.summary.forced_moves, 1);
}

TEST(Simulator, FreedGpusIdleUntilTheRateLimitHasPassed) {
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 10), rigid_job("b", 1, 1, 10)}};
  SimulationOptions limited = options(std::make_shared<Fifo>(), {node("n", 1)});
  limited.pacing.rate_limit = seconds(30);
  EXPECT_EQ(by_id(simulate(trace, limited)).at("b").first_started, at(30));

  limited.nodes = {node("n", 2)};
  EXPECT_EQ(by_id(simulate(trace, limited)).at("b").first_started, at(30));
  limited.pacing.is_eager = true;
  EXPECT_EQ(by_id(simulate(trace, limited)).at("b").first_started, at(1));
}

TEST(Simulator, JobsThatCanNeverRunAreUnfinishedAndLeftOutOfTheMeans) {
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 10), rigid_job("huge", 0, 9, 10)}};
  const auto result = simulate(trace, options(std::make_shared<Fifo>(), {node("n", 4)}));

  EXPECT_EQ(result.summary.unfinished, 1);
  EXPECT_EQ(result.summary.jct_s.mean, 10);
  EXPECT_EQ(result.outcomes.back().id.value, "huge");
  EXPECT_EQ(result.outcomes.back().status, JobStatus::unfinished);
}

// Alone on half of the pool (two jobs all the time): 2 GPUs, 50 s; together with equal shares: 50 s. Fair: 1.
TEST(Simulator, FinishTimeFairnessComparesWithAnEqualShare) {
  const Trace trace{.jobs = {elastic_job("a", 0, 4, 100), elastic_job("b", 0, 4, 100)}};
  const auto fair = simulate(trace, options(std::make_shared<ElasticFifo>(), {node("n", 4)}));
  EXPECT_EQ(fair.summary.fairness_mean, 1);

  // One after the other, 25 s each: a stays 25 s with b beside it, b 50 s with 1.5 jobs on average: K / 1.5 = 2 whole GPUs.
  const auto unfair = simulate(trace, options(std::make_shared<Fifo>(), {node("n", 4)}));
  EXPECT_EQ(by_id(unfair).at("a").fairness, 0.5);
  EXPECT_EQ(by_id(unfair).at("b").fairness, 1);
}

TEST(Simulator, RandomFailuresComeFromTheSeed) {
  Trace trace;
  for (int i = 0; i < 20; ++i)
    trace.jobs.push_back(elastic_job("j" + std::to_string(10 + i), i * 10, 4, 400));
  SimulationOptions failing =
      options(std::make_shared<ElasticFifo>(), {node("n0", 4), node("n1", 4)});
  failing.placer = builtin_placers().make("steady");
  failing.failures = RandomFailures{.mean_time_between = seconds(100), .repair = seconds(20)};
  failing.checkpoint_interval = seconds(30);
  failing.seed = 7;
  const auto once = simulate(trace, failing);
  const auto again = simulate(trace, failing);
  failing.seed = 8;
  const auto other = simulate(trace, failing);

  ASSERT_EQ(once.summary.finished, 20);
  for (std::size_t i = 0; i < once.outcomes.size(); ++i) {
    EXPECT_EQ(once.outcomes[i].id, again.outcomes[i].id);
    EXPECT_EQ(once.outcomes[i].finished, again.outcomes[i].finished);
  }
  EXPECT_NE(once.summary.jct_s.mean, other.summary.jct_s.mean);
  EXPECT_GT(once.summary.forced_moves, 0);
}

TEST(Simulator, BadOptionsAreNamed) {
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 10)}};
  const auto refusal = [&trace](SimulationOptions bad) -> std::string {
    try {
      static_cast<void>(simulate(trace, bad));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  SimulationOptions bad = options(std::make_shared<Fifo>(), {node("n", 4)});
  bad.node_events = {{.at = at(1), .node = {"m"}}};
  EXPECT_THAT(refusal(bad), HasSubstr("unknown node 'm'"));
  bad.node_events.clear();
  bad.checkpoint_interval = seconds(-1);
  EXPECT_THAT(refusal(bad), HasSubstr("checkpoint -1 s"));
  bad.checkpoint_interval = Duration{};
  bad.failures = RandomFailures{};
  EXPECT_THAT(refusal(bad), HasSubstr("mtbf 0 s"));
  bad.failures.reset();
  bad.max_time = Duration{};
  EXPECT_THAT(refusal(bad), HasSubstr("max_time 0 s"));
  bad.max_time.reset();
  bad.patience = 0;
  EXPECT_THAT(refusal(bad), HasSubstr("patience 0 instants"));
  bad.patience = 1;
  bad.resize_cost = {.kind = ResizeCost::Kind::stall, .fixed_s = -5};
  EXPECT_THAT(refusal(bad), HasSubstr("resize cost -5 s; expected seconds from 0"));
  EXPECT_THAT(refusal(options(nullptr, {node("n", 4)})), HasSubstr("allocator: null"));
}

TEST(Simulator, AnEmptyTraceGivesAnEmptyResult) {
  const auto result = simulate({}, options(std::make_shared<Fifo>(), {node("n", 4)}));
  EXPECT_EQ(result.summary.jobs, 0);
  EXPECT_EQ(result.summary.decisions, 0);
}

TEST(Simulator, PoolsDoNotDisturbEachOther) {
  Trace both;
  Trace alone;
  for (int i = 0; i < 30; ++i) {
    Job job = elastic_job("j" + std::to_string(10 + i), i * 7, 4, 100 + 10 * i);
    job.spec.gpu_type = i % 3 == 0 ? "v100" : "a100";
    both.jobs.push_back(job);
    if (i % 3 != 0)
      alone.jobs.push_back(job);
  }
  const auto allocators = builtin_allocators();
  for (const auto& entry : allocators.entries()) {
    const std::shared_ptr<const Allocator> allocator = entry.make({});
    const auto mixed =
        by_id(simulate(both, options(allocator, {node("v", 3, "v100"), node("a", 5, "a100")})));
    for (const JobOutcome& outcome :
         simulate(alone, options(allocator, {node("a", 5, "a100")})).outcomes) {
      EXPECT_EQ(mixed.at(outcome.id.value).finished, outcome.finished)
          << entry.name << " " << outcome.id.value;
    }
  }
}

TEST(Simulator, StopsWhenTheObserverSaysSo) {
  class Stopping final : public SimulationObserver {
   public:
    [[nodiscard]] bool advanced(const SimulationProgress& progress, Scheduler&) override {
      return progress.ended < 1;
    }
  } stopping;

  const Trace trace{.jobs = {rigid_job("a", 0, 1, 10), rigid_job("b", 0, 1, 20)}};
  const auto result = simulate(trace, options(std::make_shared<Fifo>(), {node("n", 4)}), &stopping);

  EXPECT_EQ(result.end, SimulationEnd::stopped);
  EXPECT_EQ(result.outcomes.size(), 1U);
  EXPECT_EQ(result.summary.jobs, 2);
}

}  // namespace simulator_test

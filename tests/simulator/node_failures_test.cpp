#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/elastic_fifo.hpp"
#include "voda/allocators/fifo.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/simulator/random.hpp"
#include "voda/simulator/simulator.hpp"

namespace node_failures_test {

using namespace voda;
using namespace voda::test;
using testing::ElementsAre;

/// Notes the instants of the first decisions, then stops the run.
class DecisionLog final : public SimulationObserver {
 public:
  explicit DecisionLog(std::size_t limit) : limit_(limit) {}

  void decided(const Scheduler& /*scheduler*/, const Decision& decision) override {
    instants.push_back(decision.at);
  }

  [[nodiscard]] bool advanced(const SimulationProgress& /*progress*/,
                              Scheduler& /*scheduler*/) override {
    return instants.size() < limit_;
  }

  std::vector<TimePoint> instants{};

 private:
  std::size_t limit_ = 0;
};

SimulationOptions fifo_on(std::vector<Node> nodes) {
  return {.allocator = std::make_shared<Fifo>(), .nodes = std::move(nodes)};
}

NodeEvent listed(std::int64_t time_s, std::string node, NodeEvent::Kind kind) {
  return {.at = at(time_s), .node = {std::move(node)}, .kind = kind};
}

/// When a node fails for the first time: an exponential time after 0 from its own stream of the seed.
TimePoint first_failure(const SimulationOptions& options, std::uint64_t node) {
  const auto mean = static_cast<double>(options.failures->mean_time_between.count());
  RandomStream random(options.seed, node);
  return TimePoint(Duration(static_cast<std::int64_t>(mean * random.exponential())));
}

// The job needs both nodes. After the first failure it waits, and nothing is to happen but a repair 10,000 s later; the other
// node fails meanwhile, at its own instant, and is repaired 10,000 s after that.
TEST(NodeFailures, ARandomFailureHappensAtItsInstantWhileJobsWait) {
  SimulationOptions failing = fifo_on({node("n0", 1), node("n1", 1)});
  failing.failures = RandomFailures{.mean_time_between = seconds(100), .repair = seconds(10000)};
  const auto [first, second] = std::minmax({first_failure(failing, 0), first_failure(failing, 1)});
  ASSERT_GT(second, first);
  ASSERT_LT(second, first + seconds(10000));
  DecisionLog log(4);
  static_cast<void>(simulate({.jobs = {rigid_job("a", 0, 2, 2e5)}}, failing, &log));

  EXPECT_THAT(log.instants, ElementsAre(at(0), first, second, first + seconds(10000)));
}

// Down by a listed event from 1 s on: the random failure and its repair, both before b comes at 100,000 s, leave it down.
TEST(NodeFailures, ARepairDoesNotEndAListedOutage) {
  SimulationOptions failing = fifo_on({node("n", 1)});
  failing.failures = RandomFailures{.mean_time_between = seconds(100), .repair = seconds(10)};
  failing.node_events = {listed(1, "n", NodeEvent::Kind::down)};
  ASSERT_GT(first_failure(failing, 0), at(1));
  ASSERT_LT(first_failure(failing, 0), at(90000));
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 10), rigid_job("b", 100000, 1, 1e-6)}};

  const auto down = simulate(trace, failing);
  EXPECT_EQ(down.summary.unfinished, 2);

  failing.node_events.push_back(listed(200000, "n", NodeEvent::Kind::up));
  const auto up = simulate(trace, failing);
  EXPECT_EQ(up.summary.unfinished, 0);
  EXPECT_GE(up.outcomes.front().finished, at(200000));
}

// The node fails at random; a listed `up` one second later says nothing about that outage.
TEST(NodeFailures, AListedUpDoesNotEndARandomOutage) {
  SimulationOptions failing = fifo_on({node("n", 1)});
  failing.failures = RandomFailures{.mean_time_between = seconds(1000), .repair = seconds(5000)};
  const TimePoint failure = first_failure(failing, 0);
  failing.node_events = {{.at = failure + seconds(1), .node = {"n"}, .kind = NodeEvent::Kind::up}};
  DecisionLog log(3);
  static_cast<void>(simulate({.jobs = {rigid_job("a", 0, 1, 1e4)}}, failing, &log));

  EXPECT_THAT(log.instants, ElementsAre(at(0), failure, failure + seconds(5000)));
}

// Nobody can ever hold three of two GPUs, whatever fails and is repaired.
TEST(NodeFailures, DoNotKeepARunAliveForJobsThatCanNeverRun) {
  SimulationOptions failing = fifo_on({node("n0", 1), node("n1", 1)});
  failing.failures = RandomFailures{.mean_time_between = seconds(1), .repair = seconds(1000)};
  const auto result = simulate({.jobs = {rigid_job("a", 0, 3, 10)}}, failing);

  EXPECT_EQ(result.summary.unfinished, 1);
  EXPECT_LE(result.summary.decisions, 3);
}

// No placer: jobs count as packed in arrival order, a on n0 and b on n1, with n2 free. Checkpoints every 4 s; at 10 s n1 is
// lost: 2 s of b are gone and the free node takes it at once. The loss of n2 then hits b, that of an idle node nobody.
TEST(NodeFailures, WithoutAPlacerTheJobsPackedOntoTheNodeLoseWork) {
  SimulationOptions failing = fifo_on({node("n0", 1), node("n1", 1), node("n2", 1)});
  failing.checkpoint_interval = seconds(4);
  failing.node_events = {listed(10, "n1", NodeEvent::Kind::down)};
  const Trace trace{.jobs = {rigid_job("a", 0, 1, 100), rigid_job("b", 0, 1, 100)}};
  const auto lost = simulate(trace, failing);
  EXPECT_EQ(lost.outcomes[0].id.value, "a");
  EXPECT_EQ(lost.outcomes[0].finished, at(100));
  EXPECT_EQ(lost.outcomes[1].finished, at(102));

  failing.node_events = {listed(10, "n2", NodeEvent::Kind::down)};
  EXPECT_EQ(simulate(trace, failing).outcomes[1].finished, at(100));

  failing.node_events = {listed(10, "n1", NodeEvent::Kind::cordon),
                         listed(14, "n1", NodeEvent::Kind::down),
                         listed(15, "n2", NodeEvent::Kind::down),
                         listed(15, "n0", NodeEvent::Kind::down),
                         listed(20, "n0", NodeEvent::Kind::up),
                         listed(20, "n2", NodeEvent::Kind::up)};
  const auto both = simulate(trace, failing);  // at 15 s both go back to 12 s; 5 s without GPUs
  EXPECT_EQ(both.outcomes[0].finished, at(108));
  EXPECT_EQ(both.outcomes[1].finished, at(108));
}

// An elastic job over both nodes shrinks when one is lost, from what it had at 8 s: 100 - 16 = 84 left at 10 s.
TEST(NodeFailures, WithoutAPlacerAnElasticJobShrinksAndLosesWork) {
  SimulationOptions failing = fifo_on({node("n0", 1), node("n1", 1)});
  failing.allocator = std::make_shared<ElasticFifo>();
  failing.checkpoint_interval = seconds(4);
  failing.node_events = {listed(10, "n0", NodeEvent::Kind::down)};
  const auto result = simulate({.jobs = {elastic_job("a", 0, 2, 100)}}, failing);

  EXPECT_EQ(result.outcomes[0].finished, at(94));
  EXPECT_EQ(result.outcomes[0].resizes, 1);
}

}  // namespace node_failures_test

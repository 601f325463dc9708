#include "voda/scheduler/replay.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/checkpoint.hpp"
#include "voda/model/error.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/simulator/simulator.hpp"
#include "voda/simulator/workload.hpp"

namespace voda {
namespace replay_test {

using test::at;
using test::elastic_job;
using test::event;
using test::node;
using test::rigid_job;
using test::seconds;

[[nodiscard]] PolicyTables builtin_tables() {
  return {.allocators = builtin_allocators(), .placers = builtin_placers()};
}

struct Recorded {
  ClusterImage start{};
  std::vector<Event> events{};
  std::string end{};  // checkpoint of the last state
};

/// Keeps what happens in a run.
class Keeper final : public SimulationObserver {
 public:
  [[nodiscard]] bool advanced(const SimulationProgress&, Scheduler& scheduler) override {
    end_ = scheduler.state().image();
    return true;
  }

  [[nodiscard]] const ClusterImage& end() const { return end_; }

 private:
  ClusterImage end_{};
};

[[nodiscard]] std::string bytes_of(ClusterImage image) {
  image.policy = {};
  return write_checkpoint(image);
}

[[nodiscard]] Recorded record_run(const std::string& policy, const std::string& placer) {
  const PolicyTables tables = builtin_tables();
  Recorded result{.start = {.now = TimePoint::min(), .policy = {policy, placer}}};
  SimulationOptions options{
      .allocator = make_allocator(tables, policy),
      .placer = make_placer(tables, placer),
      .resize_cost = {.fixed_s = 30},
      .failures = RandomFailures{.mean_time_between = seconds(400000), .repair = seconds(3000)},
      .checkpoint_interval = seconds(600),
      .seed = 7};
  for (int i = 0; i < 6; ++i)
    options.nodes.push_back(node("n" + std::to_string(i), 4));
  options.record_to = [&result](const Event& event) { result.events.push_back(event); };
  Keeper keeper;
  const Trace trace = generate_workload({.jobs = 60, .gpus = 24, .load = 1.1, .seed = 3});
  static_cast<void>(simulate(trace, options, &keeper));
  result.end = bytes_of(keeper.end());
  return result;
}

/// How many decisions were repeated, and how many of them were equal.
struct Count {
  int decisions = 0;
  int equal = 0;
  int failed = 0;
};

[[nodiscard]] Count replay(Replay& replay, const Recorded& recorded) {
  Count count;
  replay.take(recorded.start);
  for (const Event& event : recorded.events) {
    replay.take(event, [&count](const ReplayedDecision& decision) {
      ++count.decisions;
      count.equal += decision.is_equal() ? 1 : 0;
      count.failed += decision.failure.empty() ? 0 : 1;
    });
  }
  return count;
}

TEST(Replay, RepeatsEveryDecisionOfEveryPolicyAndPlacer) {
  const Registry<Allocator> allocators = builtin_allocators();
  for (const auto& entry : allocators.entries()) {
    for (const std::string placer : {"none", "steady", "repack", "spread"}) {
      const Recorded recorded = record_run(entry.name, placer);
      Replay again(builtin_tables());

      const Count count = replay(again, recorded);

      EXPECT_GT(count.decisions, 120) << entry.name << " " << placer;
      EXPECT_EQ(count.equal, count.decisions) << entry.name << " " << placer;
      EXPECT_EQ(bytes_of(again.state().image()), recorded.end) << entry.name << " " << placer;
    }
  }
}

TEST(Replay, WithoutAVisitorTheRecordIsFollowedOnly) {
  const Recorded recorded = record_run("elastic_tiresias", "steady");
  Replay again(builtin_tables());

  again.take(recorded.start);
  for (const Event& event : recorded.events)
    again.take(event, {});

  EXPECT_EQ(bytes_of(again.state().image()), recorded.end);
}

TEST(Replay, AnotherPolicyDecidesOnTheRecordedStates) {
  const Recorded recorded = record_run("elastic_fifo", "steady");
  Replay other(builtin_tables(), {.allocator = make_allocator(builtin_tables(), "srjf")});

  const Count count = replay(other, recorded);

  EXPECT_GT(count.decisions, 120);
  EXPECT_LT(count.equal, count.decisions);
  EXPECT_EQ(bytes_of(other.state().image()), recorded.end);
}

TEST(Replay, GoesOnFromAStateInTheMiddle) {
  const Recorded recorded = record_run("afs_l", "steady");
  Replay first(builtin_tables());
  const std::size_t middle = recorded.events.size() / 2;
  Recorded rest{.start = {}};
  first.take(recorded.start);
  for (std::size_t i = 0; i < middle; ++i)
    first.take(recorded.events[i], {});
  rest.start = first.state().image();
  rest.start.policy = recorded.start.policy;
  rest.events.assign(recorded.events.begin() + static_cast<std::ptrdiff_t>(middle),
                     recorded.events.end());
  Replay second(builtin_tables());

  const Count count = replay(second, rest);

  EXPECT_EQ(count.equal, count.decisions);
  EXPECT_EQ(bytes_of(second.state().image()), recorded.end);
}

/// One node of 4, two rigid jobs of 3 GPUs: `a` came first, `b` is shorter.
[[nodiscard]] std::vector<Event> two_jobs() {
  return {event(0, NodeJoined{node("n0", 4)}),
          event(1, JobSubmitted{.job = rigid_job("a", 0, 3, 900)}),
          event(1, JobSubmitted{.job = rigid_job("b", 1, 3, 90)})};
}

TEST(Replay, ShowsWhatAnotherPolicyWouldHaveDecided) {
  std::vector<ReplayedDecision> shown;
  Replay other(builtin_tables(), {.allocator = make_allocator(builtin_tables(), "srjf")});
  other.take({.policy = {.allocator = "fifo", .placer = "none"}});
  for (const Event& happened : two_jobs())
    other.take(happened, {});

  std::vector<Holding> replayed;
  other.take(event(2, Decided{.changed = {{.job = {"a"}, .gpus = 3}}}),
             [&replayed](const ReplayedDecision& decision) {
               EXPECT_FALSE(decision.is_equal());
               EXPECT_EQ(decision.at, at(2));
               replayed = decision.replayed.value().changed;
             });

  // shortest remaining job first gives the GPUs to b; the record goes on with a
  EXPECT_EQ(replayed, (std::vector<Holding>{{.job = {"b"}, .gpus = 3}}));
  EXPECT_EQ(other.state().pools()[0].free_gpus(), 1);
  EXPECT_EQ(other.state().image().pools[0].jobs[0].held, 3);
}

TEST(Replay, FollowsRecordedChangesOfPolicyUnlessAnotherOneDecides) {
  for (const bool is_own : {true, false}) {
    Replay again(builtin_tables(),
                 is_own ? ReplayPolicies{}
                        : ReplayPolicies{.allocator = make_allocator(builtin_tables(), "fifo")});
    again.take({.policy = {.allocator = "fifo", .placer = "none"}});
    for (const Event& happened : two_jobs())
      again.take(happened, {});
    again.take(event(1, PolicyChanged{.allocator = "srjf"}), {});

    bool is_equal = false;
    again.take(event(2, Decided{.changed = {{.job = {"b"}, .gpus = 3}}}),
               [&is_equal](const ReplayedDecision& decision) { is_equal = decision.is_equal(); });

    EXPECT_EQ(is_equal, is_own);
  }
}

TEST(Replay, APolicyThatFailsIsReportedAndTheRecordGoesOn) {
  Replay other(builtin_tables(), {.allocator = make_allocator(builtin_tables(), "srjf")});
  other.take({.policy = {.allocator = "fifo", .placer = "none"}});
  Job unknown = rigid_job("a", 0, 3, 1);
  unknown.work.reset();
  other.take(event(0, NodeJoined{node("n0", 4)}), {});
  other.take(event(1, JobSubmitted{.job = unknown}), {});

  std::string failure;
  other.take(event(2, Decided{.changed = {{.job = {"a"}, .gpus = 3}}}),
             [&failure](const ReplayedDecision& decision) { failure = decision.failure; });

  EXPECT_THAT(failure, ::testing::HasSubstr("job 'a'"));
  EXPECT_EQ(other.state().pools()[0].free_gpus(), 1);
}

TEST(Replay, EventsThatDoNotFitAreRefused) {
  Replay again(builtin_tables());
  EXPECT_THROW(again.take(event(0, JobFinished{{"a"}}), {}), InvalidInput);
  EXPECT_THROW(static_cast<void>(again.state()), InvalidInput);
  EXPECT_THROW(again.take(ClusterImage{}), InvalidInput);
  EXPECT_THROW(again.take({.policy = {.allocator = "nobody"}}), UnknownName);
  again.take({.policy = {.allocator = "fifo"}});
  EXPECT_THROW(again.take(event(0, JobFinished{{"a"}}), {}), InvalidInput);
  EXPECT_THROW(again.take(event(0, Decided{.gpu_type = "v100"}), [](const auto&) {}), InvalidInput);
}

}  // namespace replay_test
}  // namespace voda

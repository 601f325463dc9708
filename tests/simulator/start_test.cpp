#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/model/error.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/simulator/simulator.hpp"
#include "voda/simulator/workload.hpp"

// Runs that begin in a state instead of an empty cluster.

namespace voda {
namespace start_test {

using test::at;
using test::elastic_job;
using test::event;
using test::node;
using test::rigid_job;
using test::seconds;
using ::testing::HasSubstr;

/// Keeps the image of the first instant at or after a given one.
class Photographer final : public SimulationObserver {
 public:
  explicit Photographer(TimePoint at) : at_(at) {}

  [[nodiscard]] std::optional<ClusterImage> restarted(
      const std::function<ClusterImage()>& image) override {
    ClusterImage now = image();
    if (!taken_ && now.now >= at_)
      taken_ = std::move(now);
    return std::nullopt;
  }

  [[nodiscard]] const ClusterImage& taken() const { return taken_.value(); }

 private:
  TimePoint at_{};
  std::optional<ClusterImage> taken_{};
};

[[nodiscard]] std::map<std::string, JobOutcome> by_id(const SimulationResult& result) {
  std::map<std::string, JobOutcome> outcomes;
  for (const JobOutcome& outcome : result.outcomes)
    outcomes[outcome.id.value] = outcome;
  return outcomes;
}

TEST(SimulatorStart, ARunGoesOnFromTheMiddleAsIfItHadNotEnded) {
  const Trace trace = generate_workload({.jobs = 80, .gpus = 24, .load = 1.2, .seed = 5});
  const TimePoint middle = trace.jobs[40].submitted;
  const Registry<Allocator> allocators = builtin_allocators();
  for (const auto& entry : allocators.entries()) {
    for (const std::string placer : {"none", "steady"}) {
      SimulationOptions options{.allocator = entry.make({}),
                                .resize_cost = {.fixed_s = 40},
                                .pacing = {.rate_limit = seconds(20)}};
      if (placer != "none")
        options.placer = builtin_placers().make(placer);
      SimulationOptions later = options;
      for (int i = 0; i < 6; ++i)
        options.nodes.push_back(node("n" + std::to_string(i), 4));
      Photographer photographer(middle);
      const auto whole = by_id(simulate(trace, options, &photographer));
      later.start = photographer.taken();
      Trace rest;
      for (const Job& job : trace.jobs) {
        if (job.submitted > later.start->now)
          rest.jobs.push_back(job);
      }

      const SimulationResult result = simulate(rest, later);

      EXPECT_GT(result.summary.jobs, static_cast<std::int64_t>(rest.jobs.size())) << entry.name;
      EXPECT_EQ(result.summary.finished, result.summary.jobs) << entry.name;
      for (const auto& [id, outcome] : by_id(result)) {
        EXPECT_EQ(outcome.finished, whole.at(id).finished) << entry.name << placer << id;
        EXPECT_EQ(outcome.first_started, whole.at(id).first_started) << entry.name << placer << id;
        EXPECT_EQ(outcome.waited, whole.at(id).waited) << entry.name << placer << id;
        EXPECT_EQ(outcome.gpu_time, whole.at(id).gpu_time) << entry.name << placer << id;
      }
    }
  }
}

/// One node of 4: `a` has run on 3 GPUs since 0 and has 300 of 600 s of work left at 100 s; `b`, 2 GPUs, waits since 50 s.
[[nodiscard]] ClusterState busy_node(Observation observation) {
  ClusterState state(observation);
  state.apply(event(0, NodeJoined{node("n0", 4)}));
  state.apply(event(0, JobSubmitted{.job = rigid_job("a", 0, 3, 600)}));
  state.apply(
      event(0, Decided{.changed = {{.job = {"a"}, .gpus = 3, .node_of_worker = {3, {"n0"}}}}}));
  if (observation == Observation::reported)
    state.apply(event(0, WorkersSeen{.job = {"a"}, .node_of_worker = {3, {"n0"}}}));
  state.apply(event(50, JobSubmitted{.job = rigid_job("b", 50, 2, 20)}));
  state.apply(event(100, JobMeasured{.job = {"b"}, .remaining_s = 20}));
  return state;
}

TEST(SimulatorStart, JobsOfTheStateGoOnWithWhatTheyHoldAndHaveLeft) {
  for (const Observation observation : {Observation::assumed, Observation::reported}) {
    const SimulationOptions options{.allocator = builtin_allocators().make("fifo"),
                                    .placer = builtin_placers().make("steady"),
                                    .start = busy_node(observation).image()};
    const Trace later{.jobs = {rigid_job("c", 100, 4, 40)}};

    const auto outcomes = by_id(simulate(later, options));

    // a: 300 s of work on 3 GPUs are 100 s more; then b, 20 s on 2; then c, 40 s on 4
    EXPECT_EQ(outcomes.at("a").finished, at(200));
    EXPECT_EQ(outcomes.at("a").first_started, at(0));
    EXPECT_EQ(outcomes.at("a").executed, seconds(200));
    EXPECT_EQ(outcomes.at("b").first_started, at(200));
    EXPECT_EQ(outcomes.at("b").finished, at(210));
    EXPECT_EQ(outcomes.at("b").waited, seconds(150));
    EXPECT_EQ(outcomes.at("c").finished, at(220));
  }
}

TEST(SimulatorStart, WhatIsTrulyLeftMayDifferFromWhatIsTold) {
  SimulationOptions options{.allocator = builtin_allocators().make("fifo"),
                            .start = busy_node(Observation::assumed).image(),
                            .true_left_s = {{"a", 600}}};
  // a: told 300 s on 3 GPUs, in truth 600; then b
  EXPECT_EQ(by_id(simulate({}, options)).at("a").finished, at(300));
  EXPECT_EQ(by_id(simulate({}, options)).at("b").finished, at(310));

  // srjf believes that b has 20 s on 2 GPUs left and stops a for it; in truth they are 200
  options.allocator = builtin_allocators().make("srjf");
  options.true_left_s = {{"b", 200}};
  EXPECT_EQ(by_id(simulate({}, options)).at("b").finished, at(200));
  EXPECT_EQ(by_id(simulate({}, options)).at("a").finished, at(300));
}

TEST(SimulatorStart, WhatIsReportedAsRunningDoesNotCountOnlyWhatWasDecidedDoes) {
  // a was given 3 GPUs at 0, but nothing has been seen to run: all of its work is left at 100 s
  ClusterState state(Observation::reported);
  state.apply(event(0, NodeJoined{node("n0", 4)}));
  state.apply(event(0, JobSubmitted{.job = rigid_job("a", 0, 3, 600)}));
  state.apply(
      event(100, Decided{.changed = {{.job = {"a"}, .gpus = 3, .node_of_worker = {3, {"n0"}}}}}));

  const auto outcomes =
      by_id(simulate({}, {.allocator = builtin_allocators().make("fifo"), .start = state.image()}));

  EXPECT_EQ(outcomes.at("a").finished, at(300));
}

TEST(SimulatorStart, NodesOfTheStateFailAndComeBack) {
  // a stands still from 150 s on, when its node goes, to 190 s, when it is back and a starts anew
  SimulationOptions options{
      .allocator = builtin_allocators().make("fifo"),
      .placer = builtin_placers().make("steady"),
      .start = busy_node(Observation::assumed).image(),
      .node_events = {{.at = at(150), .node = {"n0"}},
                      {.at = at(190), .node = {"n0"}, .kind = NodeEvent::Kind::up}}};

  EXPECT_EQ(by_id(simulate({}, options)).at("a").finished, at(240));
}

TEST(SimulatorStart, LostNodesAreGone) {
  ClusterState state;
  state.apply(event(0, NodeJoined{node("n0", 4)}));
  state.apply(event(0, NodeLeft{{"n0"}}));
  state.apply(event(10, JobSubmitted{.job = rigid_job("a", 10, 4, 40)}));
  SimulationOptions options{.allocator = builtin_allocators().make("fifo"), .start = state.image()};

  EXPECT_EQ(simulate({}, options).summary.finished, 0);
  options.node_events = {{.at = at(90), .node = {"n0"}, .kind = NodeEvent::Kind::up}};
  EXPECT_THROW(static_cast<void>(simulate({}, options)), InvalidInput);
}

TEST(SimulatorStart, WhatDoesNotFitIsRefusedByName) {
  const auto refusal = [](const Trace& trace, const SimulationOptions& options) {
    try {
      static_cast<void>(simulate(trace, options));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };
  SimulationOptions options{.allocator = builtin_allocators().make("fifo"),
                            .start = busy_node(Observation::assumed).image()};

  EXPECT_EQ(refusal({.jobs = {rigid_job("c", 99, 1, 1)}}, options),
            "job 'c': submitted 99 s; expected an instant not before the state to start from, "
            "100 s");
  EXPECT_THAT(refusal({.jobs = {rigid_job("a", 100, 1, 1)}}, options), HasSubstr("job 'a'"));
  options.nodes = {node("x", 1)};
  EXPECT_THAT(refusal({}, options), HasSubstr("nodes: 1 beside a state"));
  options.nodes.clear();
  options.true_left_s = {{"c", 1}};
  EXPECT_EQ(refusal({}, options),
            "true_left_s: job 'c'; expected a job of the state to start from");
  options.true_left_s = {{"a", -1}};
  EXPECT_EQ(refusal({}, options), "true_left_s of job 'a' -1; expected seconds from 0 to 1e+12");
  options.true_left_s.clear();
  options.start->pools[0].jobs[1].job.work.reset();
  EXPECT_THAT(refusal({}, options), HasSubstr("job 'b': work_s is missing"));
}

TEST(SimulatorEstimates, PoliciesThatDoNotAskForWorkDoNotNotice) {
  const Trace trace = generate_workload({.jobs = 60, .gpus = 16, .load = 1.2, .seed = 2});
  SimulationOptions options{.allocator = builtin_allocators().make("elastic_fifo"),
                            .nodes = {node("n", 16)}};
  const auto truth = by_id(simulate(trace, options));
  options.estimate_error = 2;

  for (const auto& [id, outcome] : by_id(simulate(trace, options)))
    EXPECT_EQ(outcome.finished, truth.at(id).finished) << id;
}

TEST(SimulatorEstimates, WrongOnesCostWhatTheOrderCosts) {
  // 100 jobs of one GPU, 1 to 100 s long, on one GPU at once: shortest first gives the least mean; with an error of 10 the
  // order is as good as random, mean 100 * 50.5 / 2
  Trace trace;
  for (int i = 1; i <= 100; ++i)
    trace.jobs.push_back(rigid_job(fmt::format("{:03}", i), 0, 1, i));
  SimulationOptions options{.allocator = builtin_allocators().make("srjf"),
                            .nodes = {node("n", 1)}};
  double sum = 0;
  for (int i = 1; i <= 100; ++i)
    sum += i * (101 - i);

  EXPECT_DOUBLE_EQ(simulate(trace, options).summary.jct_s.mean, sum / 100);
  options.estimate_error = 10;
  const SimulationResult wrong = simulate(trace, options);
  EXPECT_EQ(wrong.summary.finished, 100);
  EXPECT_EQ(wrong.summary.makespan_s, 5050);  // the work itself is the truth
  EXPECT_NEAR(wrong.summary.jct_s.mean, 2525, 400);
  options.seed = 1;
  EXPECT_NE(simulate(trace, options).summary.jct_s.mean, wrong.summary.jct_s.mean);
}

TEST(SimulatorEstimates, MustBeInTheirRange) {
  SimulationOptions options{.allocator = builtin_allocators().make("fifo")};
  options.estimate_error = -1;
  EXPECT_THROW(static_cast<void>(simulate({}, options)), InvalidInput);
  options.estimate_error = 11;
  EXPECT_THROW(static_cast<void>(simulate({}, options)), InvalidInput);
}

}  // namespace start_test
}  // namespace voda

#include "voda/scheduler/cluster_state.hpp"

#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/model/error.hpp"

namespace cluster_state_test {

using namespace voda;
using namespace voda::test;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal(ClusterState& state, const Event& event) {
  try {
    state.apply(event);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

/// Gives one job `gpus` GPUs without placement, as a decision would.
void give(ClusterState& state, const std::string& id, GpuCount gpus, std::int64_t seconds) {
  const JobLocation location = state.find(JobId{id}).value();
  AllocationDecision decision{.gpus = state.pools()[location.pool].jobs().current};
  decision.gpus[location.job] = gpus;
  state.commit(location.pool, at(seconds), decision, nullptr);
}

TEST(ClusterState, CountsOnlySchedulableNodes) {
  ClusterState state = two_nodes_of_four();
  EXPECT_EQ(state.pools()[0].capacity(), 8);

  Node cordoned = node("n1", 4);
  cordoned.schedulable = false;
  state.apply(event(1, NodeChanged{cordoned}));
  EXPECT_EQ(state.pools()[0].capacity(), 4);

  state.apply(event(2, NodeLeft{{"n0"}}));
  EXPECT_EQ(state.pools()[0].capacity(), 0);

  state.apply(event(3, NodeJoined{node("n0", 6)}));
  EXPECT_EQ(state.pools()[0].capacity(), 6);
}

TEST(ClusterState, EachGpuTypeIsAPool) {
  ClusterState state;
  state.apply(event(0, NodeJoined{node("a", 4, "v100")}));
  state.apply(event(0, NodeJoined{node("b", 8, "a100")}));
  Job typed = rigid_job("x", 0, 1, 10);
  typed.spec.gpu_type = "a100";
  state.apply(event(0, JobSubmitted{.job = typed}));

  ASSERT_EQ(state.pools().size(), 2U);
  EXPECT_EQ(state.find({"x"})->pool, state.find_pool("a100").value());
}

TEST(ClusterState, AJobWithoutATypeIsRefusedWhenThereAreSeveralPools) {
  ClusterState state;
  state.apply(event(0, NodeJoined{node("a", 4, "v100")}));
  state.apply(event(0, NodeJoined{node("b", 8, "a100")}));

  const std::string message =
      refusal(state, event(0, JobSubmitted{.job = rigid_job("x", 0, 1, 10)}));

  EXPECT_THAT(message, HasSubstr("job 'x': gpu_type ''"));
  EXPECT_THAT(message, HasSubstr("'v100', 'a100'"));
  EXPECT_FALSE(state.find({"x"}).has_value());
}

TEST(ClusterState, AJobWithoutATypeBelongsToTheOnlyPool) {
  ClusterState state;
  state.apply(event(0, JobSubmitted{.job = rigid_job("early", 0, 1, 10)}));
  state.apply(event(0, NodeJoined{node("a", 4, "v100")}));
  state.apply(event(0, JobSubmitted{.job = rigid_job("late", 0, 1, 10)}));

  ASSERT_EQ(state.pools().size(), 1U);
  EXPECT_EQ(state.pools()[0].gpu_type(), "v100");
  EXPECT_EQ(state.pools()[0].arrival_order().size(), 2U);
}

TEST(ClusterState, AJobWithoutATypeWaitsForTheFirstPoolWithGpus) {
  ClusterState state;
  state.apply(event(0, JobSubmitted{.job = elastic_job("untyped", 0, 4, 100)}));
  Job typed = elastic_job("typed", 0, 4, 100);
  typed.spec.gpu_type = "a100";
  state.apply(event(1, JobSubmitted{.job = typed}));
  state.apply(event(2, NodeJoined{node("n0", 4, "a100")}));

  const std::size_t pool = state.find_pool("a100").value();
  EXPECT_EQ(state.find({"untyped"}).value().pool, pool);
  ASSERT_EQ(state.pools()[pool].arrival_order().size(), 2U);
  EXPECT_EQ(state.pools()[pool].job(slot_of(state, "untyped"), at(9)).progress.lifetime.waited,
            seconds(9));
  state.apply(event(9, JobFinished{.job = {"untyped"}}));
  EXPECT_EQ(state.pools()[pool].arrival_order().size(), 1U);
}

TEST(ClusterState, ARefusedEventChangesNothing) {
  constexpr GpuCount most = std::numeric_limits<GpuCount>::max();
  ClusterState state;
  state.apply(event(0, NodeJoined{node("n0", most)}));
  EXPECT_THAT(refusal(state, event(1, NodeJoined{node("n1", 1)})), HasSubstr("2147483648 GPUs"));
  EXPECT_EQ(state.pools()[0].nodes().size(), 1U);
  state.apply(event(1, NodeLeft{{"n0"}}));  // the refused node would have kept a GPU
  EXPECT_EQ(state.pools()[0].capacity(), 0);

  EXPECT_NE(refusal(state, event(1, NodeJoined{node("n2", -1, "v100")})), "");
  EXPECT_NE(refusal(state, event(1, CapacityChanged{.gpu_type = "v100", .gpus = -1})), "");
  EXPECT_EQ(state.pools().size(), 1U);
}

TEST(ClusterState, RefusesWhatIsUnknownRepeatedOrInThePast) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(5, JobSubmitted{.job = rigid_job("a", 0, 1, 10)}));

  EXPECT_THAT(refusal(state, event(5, JobSubmitted{.job = rigid_job("a", 0, 1, 10)})),
              HasSubstr("'a': submitted twice"));
  EXPECT_THAT(refusal(state, event(5, JobFinished{{"b"}})), HasSubstr("'b': unknown"));
  EXPECT_THAT(refusal(state, event(5, NodeLeft{{"n9"}})), HasSubstr("'n9': unknown"));
  EXPECT_THAT(refusal(state, event(5, NodeJoined{node("n0", 4)})), HasSubstr("'n0': joined twice"));
  EXPECT_THAT(refusal(state, event(4, JobFinished{{"a"}})),
              HasSubstr("4 s; expected an instant not before the last one, 5 s"));
  EXPECT_THAT(refusal(state, event(5, NodeJoined{node("neg", -1)})), HasSubstr("'neg': gpus -1"));
  EXPECT_EQ(state.pools()[0].capacity(), 8);
  EXPECT_EQ(state.now(), at(5));
}

TEST(ClusterState, KeepsArrivalOrderBySubmissionThenId) {
  ClusterState state = two_nodes_of_four();
  for (const char* id : {"c", "a", "b"}) {
    state.apply(event(9, JobSubmitted{.job = rigid_job(id, id[0] == 'b' ? 1 : 2, 1, 10)}));
  }
  state.apply(event(9, JobFinished{{"a"}}));
  state.apply(event(9, JobSubmitted{.job = rigid_job("aa", 2, 1, 10)}));

  std::vector<std::string> order;
  for (const JobIndex job : state.pools()[0].arrival_order())
    order.push_back(state.pools()[0].jobs().id[job].value);
  EXPECT_THAT(order, ElementsAre("b", "aa", "c"));
}

// 3 GPUs for 10 s and 1 GPU for 5 s: 35 GPU-seconds in 15 s; then 4 s without.
TEST(ClusterState, CountersAccrueOverStopsAndRestarts) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 4, 100)}));
  give(state, "a", 3, 0);
  give(state, "a", 0, 10);
  give(state, "a", 1, 14);
  give(state, "a", 0, 19);

  const Job job = state.pools()[0].job(slot_of(state, "a"), at(20));
  EXPECT_EQ(to_seconds(job.progress.since_promotion.service), 35);
  EXPECT_EQ(job.progress.since_promotion.executed, seconds(15));
  EXPECT_EQ(job.progress.since_promotion.waited, seconds(5));
  EXPECT_EQ(job.progress.first_started, at(0));
  EXPECT_EQ(job.progress.last_started, at(14));
  EXPECT_EQ(job.work->left_s, 65);
}

TEST(ClusterState, AResetStartsTheCountersAnewAndKeepsTheLifetime) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 4, 100)}));
  give(state, "a", 2, 0);
  give(state, "a", 0, 10);
  const JobIndex slot = slot_of(state, "a");
  state.commit(0, at(12), {.gpus = state.pools()[0].jobs().current, .resets = {slot}}, nullptr);

  const Job job = state.pools()[0].job(slot, at(15));
  EXPECT_EQ(job.progress.since_promotion.service.gpu_microseconds, 0);
  EXPECT_EQ(job.progress.since_promotion.waited, seconds(3));
  EXPECT_EQ(to_seconds(job.progress.lifetime.service), 20);
  EXPECT_EQ(job.progress.lifetime.waited, seconds(5));
}

TEST(ClusterState, ReportedObservationAccruesFromWhatRuns) {
  ClusterState state = two_nodes_of_four(Observation::reported);
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 4, 100)}));
  give(state, "a", 2, 0);  // assigned, pods still starting
  state.apply(event(10, WorkersSeen{{"a"}, {{"n0"}, {"n0"}}}));

  const Job job = state.pools()[0].job(slot_of(state, "a"), at(15));
  EXPECT_EQ(state.pools()[0].jobs().current[slot_of(state, "a")], 2);
  EXPECT_EQ(job.progress.since_promotion.waited, seconds(10));
  EXPECT_EQ(to_seconds(job.progress.since_promotion.service), 10);
  EXPECT_EQ(job.progress.last_started, at(10));
  EXPECT_EQ(job.work->left_s, 90);
}

TEST(ClusterState, RemembersWhenASizeChanged) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 8, 1000)}));

  give(state, "a", 2, 10);
  give(state, "a", 4, 20);
  give(state, "a", 0, 30);
  give(state, "a", 1, 40);
  give(state, "a", 3, 50);
  give(state, "a", 3, 60);

  const JobImage image = state.image().pools[0].jobs[0];
  EXPECT_EQ(image.job.progress.last_changed, at(50));
  EXPECT_EQ(image.job.progress.resized, (std::vector{at(20), at(50)}));
  EXPECT_EQ(ClusterState::from_image(state.image()).image().pools[0].jobs[0].job.progress,
            image.job.progress);
}

TEST(ClusterState, AFailedWorkerShrinksWhatIsAssigned) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0,
                    JobSubmitted{.job = elastic_job("a", 0, 4, 100),
                                 .held = 3,
                                 .node_of_worker = {{"n0"}, {"n1"}, {"n0"}}}));
  state.apply(event(1, WorkerFailed{{"a"}, {"n1"}}));

  EXPECT_EQ(state.pools()[0].jobs().current[slot_of(state, "a")], 2);
  EXPECT_THAT(nodes_of(state, "a"), ElementsAre("n0", "n0"));
  EXPECT_THAT(refusal(state, event(1, WorkerFailed{{"a"}, {"n1"}})),
              HasSubstr("no worker on node 'n1'"));
}

TEST(ClusterState, AStallStopsTheWorkButNotTheCounters) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 4, 100)}));
  give(state, "a", 2, 0);
  state.apply(event(10, JobMeasured{.job = {"a"}, .stalled_until = at(15)}));

  const Job job = state.pools()[0].job(slot_of(state, "a"), at(20));
  EXPECT_EQ(job.work->left_s, 70);  // 10 s and 5 s at speed 2
  EXPECT_EQ(job.progress.since_promotion.executed, seconds(20));
}

TEST(ClusterState, AMeasurementReplacesTheEstimate) {
  ClusterState state = two_nodes_of_four();
  Job unknown = elastic_job("a", 0, 4, 0);
  unknown.work.reset();
  state.apply(event(0, JobSubmitted{.job = unknown}));
  give(state, "a", 2, 0);
  state.apply(event(
      10,
      JobMeasured{.job = {"a"}, .remaining_s = 50, .speedup = SpeedupCurve({{1, 1.0}, {2, 1.5}})}));

  EXPECT_EQ(state.pools()[0].job(slot_of(state, "a"), at(12)).work->left_s, 47);
  EXPECT_THAT(refusal(state, event(12, JobMeasured{.job = {"a"}, .remaining_s = -1})),
              HasSubstr("work_s -1"));
}

TEST(ClusterState, LostNodesAreForgottenOnceTheyAreMany) {
  ClusterState state;
  state.apply(event(0, NodeJoined{node("keep", 4)}));
  state.apply(event(0, NodeJoined{node("held", 4)}));
  state.apply(event(
      0,
      JobSubmitted{
          .job = elastic_job("a", 0, 4, 100), .held = 2, .node_of_worker = {{"held"}, {"keep"}}}));
  state.apply(event(0, NodeLeft{{"held"}}));
  for (int i = 0; i < 1000; ++i) {
    const std::string id = "spot" + std::to_string(i);
    state.apply(event(0, NodeJoined{node(id, 1)}));
    state.apply(event(0, NodeLeft{{id}}));
  }

  EXPECT_LT(state.pools()[0].nodes().size(), 100U);
  EXPECT_THAT(nodes_of(state, "a"), ElementsAre("held", "keep"));
  EXPECT_EQ(state.pools()[0].capacity(), 4);
}

TEST(ClusterState, EligibleNodesAreFoundWhenALostOneJoins) {
  ClusterState state = two_nodes_of_four();
  Job picky = elastic_job("picky", 0, 4, 100);
  picky.spec.eligible = {{"n5"}};
  state.apply(event(0, JobSubmitted{.job = picky}));
  state.apply(event(
      0, JobSubmitted{.job = elastic_job("a", 0, 4, 100), .held = 1, .node_of_worker = {{"n5"}}}));
  state.apply(event(1, NodeJoined{node("n5", 4)}));

  const auto& eligible = state.pools()[0].jobs().eligible[slot_of(state, "picky")];
  ASSERT_TRUE(eligible);
  EXPECT_EQ(eligible->size(), 1U);
}

TEST(ClusterState, HugeHoldingsDoNotOverflow) {
  ClusterState state = two_nodes_of_four();
  Job huge = elastic_job("a", 0, 2147483647, 100);
  state.apply(event(0, JobSubmitted{.job = huge, .held = 2147483647}));
  huge.id = {"b"};
  state.apply(event(0, JobSubmitted{.job = huge, .held = 2147483647}));
  EXPECT_EQ(state.pools()[0].free_gpus(), 8 - 2 * std::int64_t{2147483647});
}

TEST(ClusterState, AProblemKeepsItsColumnsWhenTheStateGoesOn) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 4, 100)}));
  const AllocationProblem problem = state.pools()[0].allocation_problem(at(0));
  give(state, "a", 3, 0);
  state.apply(event(1, JobSubmitted{.job = elastic_job("b", 1, 4, 100)}));

  EXPECT_EQ(problem.arrival_order->size(), 1U);
  EXPECT_EQ(problem.columns->current[slot_of(state, "a")], 0);
}

TEST(ClusterState, ADecidedEventRepeatsACommit) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 4, 100)}));
  state.apply(
      event(3,
            Decided{.changed = {{.job = {"a"}, .gpus = 2, .node_of_worker = {{"n1"}, {"n1"}}}},
                    .review_at = at(9)}));

  EXPECT_THAT(nodes_of(state, "a"), ElementsAre("n1", "n1"));
  EXPECT_EQ(state.pools()[0].review_at(), at(9));
  EXPECT_EQ(state.pools()[0].job(slot_of(state, "a"), at(5)).work->left_s, 96);
}

TEST(ClusterState, AnImageRestoresEverything) {
  ClusterState state = two_nodes_of_four(Observation::reported);
  state.apply(event(
      0,
      JobSubmitted{.job = elastic_job("a", 0, 4, 100), .held = 1, .node_of_worker = {{"gone"}}}));
  state.apply(event(2, JobMeasured{.job = {"a"}, .stalled_until = at(7)}));
  state.apply(event(2, WorkersSeen{{"a"}, {{"n0"}}}));
  const ClusterState copy = ClusterState::from_image(state.image());

  const Job before = state.pools()[0].job(slot_of(state, "a"), at(30));
  const Job after = copy.pools()[0].job(slot_of(copy, "a"), at(30));
  EXPECT_EQ(after.progress, before.progress);
  EXPECT_EQ(after.work, before.work);
  EXPECT_EQ(copy.now(), state.now());
  EXPECT_EQ(nodes_of(copy, "a"), nodes_of(state, "a"));
  EXPECT_EQ(copy.pools()[0].nodes(), state.pools()[0].nodes());
  EXPECT_EQ(copy.pools()[0].is_due(), state.pools()[0].is_due());
}

TEST(ClusterState, AnImageOfAJobThatTakesLongerThanItWasToldIsRestored) {
  ClusterState state = two_nodes_of_four();
  state.apply(event(0, JobSubmitted{.job = elastic_job("a", 0, 8, 10)}));
  give(state, "a", 1, 0);
  give(state, "a", 2, 15);

  const ClusterImage image = state.image();
  EXPECT_EQ(image.pools[0].jobs[0].job.work->left_s, -5);
  const ClusterState copy = ClusterState::from_image(image);
  EXPECT_EQ(copy.image().pools[0].jobs[0].job.work, image.pools[0].jobs[0].job.work);
}

}  // namespace cluster_state_test

#include <algorithm>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/placement_builders.hpp"
#include "support/random_placements.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/policy/explain.hpp"
#include "voda/policy/explanation_text.hpp"

namespace explain_place_test {

using testing::ElementsAre;
using voda::Change;
using voda::ChangeKind;
using voda::Fact;
using voda::JobIndex;
using voda::PlaceExplanation;
using voda::PlacementDecision;
using voda::PlacementProblem;
using voda::Reason;
using voda::ReasonCode;
using voda::test::PlacementBuilder;

/// All lines about the place of the job that was added at `arrival`.
std::vector<std::string> lines(const std::string& placer,
                               PlacementBuilder builder,
                               std::size_t arrival) {
  const PlacementProblem problem = builder.build();
  const auto chosen = voda::builtin_placers().make(placer);
  const PlaceExplanation found = voda::explain_place(
      *chosen, problem, chosen->place(problem), (*problem.arrival_order)[arrival]);
  std::vector<std::string> result;
  for (const Reason& reason : found.reasons)
    result.push_back(to_text(reason, *problem.jobs));
  for (const Change& change : found.changes)
    result.push_back(to_text(change, *problem.jobs));
  return result;
}

TEST(ExplainPlace, TellsThatFreeGpusAreSplit) {
  PlacementBuilder builder;
  builder.node("n0", 4).node("n1", 4);
  builder.job({.id = "a", .gpus = 3, .gpus_per_worker = 3})
      .job({.id = "b", .gpus = 3, .gpus_per_worker = 3})
      .job({.id = "c", .gpus = 2, .gpus_per_worker = 2});
  EXPECT_THAT(
      lines("repack", builder, 2),
      ElementsAre("is number 3 of 3 in the packing, which takes large workers and large jobs first "
                  "and the tightest node that fits",
                  "needs room for 2 GPUs in workers of 2: 2 are free, but only 0 of them together",
                  "2 GPUs are free on 2 of the nodes that it may use, at most 1 on one",
                  "with 1 more empty node of 4 GPUs it would be on 1 node",
                  "without job 'a' it would be on 1 node"));
}

TEST(ExplainPlace, TellsThatThereIsNoRoom) {
  PlacementBuilder builder;
  builder.node("n0", 4).node("n1", 4);
  builder.job({.id = "a", .gpus = 4}).job({.id = "b", .gpus = 2, .eligible = {"n0"}});
  builder.job({.id = "c", .gpus = 3, .eligible = {"n0"}});
  const auto found = lines("steady", builder, 2);
  EXPECT_EQ(found[0], "workers move where that saves nodes, at most 8 moves for one");
  EXPECT_EQ(found[1], "needs room for 3 GPUs, and 2 are free on nodes that it may use");
  EXPECT_EQ(found[2], "with 1 more empty node of 4 GPUs it would be on 1 node");
  EXPECT_EQ(found[3], "without job 'b' it would be on 1 node");
}

// Two moves bring a job from two nodes to one, and are worth less than 8.
TEST(ExplainPlace, TellsWhoGathersAndWhoMakesRoom) {
  PlacementBuilder builder;
  builder.node("n0", 4).node("n1", 4);
  builder.job({.id = "a", .gpus = 4, .current = {"n0", "n0", "n1", "n1"}})
      .job({.id = "b", .gpus = 2, .current = {"n0", "n0"}});
  EXPECT_THAT(lines("steady", builder, 0),
              ElementsAre("workers move where that saves nodes, at most 8 moves for one",
                          testing::StartsWith("all its workers are on n"),
                          "2 of its workers stay where they run",
                          "2 of its workers move",
                          "comes from 2 to 1 node"));
}

TEST(ExplainPlace, TellsWhoLeavesALostNode) {
  PlacementBuilder builder;
  builder.node("n0", 4);
  builder.job({.id = "a", .gpus = 3, .current = {"n0", "gone"}});
  EXPECT_THAT(lines("spread", builder, 0),
              ElementsAre("as few of its workers as possible share a node",
                          "all its workers are on n0",
                          "1 of its workers stays where it runs",
                          "1 of its workers must leave a node that is lost, cordoned, too small or "
                          "not eligible",
                          "1 of its workers starts"));
}

TEST(ExplainPlace, TellsWhatFewerNodesWouldTake) {
  PlacementBuilder builder;
  builder.node("n0", 4).node("n1", 4);
  builder.job({.id = "a", .gpus = 4});
  const auto found = lines("spread", builder, 0);
  EXPECT_EQ(found[1], "is on 2 nodes; 1 could hold it if they were empty");
  EXPECT_EQ(found.back(), "no help, as far as was tried: taking one other job away");
}

std::int64_t number(const Reason& reason, const std::string& name) {
  return std::get<std::int64_t>(std::ranges::find(reason.facts, name, &Fact::name)->value);
}

/// The number that a reason of this code gives for `name`; 0 when there is none.
std::int64_t told(const PlaceExplanation& explanation, ReasonCode code, const std::string& name) {
  const auto found = std::ranges::find(explanation.reasons, code, &Reason::code);
  return found == explanation.reasons.end() ? 0 : number(*found, name);
}

class EveryPlacer : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Placers, EveryPlacer, testing::Values("repack", "steady", "spread"));

// Spans and moves of all jobs add up to what the placer says its answer costs.
TEST_P(EveryPlacer, ExplanationsAddUpToTheCost) {
  const auto placer = voda::builtin_placers().make(GetParam());
  EXPECT_TRUE(rc::check([&] {
    std::size_t jobs = 0;
    const PlacementProblem problem = voda::test::any_problem(jobs).build();
    const PlacementDecision decision = placer->place(problem);
    std::int64_t excess = 0;
    std::int64_t moved = 0;
    for (const JobIndex job : *problem.arrival_order) {
      const PlaceExplanation found{.job = job, .reasons = placer->explain(problem, decision, job)};
      RC_ASSERT(!found.reasons.empty());
      const std::int64_t moves =
          told(found, ReasonCode::moves, "workers") + told(found, ReasonCode::must_move, "workers");
      excess += told(found, ReasonCode::on_more_nodes, "nodes") -
                told(found, ReasonCode::on_more_nodes, "fewest");
      moved += moves;
      RC_ASSERT(told(found, ReasonCode::stays, "workers") + moves +
                    told(found, ReasonCode::starts, "workers") ==
                static_cast<std::int64_t>(decision.placement[job].size()));
      const bool is_refused = std::ranges::any_of(found.reasons, [](const Reason& reason) {
        return reason.code == ReasonCode::no_room || reason.code == ReasonCode::split_room;
      });
      RC_ASSERT(is_refused == (problem.allocation[job] > 0 && decision.placement[job].empty()));
    }
    RC_ASSERT(excess == decision.cost.excess_span);
    RC_ASSERT(moved == decision.cost.moved + decision.cost.forced);
  }));
}

std::size_t nodes_used(std::span<const voda::NodeIndex> workers) {
  return std::set<voda::NodeIndex>(workers.begin(), workers.end()).size();
}

TEST_P(EveryPlacer, ChangesHelpAsSaid) {
  const auto placer = voda::builtin_placers().make(GetParam());
  EXPECT_TRUE(rc::check([&] {
    std::size_t jobs = 0;
    const PlacementProblem problem = voda::test::any_problem(jobs).build();
    RC_PRE(jobs > 0);
    const PlacementDecision decision = placer->place(problem);
    const JobIndex job = *rc::gen::elementOf(*problem.arrival_order);
    const auto found = voda::explain_place(*placer, problem, decision, job);
    for (const Change& change : found.changes) {
      if (!change.gpus)
        continue;
      RC_LOG() << to_text(change, *problem.jobs) << "; now on "
               << nodes_used(decision.placement[job]) << " nodes\n";
      PlacementProblem changed = problem;
      if (change.kind == ChangeKind::more_nodes) {
        auto nodes = *problem.nodes;
        auto columns = *problem.jobs;
        std::vector<voda::NodeIndex> eligible;
        if (columns.eligible[job])
          eligible = *columns.eligible[job];
        for (std::int64_t i = std::get<std::int64_t>(change.facts[0].value); i > 0; --i) {
          eligible.push_back(nodes.push_back({.gpus = static_cast<voda::GpuCount>(
                                                  std::get<std::int64_t>(change.facts[1].value))}));
        }
        if (columns.eligible[job])
          columns.eligible[job] = std::make_shared<const std::vector<voda::NodeIndex>>(eligible);
        changed.nodes = std::make_shared<const voda::NodeColumns>(nodes);
        changed.jobs = std::make_shared<const voda::JobColumns>(columns);
      } else {
        const auto other = std::get<JobIndex>(change.facts[0].value);
        changed.allocation[other] = 0;
        changed.current.clear(other);
      }
      const PlacementDecision after = placer->place(changed);
      const std::size_t before = nodes_used(decision.placement[job]);
      RC_ASSERT(nodes_used(after.placement[job]) == *change.nodes);
      RC_ASSERT((before == 0 || *change.nodes < before));
    }
  }));
}

}  // namespace explain_place_test

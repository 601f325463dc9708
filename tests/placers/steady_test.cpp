#include "voda/placers/steady.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/placement_builders.hpp"
#include "voda/model/error.hpp"
#include "voda/policy/validate.hpp"

namespace steady_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;
using voda::Steady;
using voda::test::after;
using voda::test::nodes_of;
using voda::test::PlacementBuilder;
using Names = std::vector<std::string>;

constexpr double infinity = std::numeric_limits<double>::infinity();

Names repeated(const std::string& name, std::size_t count) {
  return Names(count, name);
}

/// Free: 1 on a, 2 on b, 2 on c. `new` needs 3 on one node: `one` or `other` has to leave b.
PlacementBuilder new_job_between_gaps() {
  PlacementBuilder builder;
  builder.node("a", 4).node("b", 4).node("c", 4);
  builder.job({.id = "three", .gpus = 3, .current = repeated("a", 3)});
  builder.job({.id = "one", .gpus = 1, .current = {"b"}});
  builder.job({.id = "other", .gpus = 1, .current = {"b"}});
  builder.job({.id = "pair", .gpus = 2, .current = repeated("c", 2)});
  builder.job({.id = "new", .gpus = 3});
  return builder;
}

TEST(Steady, FillsGapsWithoutMovingAnybody) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "small", .gpus = 1, .current = {"a"}})
                           .job({.id = "big", .gpus = 3, .current = repeated("b", 3)})
                           .job({.id = "new", .gpus = 3})
                           .job({.id = "tiny", .gpus = 1})
                           .build();

  const auto decision = Steady().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(nodes_of(problem, decision.placement, 2), repeated("a", 3));
  EXPECT_EQ(nodes_of(problem, decision.placement, 3), (Names{"b"}));
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Steady, MovesWorkersWhereThatSavesANode) {
  // Without a move `new` would span two nodes; one move makes room for all of it.
  const auto problem = new_job_between_gaps().build();

  const auto decision = Steady().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(decision.cost.excess_span, 0);
  EXPECT_EQ(decision.cost.moved, 1);
  EXPECT_EQ(nodes_of(problem, decision.placement, 4), repeated("b", 3));
}

TEST(Steady, FoldsASplitJobAtTheCostOfItsMoves) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "split", .gpus = 4, .current = {"a", "a", "a", "b"}})
                           .build();

  const auto decision = Steady().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("a", 4));
  EXPECT_EQ(decision.cost.moved, 1);
  EXPECT_EQ(decision.cost.excess_span, 0);
}

TEST(Steady, WeighsANodeAgainstMovesByBeta) {
  // Folding the job moves two workers and saves one node.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "split", .gpus = 4, .current = {"a", "a", "b", "b"}})
                           .build();

  EXPECT_EQ(Steady({.beta = 1.5}).place(problem).placement, problem.current);
  EXPECT_EQ(Steady({.beta = 2.5}).place(problem).cost.moved, 2);
  EXPECT_EQ(Steady({.beta = infinity}).place(problem).cost.excess_span, 0);
}

TEST(Steady, MovesNobodyAtBetaZero) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "split", .gpus = 2, .current = {"a", "b"}})
                           .job({.id = "new", .gpus = 4})
                           .build();

  const auto decision = Steady({.beta = 0}).place(problem);

  EXPECT_EQ(decision.cost.moved, 0);
  EXPECT_EQ(nodes_of(problem, decision.placement, 0), (Names{"a", "b"}));
}

TEST(Steady, StillSavesNodesForFreeAtBetaZero) {
  // The new job fits on b without anybody moving.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "old", .gpus = 3, .current = repeated("a", 3)})
                           .job({.id = "new", .gpus = 4})
                           .build();

  EXPECT_EQ(nodes_of(problem, Steady({.beta = 0}).place(problem).placement, 1), repeated("b", 4));
}

TEST(Steady, PutsGrowthOnTheNodeOfTheJob) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 8)
                           .job({.id = "j", .gpus = 3, .current = repeated("b", 2)})
                           .build();

  const auto decision = Steady().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("b", 3));
}

TEST(Steady, KeepsTheLowestNumbersWhenAJobShrinks) {
  // Workers 2 and 3 are gone: the problem's current placement ends at the new size, and a longer one is cut.
  const auto problem = PlacementBuilder()
                           .node("a", 2)
                           .node("b", 2)
                           .job({.id = "j", .gpus = 2, .current = {"b", "b", "a", "a"}})
                           .build();

  const auto decision = Steady().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), (Names{"b", "b"}));
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Steady, ForcesTheLatestArrivalsOffAShrunkNode) {
  // a shrank from 6 to 4: both workers of late leave; early stays although it could leave as well.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "early", .gpus = 4, .current = repeated("a", 4)})
                           .job({.id = "late", .gpus = 2, .current = repeated("a", 2)})
                           .build();

  const auto decision = Steady().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("a", 4));
  EXPECT_EQ(nodes_of(problem, decision.placement, 1), repeated("b", 2));
  EXPECT_EQ(decision.cost.forced, 2);
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Steady, ForcesTheHighestNumbersOffAShrunkNode) {
  const auto problem = PlacementBuilder()
                           .node("a", 3)
                           .node("b", 4)
                           .node("c", 1)
                           .job({.id = "j", .gpus = 4, .current = repeated("a", 4)})
                           .job({.id = "k", .gpus = 4, .current = repeated("b", 4)})
                           .build();

  const auto decision = Steady({.beta = 0}).place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), (Names{"a", "a", "a", "c"}));
  EXPECT_EQ(decision.cost.forced, 1);
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Steady, DrainsACordonedNode) {
  const auto problem = PlacementBuilder()
                           .cordoned("a", 4)
                           .node("b", 4)
                           .job({.id = "j", .gpus = 2, .current = {"a", "a"}})
                           .build();

  const auto decision = Steady().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), (Names{"b", "b"}));
  EXPECT_EQ(decision.cost.forced, 2);
}

TEST(Steady, MakesRoomForLargerWorkers) {
  // The worker of 4 fits only where the two small jobs sit on separate nodes now: one of them has to move.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "x", .gpus = 1, .current = {"a"}})
                           .job({.id = "y", .gpus = 1, .current = {"b"}})
                           .job({.id = "wide", .gpus = 4, .gpus_per_worker = 4})
                           .build();

  const auto decision = Steady().place(problem);

  voda::validate(problem, decision);
  EXPECT_TRUE(decision.unplaced.empty());
  EXPECT_EQ(decision.cost.moved, 1);
}

TEST(Steady, ReturnsAPushedOutJobToItsNodeByEvictingTheNewcomer) {
  // `new` packed first would take a; the optimum leaves `old` alone.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "new", .gpus = 4})
                           .job({.id = "old", .gpus = 3, .current = repeated("a", 3)})
                           .build();

  const auto decision = Steady().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("b", 4));
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Steady, PlacesTheSameAgainFromItsOwnAnswer) {
  const auto problem = new_job_between_gaps().build();
  const auto first = Steady().place(problem);

  const auto second = Steady().place(after(problem, first.placement));

  EXPECT_EQ(second.placement, first.placement);
  EXPECT_EQ(second.cost.moved, 0);
}

TEST(Steady, IgnoresTheSlotsOfJobs) {
  const auto problem = new_job_between_gaps().build();
  const auto permuted = new_job_between_gaps().build({3, 0, 2, 1, 4});

  const auto first = Steady().place(problem);
  const auto second = Steady().place(permuted);

  for (std::size_t job = 0; job < 5; ++job) {
    EXPECT_EQ(nodes_of(problem, first.placement, job), nodes_of(permuted, second.placement, job));
  }
}

TEST(Steady, RefusesAnAllocationThatSplitsAWorker) {
  const auto problem =
      PlacementBuilder().node("a", 8).job({.id = "odd", .gpus = 3, .gpus_per_worker = 2}).build();

  EXPECT_THAT([&] { static_cast<void>(Steady().place(problem)); },
              ThrowsMessage<voda::InvalidInput>(AllOf(HasSubstr("'odd'"), HasSubstr("3"))));
}

/// The two-node exchange would need a table of all GPUs of a node.
TEST(Steady, PlacesOnNodesOfTheLargestSize) {
  PlacementBuilder builder;
  for (const char* name : {"n0", "n1", "n2"})
    builder.node(name, INT32_MAX);
  for (int i = 0; i < 40; ++i)
    builder.job({.id = "j" + std::to_string(i), .gpus = 2, .current = {"n0", "n1"}});
  builder.job({.id = "large", .gpus = 1 << 20, .gpus_per_worker = 1 << 18});
  const auto problem = builder.build();

  const auto decision = voda::Steady().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(decision.cost.excess_span, 0);
  EXPECT_EQ(decision.cost.moved, 40);
}

TEST(Steady, PlacesNothingOnAnEmptyCluster) {
  const auto problem = PlacementBuilder().job({.id = "j", .gpus = 2}).build();

  const auto decision = Steady().place(problem);

  ASSERT_EQ(decision.unplaced.size(), 1U);
  EXPECT_EQ(decision.unplaced[0].free_gpus, 0);
  EXPECT_EQ(decision.unplaced[0].placeable_gpus, 0);
}

// Racks a and b take turns in the order of nodes, and jobs of two nodes are packed in that order.
TEST(Steady, GathersNewWorkersInOneRack) {
  PlacementBuilder builder;
  builder.node("n0", 4, {"a"}).node("n1", 4, {"b"}).node("n2", 4, {"a"}).node("n3", 4, {"b"});
  builder.job({.id = "first", .gpus = 8});
  const auto alone = builder.build();
  EXPECT_EQ(Steady().place(alone).cost.excess_by_level, std::vector<std::int64_t>{0});

  builder.job({.id = "second", .gpus = 8});  // now two workers must be exchanged
  const auto both = builder.build();
  EXPECT_EQ(Steady().place(both).cost.excess_by_level, std::vector<std::int64_t>{0});
}

TEST(Steady, MovesNobodyForARack) {
  PlacementBuilder builder;
  builder.node("n0", 1, {"a"}).node("n1", 1, {"b"}).node("n2", 1, {"a"});
  builder.job({.id = "runs", .gpus = 2, .current = {"n0", "n1"}});

  const auto decision = Steady().place(builder.build());

  EXPECT_EQ(decision.cost.moved, 0);
  EXPECT_EQ(decision.cost.excess_by_level, std::vector<std::int64_t>{1});
}

}  // namespace steady_test

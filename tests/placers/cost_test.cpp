#include "voda/placers/cost.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/placement_builders.hpp"

namespace cost_test {

using voda::JobIndex;
using voda::NodeIndex;
using voda::Placement;
using voda::placement_cost;
using voda::test::PlacementBuilder;

Placement one_job(const std::vector<std::uint32_t>& nodes) {
  std::vector<NodeIndex> workers;
  for (const std::uint32_t node : nodes)
    workers.push_back(NodeIndex{node});
  Placement placement(1);
  placement.set(JobIndex{0}, workers);
  return placement;
}

TEST(PlacementCost, CountsNodesBeyondTheFewestThatHoldTheJob) {
  // 10 workers need 8 + 4 at least: two nodes; three are used.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .node("c", 8)
                           .job({.id = "j", .gpus = 10})
                           .build();

  EXPECT_EQ(placement_cost(problem, one_job({0, 0, 1, 1, 2, 2, 2, 2, 2, 2})).excess_span, 1);
  EXPECT_EQ(placement_cost(problem, one_job({0, 0, 2, 2, 2, 2, 2, 2, 2, 2})).excess_span, 0);
}

TEST(PlacementCost, IgnoresCordonedNodesInTheFewest) {
  const auto problem = PlacementBuilder()
                           .cordoned("big", 8)
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "j", .gpus = 8})
                           .build();

  EXPECT_EQ(placement_cost(problem, one_job({1, 1, 1, 1, 2, 2, 2, 2})).excess_span, 0);
}

TEST(PlacementCost, CountsSurvivorsByNumber) {
  // Worker 1 moves from a to b; worker 2 is new.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "j", .gpus = 3, .current = {"a", "a"}})
                           .build();

  const auto cost = placement_cost(problem, one_job({0, 1, 1}));

  EXPECT_EQ(cost.moved, 1);
  EXPECT_EQ(cost.forced, 0);
}

TEST(PlacementCost, CountsWorkersThatTheOperatorRemovesAsNeitherMovedNorForced) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "j", .gpus = 1, .current = {"a", "b", "gone"}})
                           .build();

  const auto cost = placement_cost(problem, one_job({0}));

  EXPECT_EQ(cost.moved, 0);
  EXPECT_EQ(cost.forced, 0);
}

TEST(PlacementCost, CountsWorkersOnLostAndCordonedNodesAsForced) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .cordoned("b", 4)
                           .job({.id = "j", .gpus = 3, .current = {"gone", "b", "a"}})
                           .build();

  const auto cost = placement_cost(problem, one_job({0, 0, 0}));

  EXPECT_EQ(cost.forced, 2);
  EXPECT_EQ(cost.moved, 0);
}

TEST(PlacementCost, ComparesDomainsAsWholePaths) {
  // Both racks are called r1, in different zones: two racks and two zones are used where one of each would do.
  const auto problem = PlacementBuilder()
                           .node("a", 4, {"z1", "r1"})
                           .node("b", 4, {"z1", "r1"})
                           .node("c", 4, {"z2", "r1"})
                           .node("d", 4, {"z1", "r2"})
                           .job({.id = "j", .gpus = 8})
                           .build();
  using Levels = std::vector<std::int64_t>;

  EXPECT_EQ(placement_cost(problem, one_job({0, 0, 0, 0, 1, 1, 1, 1})).excess_by_level,
            (Levels{0, 0}));
  EXPECT_EQ(placement_cost(problem, one_job({0, 0, 0, 0, 2, 2, 2, 2})).excess_by_level,
            (Levels{1, 1}));
  EXPECT_EQ(placement_cost(problem, one_job({0, 0, 0, 0, 3, 3, 3, 3})).excess_by_level,
            (Levels{1, 0}));
}

TEST(PlacementCost, IsNothingForAJobThatIsNotPlaced) {
  const auto problem =
      PlacementBuilder().node("a", 4).job({.id = "j", .gpus = 2, .current = {"a", "gone"}}).build();

  EXPECT_EQ(placement_cost(problem, Placement(1)), voda::PlacementCost{});
}

}  // namespace cost_test

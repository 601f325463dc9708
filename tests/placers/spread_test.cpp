#include "voda/placers/spread.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/placement_builders.hpp"
#include "voda/policy/validate.hpp"

namespace spread_test {

using voda::Spread;
using voda::test::nodes_of;
using voda::test::PlacementBuilder;
using Names = std::vector<std::string>;

TEST(Spread, PutsAsFewWorkersOnANodeAsPossible) {
  // 5 workers on 3 nodes: 2, 2 and 1.
  const auto problem =
      PlacementBuilder().node("a", 4).node("b", 4).node("c", 4).job({.id = "j", .gpus = 5}).build();

  const auto decision = Spread().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(nodes_of(problem, decision.placement, 0), (Names{"a", "a", "b", "b", "c"}));
  EXPECT_EQ(decision.cost.excess_span, 1);
}

TEST(Spread, PrefersTheEmptiestNodes) {
  const auto problem =
      PlacementBuilder().node("a", 2).node("b", 4).node("c", 4).job({.id = "j", .gpus = 2}).build();

  EXPECT_EQ(nodes_of(problem, Spread().place(problem).placement, 0), (Names{"b", "c"}));
}

TEST(Spread, StaysWhereThatIsAsGood) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .node("c", 4)
                           .job({.id = "j", .gpus = 2, .current = {"c", "b"}})
                           .build();

  const auto decision = Spread().place(problem);

  EXPECT_EQ(decision.placement, problem.current);
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Spread, LeavesNothingOfAJobThatDoesNotFit) {
  const auto problem = PlacementBuilder()
                           .node("a", 3)
                           .node("b", 3)
                           .job({.id = "j", .gpus = 6, .gpus_per_worker = 2})
                           .job({.id = "k", .gpus = 6})
                           .build();

  const auto decision = Spread().place(problem);

  voda::validate(problem, decision);
  ASSERT_EQ(decision.unplaced.size(), 1U);
  EXPECT_EQ(decision.unplaced[0].reason, voda::UnplacedReason::fragmentation);
  EXPECT_EQ(decision.unplaced[0].free_gpus, 6);
  EXPECT_EQ(decision.unplaced[0].placeable_gpus, 4);
}

}  // namespace spread_test

#include "voda/placers/repack.hpp"

#include <cstddef>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/placement_builders.hpp"
#include "voda/model/error.hpp"
#include "voda/policy/validate.hpp"

namespace repack_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;
using voda::Repack;
using voda::Unplaced;
using voda::UnplacedReason;
using voda::test::after;
using voda::test::nodes_of;
using voda::test::PlacementBuilder;
using Names = std::vector<std::string>;

Names repeated(const std::string& name, std::size_t count) {
  return Names(count, name);
}

TEST(Repack, BooksOnlyTheRemainderOfASplitJob) {
  // Voda booked 8 + 12 GPUs for a job of 12 on nodes of 8.
  const auto problem = PlacementBuilder()
                           .node("a", 8)
                           .node("b", 8)
                           .job({.id = "j", .gpus = 12})
                           .job({.id = "k", .gpus = 4})
                           .build();

  const auto decision = Repack().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(nodes_of(problem, decision.placement, 0),
            (Names{"a", "a", "a", "a", "a", "a", "a", "a", "b", "b", "b", "b"}));
  EXPECT_EQ(nodes_of(problem, decision.placement, 1), repeated("b", 4));
  EXPECT_EQ(decision.cost.excess_span, 0);
}

TEST(Repack, PacksJobsByWorkersThenArrival) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "small", .gpus = 1})
                           .job({.id = "first", .gpus = 3})
                           .job({.id = "second", .gpus = 3})
                           .build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 1), repeated("a", 3));
  EXPECT_EQ(nodes_of(problem, decision.placement, 2), repeated("b", 3));
  EXPECT_EQ(nodes_of(problem, decision.placement, 0), (Names{"a"}));
}

TEST(Repack, TakesTheTightestNodeThatHoldsTheJob) {
  const auto problem =
      PlacementBuilder().node("a", 8).node("b", 4).job({.id = "j", .gpus = 3}).build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("b", 3));
}

TEST(Repack, FillsTheEmptiestNodeWhenNoneHoldsTheJob) {
  const auto problem =
      PlacementBuilder().node("a", 4).node("b", 8).job({.id = "j", .gpus = 10}).build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0),
            (Names{"b", "b", "b", "b", "b", "b", "b", "b", "a", "a"}));
}

TEST(Repack, PrefersTheSmallerNodeAmongEquallyTightOnes) {
  // j leaves 1 GPU of a, k leaves 1 of b.
  const auto problem = PlacementBuilder()
                           .node("a", 8)
                           .node("b", 5)
                           .job({.id = "j", .gpus = 7})
                           .job({.id = "k", .gpus = 4})
                           .job({.id = "l", .gpus = 1})
                           .build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 2), (Names{"b"}));
}

TEST(Repack, BindsPackedNodesWhereMostWorkersStay) {
  // Packed in arrival order j would be on a and k on b.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "j", .gpus = 4, .current = repeated("b", 4)})
                           .job({.id = "k", .gpus = 4, .current = repeated("a", 4)})
                           .build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(decision.placement, problem.current);
  EXPECT_EQ(decision.cost.moved, 0);
  EXPECT_EQ(decision.bound.moved, 0);
}

TEST(Repack, BindsOnlyNodesOfEqualSize) {
  // j belongs on the node of 4; Voda would have bound its packed node to b and left 4 GPUs unused by its count.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 8)
                           .job({.id = "j", .gpus = 4, .current = repeated("b", 4)})
                           .job({.id = "k", .gpus = 8})
                           .build();

  const auto decision = Repack().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("a", 4));
  EXPECT_EQ(decision.cost.moved, 4);
  EXPECT_EQ(decision.bound.moved, 4);
}

TEST(Repack, ChangesNothingWhenNothingChanged) {
  // Voda numbered workers in hash order and moved more than half of them in every round.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .node("c", 4)
                           .job({.id = "j", .gpus = 6, .current = {"c", "a", "c", "a", "c", "c"}})
                           .job({.id = "k", .gpus = 4, .current = repeated("b", 4)})
                           .job({.id = "l", .gpus = 2, .current = {"a", "a"}})
                           .build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(decision.placement, problem.current);
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Repack, RenumbersOnlySurplusWorkers) {
  // k grows to a whole node and stays on a, so j goes to b: its workers 1 and 3 stay, 0 and 2 move.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "k", .gpus = 4, .current = {"a", "a"}})
                           .job({.id = "j", .gpus = 4, .current = {"a", "b", "a", "b"}})
                           .build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("a", 4));
  EXPECT_EQ(nodes_of(problem, decision.placement, 1), repeated("b", 4));
  EXPECT_EQ(decision.cost.moved, 2);
}

TEST(Repack, LeavesCordonedAndLostNodesForFree) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .cordoned("b", 4)
                           .node("c", 4)
                           .job({.id = "j", .gpus = 3, .current = {"a", "b", "gone"}})
                           .build();

  const auto decision = Repack().place(problem);

  voda::validate(problem, decision);
  EXPECT_EQ(nodes_of(problem, decision.placement, 0), repeated("a", 3));
  EXPECT_EQ(decision.cost.forced, 2);
  EXPECT_EQ(decision.cost.moved, 0);
}

TEST(Repack, ReportsAJobThatFindsTooFewGpus) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .job({.id = "j", .gpus = 3})
                           .job({.id = "k", .gpus = 2})
                           .job({.id = "l", .gpus = 1})
                           .build();

  const auto decision = Repack().place(problem);

  voda::validate(problem, decision);
  ASSERT_EQ(decision.unplaced.size(), 1U);
  EXPECT_EQ(decision.unplaced[0],
            (Unplaced{.job = voda::JobIndex{1},
                      .reason = UnplacedReason::no_capacity,
                      .free_gpus = 1,
                      .placeable_gpus = 1}));
  EXPECT_EQ(nodes_of(problem, decision.placement, 2), (Names{"a"}));
}

TEST(Repack, ReportsFragmentation) {
  // Each node of 3 has room for one worker of 2.
  const auto problem = PlacementBuilder()
                           .node("a", 3)
                           .node("b", 3)
                           .job({.id = "j", .gpus = 6, .gpus_per_worker = 2})
                           .job({.id = "k", .gpus = 6})
                           .build();

  const auto decision = Repack().place(problem);

  voda::validate(problem, decision);
  ASSERT_EQ(decision.unplaced.size(), 1U);
  EXPECT_EQ(decision.unplaced[0],
            (Unplaced{.job = voda::JobIndex{0},
                      .reason = UnplacedReason::fragmentation,
                      .free_gpus = 6,
                      .placeable_gpus = 4}));
  EXPECT_EQ(decision.placement[voda::JobIndex{1}].size(), 6U);
}

TEST(Repack, ServesLargerWorkersFirstThenArrival) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "small", .gpus = 3})
                           .job({.id = "early", .gpus = 4, .gpus_per_worker = 4})
                           .job({.id = "late", .gpus = 8, .gpus_per_worker = 4})
                           .build();

  const auto decision = Repack().place(problem);

  voda::validate(problem, decision);
  ASSERT_EQ(decision.unplaced.size(), 1U);
  EXPECT_EQ(decision.unplaced[0].job, voda::JobIndex{2});
  EXPECT_EQ(decision.unplaced[0].placeable_gpus, 4);
  EXPECT_EQ(decision.placement[voda::JobIndex{0}].size(), 3U);
}

TEST(Repack, RefusesAnAllocationThatSplitsAWorker) {
  const auto problem =
      PlacementBuilder().node("a", 8).job({.id = "odd", .gpus = 3, .gpus_per_worker = 2}).build();

  EXPECT_THAT(
      [&] { static_cast<void>(Repack().place(problem)); },
      ThrowsMessage<voda::InvalidInput>(AllOf(HasSubstr("'odd'"), HasSubstr("3"), HasSubstr("2"))));
}

TEST(Repack, ReroutesJobsThatMayGoElsewhere) {
  // big is packed on a first; small may use a only.
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "big", .gpus = 4})
                           .job({.id = "small", .gpus = 3, .eligible = {"a"}})
                           .build();

  const auto decision = Repack().place(problem);

  voda::validate(problem, decision);
  EXPECT_TRUE(decision.unplaced.empty());
  EXPECT_EQ(nodes_of(problem, decision.placement, 1), repeated("a", 3));
}

TEST(Repack, ReportsWhatFitsOnTheEligibleNodes) {
  const auto problem = PlacementBuilder()
                           .node("a", 2)
                           .node("b", 8)
                           .job({.id = "j", .gpus = 3, .eligible = {"a"}})
                           .build();

  const auto decision = Repack().place(problem);

  ASSERT_EQ(decision.unplaced.size(), 1U);
  EXPECT_EQ(decision.unplaced[0].reason, UnplacedReason::no_capacity);
  EXPECT_EQ(decision.unplaced[0].free_gpus, 2);
  EXPECT_EQ(decision.unplaced[0].placeable_gpus, 2);
}

TEST(Repack, BindsALargeJobByIdenticalContents) {
  // 30 nodes full of one job share 30 * 30 pairs; packed anew it takes the first 30 nodes, bound it stays on the last 30.
  PlacementBuilder builder;
  voda::test::PlacedJob big{.id = "big", .gpus = 120};
  for (int node = 0; node < 34; ++node) {
    const std::string name = "n" + std::to_string(100 + node);
    builder.node(name, 4);
    if (node >= 4)
      big.current.insert(big.current.end(), 4, name);
  }
  builder.job(big);
  builder.job({.id = "small", .gpus = 3, .current = {"n100", "n100", "n101"}});
  const auto problem = builder.build();

  const auto decision = Repack().place(problem);

  EXPECT_EQ(decision.cost.moved, 1);
  EXPECT_EQ(decision.bound.moved, 1);
  EXPECT_EQ(nodes_of(problem, decision.placement, 1), repeated("n100", 3));
}

TEST(Repack, CountsNothingAsMovedWhenThePlaceIsUnknown) {
  auto problem = PlacementBuilder().node("a", 4).node("b", 4).job({.id = "j", .gpus = 4}).build();
  auto jobs = *problem.jobs;
  jobs.current[voda::JobIndex{0}] = 4;  // it holds GPUs, but nobody knows where
  problem.jobs = std::make_shared<const voda::JobColumns>(jobs);

  const auto decision = Repack().place(problem);

  EXPECT_EQ(decision.placement[voda::JobIndex{0}].size(), 4U);
  EXPECT_EQ(decision.cost.moved, 0);
  EXPECT_EQ(decision.cost.forced, 0);
}

}  // namespace repack_test

#include "voda/scheduler/diff.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"

namespace diff_test {

using namespace voda;
using namespace voda::test;
using testing::ElementsAre;
using testing::IsEmpty;

/// Five jobs in arrival order: shrinks, stops, grows, moves, starts - listed against the order of a plan.
class DiffTest : public testing::Test {
 protected:
  DiffTest() {
    const auto submit = [this](const char* id, std::vector<NodeId> places) {
      const auto held = static_cast<GpuCount>(places.size());
      state_.apply(event(
          0,
          JobSubmitted{.job = elastic_job(id, 0, 8, 100), .held = held, .node_of_worker = places}));
    };
    submit("a-starts", {});
    submit("b-moves", {{"n0"}});
    submit("c-grows", {{"n0"}});
    submit("d-stops", {{"n1"}});
    submit("e-shrinks", {{"n1"}, {"n1"}});
    gpus_ = Allocation(5);
    target_ = Placement(5);
  }

  void want(const char* id, std::vector<std::uint32_t> nodes) {
    std::vector<NodeIndex> places;
    for (const auto node : nodes)
      places.push_back(static_cast<NodeIndex>(node));
    gpus_[slot_of(state_, id)] = static_cast<GpuCount>(nodes.size());
    target_.set(slot_of(state_, id), places);
  }

  [[nodiscard]] std::vector<std::string> described(const Plan& plan) const {
    std::vector<std::string> result;
    for (const Action& action : plan.actions) {
      result.push_back(state_.pools()[0].jobs().id[action.job].value + " " +
                       std::string(name_of(action.kind())));
    }
    return result;
  }

  ClusterState state_ = two_nodes_of_four();
  Allocation gpus_{};
  Placement target_{};
};

TEST_F(DiffTest, ListsStopsShrinksGrowthsMovesAndStarts) {
  want("a-starts", {1});
  want("b-moves", {1});
  want("c-grows", {0, 1});
  want("e-shrinks", {1});

  EXPECT_THAT(described(diff(at(7), state_.pools()[0], gpus_, &target_)),
              ElementsAre("d-stops stop",
                          "e-shrinks resize",
                          "c-grows resize",
                          "b-moves migrate",
                          "a-starts start"));
}

TEST_F(DiffTest, TellsWhereWorkersWereAndWillBe) {
  const auto node = [](std::uint32_t at) { return static_cast<NodeIndex>(at); };
  want("b-moves", {1});
  want("c-grows", {0, 1});
  want("d-stops", {1});
  want("e-shrinks", {1});

  const Plan plan = diff(at(7), state_.pools()[0], gpus_, &target_);

  ASSERT_THAT(described(plan),
              ElementsAre("e-shrinks resize", "c-grows resize", "b-moves migrate"));
  EXPECT_THAT(plan.before(plan.actions[0]), ElementsAre(node(1), node(1)));
  EXPECT_THAT(plan.after(plan.actions[0]), ElementsAre(node(1)));
  EXPECT_THAT(plan.before(plan.actions[1]), ElementsAre(node(0)));
  EXPECT_THAT(plan.after(plan.actions[1]), ElementsAre(node(0), node(1)));
  EXPECT_THAT(plan.before(plan.actions[2]), ElementsAre(node(0)));
  EXPECT_THAT(plan.after(plan.actions[2]), ElementsAre(node(1)));
}

TEST_F(DiffTest, IsEmptyWhenNothingChanges) {
  want("b-moves", {0});
  want("c-grows", {0});
  want("d-stops", {1});
  want("e-shrinks", {1, 1});

  EXPECT_THAT(diff(at(7), state_.pools()[0], gpus_, &target_).actions, IsEmpty());
}

TEST_F(DiffTest, AJobWhosePlaceWasUnknownDoesNotMigrate) {
  state_.apply(event(0, JobSubmitted{.job = elastic_job("f", 1, 8, 100), .held = 2}));
  gpus_ = state_.pools()[0].jobs().current;
  target_ = state_.pools()[0].assigned();
  const std::vector<NodeIndex> places(2, static_cast<NodeIndex>(0));
  target_.set(slot_of(state_, "f"), places);

  EXPECT_THAT(diff(at(7), state_.pools()[0], gpus_, &target_).actions, IsEmpty());
}

TEST_F(DiffTest, CountsAloneGiveAPlanWithoutPlaces) {
  gpus_[slot_of(state_, "e-shrinks")] = 1;
  gpus_[slot_of(state_, "b-moves")] = 1;
  gpus_[slot_of(state_, "c-grows")] = 1;
  gpus_[slot_of(state_, "d-stops")] = 1;
  const Plan plan = diff(at(7), state_.pools()[0], gpus_, nullptr);

  EXPECT_THAT(described(plan), ElementsAre("e-shrinks resize"));
  EXPECT_THAT(plan.after(plan.actions[0]), IsEmpty());
  EXPECT_EQ(plan.actions[0].gpus_before, 2);
}

}  // namespace diff_test

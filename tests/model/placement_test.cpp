#include "voda/model/placement.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace placement_test {

using testing::ElementsAre;
using testing::IsEmpty;
using voda::JobIndex;
using voda::NodeIndex;
using voda::Placement;

constexpr JobIndex a{0};
constexpr JobIndex b{1};
constexpr JobIndex c{2};

std::vector<NodeIndex> nodes(const std::vector<std::uint32_t>& numbers) {
  std::vector<NodeIndex> result;
  for (const std::uint32_t number : numbers)
    result.push_back(NodeIndex{number});
  return result;
}

std::vector<NodeIndex> of(const Placement& placement, JobIndex job) {
  const auto span = placement[job];
  return {span.begin(), span.end()};
}

TEST(Placement, HoldsNobodyAtFirst) {
  const Placement placement(2);

  EXPECT_EQ(placement.size(), 2U);
  EXPECT_THAT(of(placement, b), IsEmpty());
  EXPECT_THAT(of(placement, c), IsEmpty());  // beyond the last slot
  EXPECT_EQ(placement.workers(), 0U);
}

TEST(Placement, KeepsWorkersInTheirOrder) {
  Placement placement(2);

  placement.set(a, nodes({3, 1, 3}));
  placement.set(b, nodes({2}));

  EXPECT_THAT(of(placement, a), ElementsAre(NodeIndex{3}, NodeIndex{1}, NodeIndex{3}));
  EXPECT_THAT(of(placement, b), ElementsAre(NodeIndex{2}));
  EXPECT_EQ(placement.workers(), 4U);
}

TEST(Placement, SetReplacesSmallerAndLarger) {
  Placement placement(2);
  placement.set(a, nodes({1, 2}));
  placement.set(b, nodes({7}));

  placement.set(a, nodes({5}));
  EXPECT_EQ(of(placement, a), nodes({5}));
  placement.set(a, nodes({6, 6, 6}));

  EXPECT_EQ(of(placement, a), nodes({6, 6, 6}));
  EXPECT_EQ(of(placement, b), nodes({7}));
  EXPECT_EQ(placement.workers(), 4U);
}

TEST(Placement, SetMakesRoomForTheSlot) {
  Placement placement;

  placement.set(c, nodes({4}));

  EXPECT_EQ(placement.size(), 3U);
  EXPECT_EQ(of(placement, c), nodes({4}));
}

TEST(Placement, SetMayReadItsOwnWorkers) {
  Placement placement(3);
  placement.set(a, nodes({1, 2, 3}));
  placement.set(b, nodes({9}));

  placement.set(b, placement[a]);             // grows: moves to the end
  placement.set(a, placement[a].subspan(1));  // overlaps itself
  placement.set(c, placement[b].first(2));

  EXPECT_EQ(of(placement, a), nodes({2, 3}));
  EXPECT_EQ(of(placement, b), nodes({1, 2, 3}));
  EXPECT_EQ(of(placement, c), nodes({1, 2}));
}

TEST(Placement, TruncateKeepsTheFirstWorkers) {
  Placement placement(1);
  placement.set(a, nodes({1, 2, 3}));

  placement.truncate(a, 2);
  placement.truncate(a, 5);
  placement.truncate(c, 0);

  EXPECT_EQ(of(placement, a), nodes({1, 2}));
  EXPECT_EQ(placement.workers(), 2U);
}

TEST(Placement, ClearRemovesAllWorkers) {
  Placement placement(1);
  placement.set(a, nodes({1, 2}));

  placement.clear(a);

  EXPECT_THAT(of(placement, a), IsEmpty());
  EXPECT_EQ(placement.workers(), 0U);
}

TEST(Placement, RenumberMovesEveryWorker) {
  Placement placement(2);
  placement.set(a, nodes({0, 2}));
  placement.set(b, nodes({1}));

  placement.renumber(
      voda::IndexedVector<NodeIndex, NodeIndex>{NodeIndex{5}, NodeIndex{0}, NodeIndex{1}});

  EXPECT_EQ(of(placement, a), nodes({5, 1}));
  EXPECT_EQ(of(placement, b), nodes({0}));
}

TEST(Placement, EqualityIgnoresHistoryAndEmptySlotsAtTheEnd) {
  Placement one(1);
  one.set(a, nodes({1, 2, 3}));
  one.truncate(a, 1);
  Placement other(5);
  other.set(a, nodes({1}));

  EXPECT_EQ(one, other);
}

TEST(Placement, EqualityHeedsOrderAndJob) {
  Placement one(2);
  one.set(a, nodes({1, 2}));
  Placement turned(2);
  turned.set(a, nodes({2, 1}));
  Placement moved(2);
  moved.set(b, nodes({1, 2}));

  EXPECT_NE(one, turned);
  EXPECT_NE(one, moved);
}

/// One random change of a placement and of the map that models it.
void change(Placement& placement, std::map<std::uint32_t, std::vector<NodeIndex>>& model) {
  const auto slot = *rc::gen::inRange<std::uint32_t>(0, 12);
  const JobIndex job{slot};
  const int kind = *rc::gen::inRange(0, 6);
  if (kind == 0) {
    placement.clear(job);
    model[slot].clear();
  } else if (kind == 1) {
    const auto count = *rc::gen::inRange<std::size_t>(0, 10);
    placement.truncate(job, count);
    if (model[slot].size() > count)
      model[slot].resize(count);
  } else if (kind == 2) {
    const auto from = *rc::gen::inRange<std::uint32_t>(0, 12);
    placement.set(job, placement[JobIndex{from}]);
    const std::vector<NodeIndex> copy = model[from];
    model[slot] = copy;
  } else {
    const auto count = *rc::gen::inRange<std::uint32_t>(0, 30);
    std::vector<NodeIndex> workers;
    for (std::uint32_t i = 0; i < count; ++i)
      workers.push_back(NodeIndex{i * 7 % (slot + 3)});
    placement.set(job, workers);
    model[slot] = workers;
  }
}

// Lists of up to 30 nodes in 12 slots outgrow their room again and again, so the array is compacted
// many times.
RC_GTEST_PROP(Placement, BehavesAsAMap, ()) {
  Placement placement;
  std::map<std::uint32_t, std::vector<NodeIndex>> model;
  for (int i = 0; i < 150; ++i)
    change(placement, model);

  std::size_t workers = 0;
  for (std::uint32_t slot = 0; slot < 12; ++slot) {
    RC_ASSERT(of(placement, JobIndex{slot}) == model[slot]);
    workers += model[slot].size();
  }
  RC_ASSERT(placement.workers() == workers);
}

}  // namespace placement_test

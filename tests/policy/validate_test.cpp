#include "voda/policy/validate.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/error_text.hpp"
#include "voda/model/error.hpp"

namespace validate_test {

using voda::AllocationDecision;
using voda::AllocationProblem;
using voda::InvalidDecision;
using voda::InvalidInput;
using voda::JobIndex;
using voda::NodeIndex;
using voda::PlacementDecision;
using voda::PlacementProblem;
using voda::TimePoint;
using voda::test::error_text;

constexpr JobIndex a{0};
constexpr JobIndex nobody{1};  // a free slot
constexpr JobIndex b{2};
constexpr NodeIndex north{0};
constexpr NodeIndex south{1};
constexpr NodeIndex cordoned{2};

TimePoint at(double seconds) {
  return voda::time_from_seconds(seconds, "at");
}

/// Jobs a (2 to 6 by steps of 2) and b (1 to 8) in slots 0 and 2, 8 GPUs, now 100 s.
AllocationProblem two_jobs() {
  return voda::test::problem_of(
      {.gpus = 8,
       .jobs = {{.id = "a",
                 .min = 2,
                 .requested = 2,
                 .max = 6,
                 .sizes = {.kind = voda::SizeRule::Kind::step, .step = 2}},
                {.id = "b", .requested = 4, .max = 8}},
       .now_s = 100},
      {0, 2});
}

/// The message for a good answer with one change.
std::string breach(const std::function<void(AllocationDecision&)>& change) {
  const AllocationProblem problem = two_jobs();
  AllocationDecision decision{.gpus = {4, 0, 4}, .review_at = at(100.000001), .resets = {b}};
  change(decision);
  return error_text<InvalidDecision>([&] {
    validate(problem, decision);
    return 0;
  });
}

TEST(ValidateAllocation, AGoodAnswerPasses) {
  EXPECT_EQ(breach([](auto&) {}), "nothing thrown");
  EXPECT_EQ(breach([](auto& decision) { decision = {.gpus = {0, 0, 0}}; }), "nothing thrown");
}

TEST(ValidateAllocation, WantsOneCountPerSlot) {
  EXPECT_EQ(breach([](auto& decision) { decision.gpus = {4, 0}; }),
            "2 counts for 3 slots; expected one per slot");
}

TEST(ValidateAllocation, WantsAllowedSizes) {
  const std::string expected = " is not an allowed size; expected 0 or a size from 2 to 6";

  EXPECT_EQ(breach([](auto& decision) { decision.gpus[a] = 3; }), "job 'a': 3 GPUs" + expected);
  EXPECT_EQ(breach([](auto& decision) { decision.gpus[a] = 1; }), "job 'a': 1 GPU" + expected);
  EXPECT_EQ(breach([](auto& decision) { decision.gpus[a] = 8; }), "job 'a': 8 GPUs" + expected);
  EXPECT_EQ(breach([](auto& decision) { decision.gpus[a] = -2; }), "job 'a': -2 GPUs" + expected);
}

TEST(ValidateAllocation, WantsNothingForFreeSlots) {
  EXPECT_EQ(breach([](auto& decision) { decision.gpus[nobody] = 1; }),
            "slot 1: 1 GPU for no job; expected 0");
}

TEST(ValidateAllocation, WantsTheSumWithinCapacity) {
  EXPECT_EQ(breach([](auto& decision) { decision.gpus[b] = 5; }),
            "9 GPUs given out; the pool has 8");
}

TEST(ValidateAllocation, AHugeSumDoesNotOverflow) {
  constexpr voda::GpuCount most = 2147483647;
  const AllocationProblem problem = voda::test::problem_of(
      {.gpus = 8, .jobs = {{.id = "a", .max = most}, {.id = "b", .max = most}}});

  EXPECT_EQ(error_text<InvalidDecision>([&] {
              validate(problem, AllocationDecision{.gpus = {most, most}});
              return 0;
            }),
            "4294967294 GPUs given out; the pool has 8");
}

TEST(ValidateAllocation, WantsTheReviewAfterNow) {
  EXPECT_EQ(breach([](auto& decision) { decision.review_at = at(100); }),
            "review_at: 100 s is not after now, 100 s");
  EXPECT_EQ(breach([](auto& decision) { decision.review_at = at(99); }),
            "review_at: 99 s is not after now, 100 s");
}

TEST(ValidateAllocation, WantsResetsAmongTheJobs) {
  EXPECT_EQ(breach([](auto& decision) { decision.resets = {nobody}; }),
            "resets: slot 1 holds no job of the problem");
  EXPECT_EQ(breach([](auto& decision) { decision.resets = {JobIndex{9}}; }),
            "resets: slot 9 holds no job of the problem");
}

/// Nodes north and south with 4 GPUs, a cordoned one; a gets 4 GPUs in workers of 2 (only on north
/// and south), b 3.
PlacementProblem three_nodes() {
  auto nodes = std::make_shared<voda::NodeColumns>();
  nodes->push_back({.id = {"north"}, .gpus = 4});
  nodes->push_back({.id = {"south"}, .gpus = 4});
  nodes->push_back({.id = {"cordoned"}, .gpus = 4, .schedulable = false});
  const AllocationProblem jobs = voda::test::problem_of(
      {.jobs = {{.id = "a", .min = 2, .requested = 4, .max = 8, .gpus_per_worker = 2},
                {.id = "b", .max = 8}}},
      {0, 2});
  auto columns = std::make_shared<voda::JobColumns>(*jobs.columns);
  columns->eligible[b] =
      std::make_shared<const std::vector<NodeIndex>>(std::vector{south, cordoned});
  return {.nodes = nodes,
          .jobs = columns,
          .arrival_order = jobs.arrival_order,
          .allocation = {4, 0, 3}};
}

std::string placement_breach(const std::function<void(PlacementDecision&)>& change) {
  const PlacementProblem problem = three_nodes();
  PlacementDecision decision{.placement = voda::Placement(3)};
  decision.placement.set(a, std::vector{north, north});
  decision.placement.set(b, std::vector{south, south, south});
  change(decision);
  return error_text<InvalidDecision>([&] {
    validate(problem, decision);
    return 0;
  });
}

TEST(ValidatePlacement, AGoodAnswerPasses) {
  EXPECT_EQ(placement_breach([](auto&) {}), "nothing thrown");
  EXPECT_EQ(placement_breach([](auto& decision) {
              decision.placement.clear(a);
              decision.unplaced = {{.job = a}};
            }),
            "nothing thrown");
}

TEST(ValidatePlacement, WantsEveryJobInFull) {
  EXPECT_EQ(placement_breach([](auto& decision) { decision.placement.truncate(a, 1); }),
            "job 'a': 2 GPUs placed; expected 4");
  EXPECT_EQ(
      placement_breach([](auto& decision) { decision.placement.set(b, std::vector(4, south)); }),
      "job 'b': 4 GPUs placed; expected 3");
}

TEST(ValidatePlacement, WantsNothingForUnplacedJobs) {
  EXPECT_EQ(placement_breach([](auto& decision) { decision.unplaced = {{.job = a}}; }),
            "job 'a': 4 GPUs placed; expected 0");
  EXPECT_EQ(placement_breach([](auto& decision) { decision.unplaced = {{.job = JobIndex{7}}}; }),
            "unplaced: slot 7 holds no job");
}

TEST(ValidatePlacement, WantsUsableNodes) {
  EXPECT_EQ(placement_breach(
                [](auto& decision) { decision.placement.set(a, std::vector{north, cordoned}); }),
            "job 'a': a worker on position 2, which is no usable node");
  EXPECT_EQ(placement_breach([](auto& decision) {
              decision.placement.set(a, std::vector{north, NodeIndex{3}});
            }),
            "job 'a': a worker on position 3, which is no usable node");
}

TEST(ValidatePlacement, WantsEligibleNodes) {
  EXPECT_EQ(placement_breach([](auto& decision) {
              decision.placement.set(b, std::vector{south, north, south});
            }),
            "job 'b': a worker on node 'north', which is not eligible");
}

TEST(ValidatePlacement, WantsNoNodeAboveItsGpus) {
  EXPECT_EQ(placement_breach(
                [](auto& decision) { decision.placement.set(a, std::vector{north, south}); }),
            "node 'south': 5 GPUs used; it has 4");
}

TEST(ValidatePlacement, WantsNoWorkersOfNobody) {
  EXPECT_EQ(placement_breach(
                [](auto& decision) { decision.placement.set(nobody, std::vector{north, north}); }),
            "2 workers placed for no job of the problem");
}

TEST(CheckPlacementProblem, RefusesCountsThatDoNotFit) {
  const auto text = [](const voda::Allocation& allocation) {
    PlacementProblem problem = three_nodes();
    problem.allocation = allocation;
    return error_text<InvalidInput>([&] {
      check(problem);
      return 0;
    });
  };

  EXPECT_EQ(text({4, 0, 3}), "nothing thrown");
  EXPECT_EQ(text({4, 0}), "allocation: 2 counts for 3 slots; expected one per slot");
  EXPECT_EQ(text({3, 0, 3}), "job 'a': allocation 3; expected a multiple of gpus_per_worker 2");
  EXPECT_EQ(text({4, 0, -1}), "job 'b': allocation -1; expected a multiple of gpus_per_worker 1");
  EXPECT_EQ(text({4, 0, 2000000000}),
            "allocation: 2000000002 workers; expected at most 67108864 to place");
}

}  // namespace validate_test

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/placement_builders.hpp"
#include "support/placement_reference.hpp"
#include "support/random_problems.hpp"
#include "voda/placers/cost.hpp"
#include "voda/placers/repack.hpp"
#include "voda/placers/steady.hpp"
#include "voda/policy/validate.hpp"

// Clusters of more than 64 nodes, where another search takes over.

namespace steady_large_test {

using namespace voda;
using namespace voda::test;

RandomProblems any_random() {
  return RandomProblems(*rc::gen::arbitrary<std::uint64_t>());
}

std::vector<int> any_capacity(RandomProblems& random) {
  std::vector<int> capacity(static_cast<std::size_t>(random.between(65, 110)), 8);
  if (random.chance(3)) {
    for (int& gpus : capacity)
      gpus = 2 << random.between(0, 2);
  }
  return capacity;
}

/// A cluster that was packed once and where a job in ten has changed since, filled to `limit` GPUs before and after.
PlainProblem changed_cluster(RandomProblems& random, std::vector<int> capacity, int limit) {
  PlainProblem problem{.capacity = std::move(capacity)};
  int used = 0;
  const auto add = [&](int workers) {
    problem.jobs.push_back(
        {.workers = workers, .home = std::vector<int>(problem.capacity.size(), 0)});
    used += workers;
  };
  const auto fill = [&] {
    while (used < limit)
      add(std::min(limit - used, random.chance(8) ? random.between(9, 40) : random.between(1, 8)));
  };
  fill();
  const auto placed = Repack().place(problem.build()).placement;
  std::vector<PlainProblem::Job> kept;
  used = 0;
  for (std::size_t job = 0; job < problem.jobs.size(); ++job) {
    const auto nodes = placed[Allocation::index_of(job)];
    int workers = problem.jobs[job].workers;
    if (random.chance(30))
      continue;
    if (random.chance(30))
      workers += random.between(1, workers);
    if (random.chance(30))
      workers -= random.between(0, workers - 1);
    workers = std::min(workers, limit - used);
    if (workers == 0)
      continue;
    used += workers;
    kept.push_back({.workers = workers, .home = std::vector<int>(problem.capacity.size(), 0)});
    for (std::size_t worker = 0;
         worker < nodes.size() && worker < static_cast<std::size_t>(workers);
         ++worker)
      ++kept.back().home[position(nodes[worker])];
  }
  problem.jobs = std::move(kept);
  fill();
  return problem;
}

/// Full, or nearly.
PlainProblem any_changed_cluster(RandomProblems& random) {
  auto capacity = any_capacity(random);
  const int room = std::accumulate(capacity.begin(), capacity.end(), 0);
  return changed_cluster(random, std::move(capacity), random.chance(2) ? room : room * 98 / 100);
}

/// Nodes that are cordoned, workers of several GPUs, restricted jobs, too much asked.
PlacementProblem any_awkward_cluster(RandomProblems& random) {
  PlacementBuilder builder;
  std::vector<std::string> names;
  for (int node = random.between(65, 90); node > 0; --node) {
    names.push_back("n" + std::to_string(node));
    if (random.chance(12)) {
      builder.cordoned(names.back(), 8);
    } else {
      builder.node(names.back(), random.chance(4) ? 300 : 8, {"rack" + std::to_string(node / 8)});
    }
  }
  const auto any_name = [&] {
    return names[static_cast<std::size_t>(random.between(0, static_cast<int>(names.size()) - 1))];
  };
  for (int i = random.between(60, 200); i > 0; --i) {
    PlacedJob job{.id = "j" + std::to_string(i)};
    job.gpus_per_worker = random.chance(4) ? random.between(2, 8) : 1;
    job.gpus = job.gpus_per_worker * random.between(1, random.chance(10) ? 100 : 8);
    const auto node = any_name();
    for (int worker = random.between(0, job.gpus / job.gpus_per_worker); worker > 0; --worker)
      job.current.push_back(random.chance(6) ? any_name() : node);
    if (random.chance(6)) {
      for (int k = random.between(1, 20); k > 0; --k)
        job.eligible.push_back(any_name());
      std::ranges::sort(job.eligible);
      job.eligible.erase(std::ranges::unique(job.eligible).begin(), job.eligible.end());
    }
    builder.job(job);
  }
  return builder.build();
}

double cost_of(const PlacementDecision& decision, double beta) {
  return beta * static_cast<double>(decision.cost.excess_span) +
         static_cast<double>(decision.cost.moved);
}

std::int64_t unplaced_gpus(const PlacementProblem& problem, const PlacementDecision& decision) {
  std::int64_t gpus = 0;
  for (const auto& unplaced : decision.unplaced)
    gpus += problem.allocation[unplaced.job];
  return gpus;
}

double any_beta() {
  return *rc::gen::element(0.25, 1.0, 8.0, 1000.0);
}

RC_GTEST_PROP(LargeSteady, IsNeverWorseThanRepackNorThanMovingNobody, ()) {
  auto random = any_random();
  const auto plain = any_changed_cluster(random);
  const auto problem = plain.build();
  const double beta = any_beta();

  const auto decision = Steady({.beta = beta}).place(problem);

  validate(problem, decision);
  RC_ASSERT(decision.unplaced.empty());
  RC_ASSERT(decision.cost == placement_cost(problem, decision.placement));
  RC_ASSERT(cost_of(decision, beta) <= cost_of(Repack().place(problem), beta));
  RC_ASSERT(cost_of(decision, beta) <= cost_when_nobody_moves(plain, beta));
}

RC_GTEST_PROP(LargeSteady, MovesNobodyWhenNothingChanged, ()) {
  constexpr int clusters = 20;  // of each case: few leave a job in doubt
  auto random = any_random();
  for (int i = 0; i < clusters; ++i) {
    const auto problem = any_changed_cluster(random).build();
    const Steady placer({.beta = any_beta()});

    const auto first = placer.place(problem);
    const auto second = placer.place(after(problem, first.placement));

    RC_ASSERT(second.placement == first.placement);
    RC_ASSERT(second.cost.moved == 0);
  }
}

RC_GTEST_PROP(LargeSteady, KeepsTheContractInAwkwardClusters, ()) {
  auto random = any_random();
  const auto problem = any_awkward_cluster(random);
  const double beta = any_beta();

  const auto decision = Steady({.beta = beta}).place(problem);

  validate(problem, decision);
  RC_ASSERT(decision.cost == placement_cost(problem, decision.placement));
  const auto repack = Repack().place(problem);
  const auto rank = [&](const PlacementDecision& one) {
    return std::tuple(one.unplaced.size(), unplaced_gpus(problem, one), cost_of(one, beta));
  };
  RC_ASSERT(rank(decision) <= rank(repack));
}

/// Slots whose jobs take no part may still hold workers in `current`.
RC_GTEST_PROP(LargeSteady, HoldsNothingForJobsThatTakeNoPart, ()) {
  auto random = any_random();
  auto problem = any_changed_cluster(random).build();
  std::vector<JobIndex> order = *problem.arrival_order;
  std::vector<JobIndex> left_out;
  while (order.size() > 1 && !random.chance(8)) {
    const auto at = random.between(0, static_cast<int>(order.size()) - 1);
    left_out.push_back(order[static_cast<std::size_t>(at)]);
    order.erase(order.begin() + at);
  }
  for (const JobIndex job : left_out)
    problem.allocation[job] = random.chance(2) ? 0 : problem.allocation[job];
  if (random.chance(2)) {  // a slot that has no job at all
    const std::vector<NodeIndex> nodes(2, NodeIndex{});
    problem.current.set(Allocation::index_of(problem.jobs->size() + 1), nodes);
  }
  problem.arrival_order = std::make_shared<const std::vector<JobIndex>>(order);

  const auto decision = Steady().place(problem);

  validate(problem, decision);
  for (const JobIndex job : left_out)
    RC_ASSERT(decision.placement[job].empty());
}

RC_GTEST_PROP(LargeSteady, PaysNoHeedToCordonedNodes, ()) {
  auto random = any_random();
  const auto problem = any_changed_cluster(random).build();
  auto nodes = std::make_shared<NodeColumns>(*problem.nodes);
  for (int i = 0; i < 10; ++i)
    nodes->push_back({.id = {"cordoned" + std::to_string(i)}, .gpus = 8, .schedulable = false});
  auto beside_cordoned = problem;
  beside_cordoned.nodes = nodes;

  RC_ASSERT(Steady().place(beside_cordoned).placement == Steady().place(problem).placement);
}

// 400 workers need 50 nodes of 8. 50 of the nodes keep the 4 they have, so 200 workers can stay.
TEST(LargeSteady, GathersAJobThatIsOnMoreNodesThanAFoldLooksAt) {
  PlacementBuilder builder;
  std::vector<std::string> current;
  for (int i = 0; i < 100; ++i) {
    const std::string name = "n" + std::to_string(i);
    builder.node(name, 8);
    current.insert(current.end(), 4, name);
  }
  const auto problem = builder.job({.id = "a", .gpus = 400, .current = current}).build();
  const auto decision = Steady().place(problem);
  validate(problem, decision);
  EXPECT_EQ(decision.cost.excess_span, 0);
  EXPECT_EQ(decision.cost.moved, 200);
}

// The free GPUs of a job's nodes together exceed 32 bits.
TEST(LargeSteady, FoldsOnNodesOfTheLargestSize) {
  PlacementBuilder builder;
  for (int node = 0; node < 70; ++node)
    builder.node("n" + std::to_string(node), INT32_MAX);
  builder.job({.id = "split", .gpus = 4, .current = {"n0", "n1", "n2", "n3"}});
  const auto problem = builder.build();

  const auto decision = Steady().place(problem);

  validate(problem, decision);
  EXPECT_EQ(decision.cost.excess_span, 0);
  EXPECT_EQ(decision.cost.moved, 3);
}

// performance.md 4.3: at 10 % churn and 98 % load packing anew moves 10 % of the survivors and more.
TEST(LargeSteady, MovesFewSurvivorsAndLeavesFewExcessNodes) {
  RandomProblems random(20230928);
  for (int round = 0; round < 3; ++round) {
    const auto plain = changed_cluster(random, std::vector<int>(1000, 8), 7840);
    const auto problem = plain.build();

    const auto decision = Steady().place(problem);

    EXPECT_LE(static_cast<double>(decision.cost.moved),
              0.012 * static_cast<double>(problem.current.workers()));
    EXPECT_LE(static_cast<double>(decision.cost.excess_span),
              0.003 * static_cast<double>(plain.jobs.size()));
  }
}

}  // namespace steady_large_test

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/policies.hpp"
#include "support/scheduler_builders.hpp"
#include "voda/allocators/afs_l.hpp"
#include "voda/allocators/elastic_fifo.hpp"
#include "voda/allocators/fifo.hpp"
#include "voda/allocators/tiresias.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace capping_test {

using namespace voda;
using namespace voda::test;

int between(int low, int high) {
  return *rc::gen::inRange(low, high + 1);
}

GpuCount gpus_of(const Scheduler& scheduler, const std::string& id) {
  const JobLocation location = scheduler.state().find({id}).value();
  return scheduler.state().pools()[location.pool].jobs().current[location.job];
}

/// What a policy would give to a job that is alone with the GPUs that a decision left free and that its workers fit on.
GpuCount could_still_get(const Allocator& allocator,
                         const PoolState& pool,
                         const PoolDecision& decision,
                         JobIndex job) {
  AllocationProblem problem = pool.allocation_problem(at(1000));
  std::vector<GpuCount> free = pool.nodes().gpus.items();
  for (const JobIndex other : pool.arrival_order()) {
    for (const NodeIndex node : decision.placement->placement[other])
      free[position(node)] -= problem.columns->sizes[other].gpus_per_worker;
  }
  auto columns = std::make_shared<JobColumns>(*problem.columns);
  AllowedSizes& sizes = columns->sizes[job];
  problem.capacity = 0;
  for (const GpuCount gpus : free)
    problem.capacity += gpus / sizes.gpus_per_worker * sizes.gpus_per_worker;
  sizes.max = largest_size(sizes, problem.capacity);
  if (sizes.max < sizes.min)
    return 0;
  problem.columns = columns;
  problem.arrival_order = std::make_shared<const std::vector<JobIndex>>(1, job);
  return allocator.allocate(problem).gpus[job];
}

// Before the leftovers were offered, each of the three was displaced in one round and excluded from the next.
TEST(Capping, JobsOfThreeWorkerSizesDoNotEmptyTheCluster) {
  Scheduler scheduler(std::make_shared<AfsL>(), builtin_placers().make("steady"), cluster({3, 7}));
  scheduler.observe(event(0, JobSubmitted{with_workers_of(elastic_job("a", 0, 10, 100), 2)}));
  scheduler.observe(event(0, JobSubmitted{with_workers_of(elastic_job("b", 0, 10, 100), 5)}));
  scheduler.observe(event(0, JobSubmitted{with_workers_of(elastic_job("c", 0, 10, 100), 2)}));
  const PoolDecision& decision = scheduler.decide(at(0)).pools[0];

  for (const Capped& capped : decision.capped) {
    EXPECT_EQ(could_still_get(AfsL(), scheduler.state().pools()[0], decision, capped.job) > 0 &&
                  decision.allocation.gpus[capped.job] == 0,
              false);
  }
  scheduler.commit();
  EXPECT_GE(gpus_of(scheduler, "a") + gpus_of(scheduler, "b") + gpus_of(scheduler, "c"), 7);
}

// 6 GPUs for 600 s are 3600 GPU-seconds: queue 1. It waits from 600 s on, and is promoted after 8 * 600 s.
TEST(Capping, AJobThatIsLeftOutIsStillPromoted) {
  Scheduler scheduler(
      std::make_shared<Tiresias>(), builtin_placers().make("steady"), cluster({4, 4}));
  scheduler.observe(event(0, JobSubmitted{with_workers_of(rigid_job("wide", 0, 6, 1e6), 2)}));
  static_cast<void>(scheduler.decide(at(0)));
  scheduler.commit();
  scheduler.observe(event(600, NodeChanged{node("n0", 3)}));
  scheduler.observe(event(600, NodeChanged{node("n1", 3)}));
  const PoolDecision& dropped = scheduler.decide(at(600)).pools[0];
  ASSERT_EQ(dropped.capped.size(), 1U);
  EXPECT_EQ(dropped.capped[0].cap, 0);
  scheduler.commit();
  EXPECT_EQ(gpus_of(scheduler, "wide"), 0);
  EXPECT_EQ(scheduler.review_at(), at(5400));

  const JobIndex wide = slot_of(scheduler.state(), "wide");
  EXPECT_EQ(scheduler.decide(at(5400)).pools[0].allocation.resets, std::vector<JobIndex>{wide});
}

RC_GTEST_PROP(Capping, LeavesNoJobOutForWhichThereIsRoom, ()) {
  static const auto policies = policy_names();
  static constexpr std::array<const char*, 3> placers{"steady", "repack", "spread"};
  const auto& policy_name = *rc::gen::elementOf(policies);
  const std::shared_ptr<const Allocator> allocator = policy(policy_name);
  std::vector<GpuCount> nodes;
  for (int i = between(1, 4); i > 0; --i)
    nodes.push_back(between(1, 9));
  Scheduler scheduler(allocator,
                      builtin_placers().make(placers.at(static_cast<std::size_t>(between(0, 2)))),
                      cluster(nodes));
  std::vector<std::string> jobs;
  for (int step = 0; step < 6; ++step) {
    if (!jobs.empty() && between(0, 3) == 0) {
      scheduler.observe(event(step, JobFinished{.job = {jobs.back()}}));
      jobs.pop_back();
    }
    const int per_worker = between(1, 5);
    jobs.push_back(std::string("j") + std::to_string(step));
    Job job = elastic_job(jobs.back(), step, per_worker * between(1, 6), between(1, 1000));
    job.spec.min_gpus = between(1, 2) == 1 ? 1 : job.spec.max_gpus;
    scheduler.observe(event(step, JobSubmitted{.job = with_workers_of(job, per_worker)}));
    const PoolDecision& decision = scheduler.decide(at(step)).pools[0];
    for (const Capped& capped : decision.capped) {
      if (decision.allocation.gpus[capped.job] > 0)
        continue;
      RC_LOG() << policy_name << " step " << step << " job " << position(capped.job) << "\n";
      RC_ASSERT(could_still_get(*allocator, scheduler.state().pools()[0], decision, capped.job) ==
                0);
    }
    scheduler.commit();
  }
}

}  // namespace capping_test

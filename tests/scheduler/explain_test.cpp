#include "voda/scheduler/explain.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/policies.hpp"
#include "support/scheduler_builders.hpp"
#include "voda/allocators/elastic_fifo.hpp"
#include "voda/allocators/fifo.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/policy/explanation_text.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace explain_test {

using namespace voda;
using namespace voda::test;

/// A scheduler with its policies, decided at 0 s.
struct Decided {
  Decided(std::shared_ptr<const Allocator> policy, const std::vector<GpuCount>& nodes)
      : allocator(std::move(policy)),
        placer(builtin_placers().make("steady")),
        scheduler(allocator, placer, cluster(nodes)) {}

  void submit(const Job& job) { scheduler.observe(event(0, JobSubmitted{job})); }

  [[nodiscard]] std::string size(const std::string& id) {
    const PoolDecision& decision = scheduler.decide(at(0)).pools[0];
    const PoolState& pool = scheduler.state().pools()[0];
    return to_text(explain_size(*allocator, pool, decision, at(0), slot(id)), pool.jobs());
  }

  [[nodiscard]] std::string place(const std::string& id) {
    const PoolDecision& decision = scheduler.decide(at(0)).pools[0];
    const PoolState& pool = scheduler.state().pools()[0];
    const auto found = explain_place(*placer, pool, decision, slot(id));
    return found ? to_text(*found, pool.jobs()) : "no place";
  }

  [[nodiscard]] JobIndex slot(const std::string& id) const {
    return scheduler.state().find({id}).value().job;
  }

  std::shared_ptr<const Allocator> allocator{};
  std::shared_ptr<const Placer> placer{};
  Scheduler scheduler;
};

// Workers of 3 leave one GPU free on each node; c needs two on one.
TEST(SchedulerExplains, AJobThatCouldNotBePlaced) {
  Decided decided(std::make_shared<Fifo>(), {4, 4});
  decided.submit(with_workers_of(rigid_job("a", 0, 3, 100), 3));
  decided.submit(with_workers_of(rigid_job("b", 1, 3, 100), 3));
  decided.submit(with_workers_of(rigid_job("c", 2, 2, 100), 2));
  EXPECT_EQ(decided.size("c"),
            "job 'c' gets no GPUs\n"
            "  at most 0 GPUs could be placed: 2 were free, but split over nodes\n");
  EXPECT_EQ(decided.place("c"),
            "its place:\n"
            "  workers move where that saves nodes, at most 8 moves for one\n"
            "  needs room for 2 GPUs in workers of 2: 2 are free, but only 0 of them together\n"
            "  2 GPUs are free on 2 of the nodes that it may use, at most 1 on one\n"
            "with 1 more empty node of 4 GPUs it would be on 1 node\n"
            "without job 'a' it would be on 1 node\n");
}

TEST(SchedulerExplains, AJobThatWaitsHasNoPlace) {
  Decided decided(std::make_shared<Fifo>(), {4});
  decided.submit(rigid_job("a", 0, 4, 100));
  decided.submit(rigid_job("b", 1, 2, 100));
  EXPECT_THAT(decided.size("b"), testing::HasSubstr("needs 2 more GPUs, 0 were left"));
  EXPECT_EQ(decided.place("b"), "no place");
}

// 3 + 3 GPUs in workers of 2: 4 can be placed of the 6 that the policy would give.
TEST(SchedulerExplains, AJobThatIsSmallerForItsPlace) {
  Decided decided(std::make_shared<ElasticFifo>(), {3, 3});
  decided.submit(with_workers_of(elastic_job("a", 0, 6, 100), 2));
  const std::string text = decided.size("a");
  EXPECT_THAT(text, testing::StartsWith("job 'a' gets 4 GPUs"));
  EXPECT_THAT(
      text,
      testing::HasSubstr("at most 4 GPUs could be placed: 6 were free, but split over nodes"));
  EXPECT_THAT(text, testing::HasSubstr("has its maximum of 4 GPUs"));
}

// Every job of every policy is explained, whatever the caps did.
RC_GTEST_PROP(SchedulerExplains, EveryJob, ()) {
  const auto between = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
  static const auto policies = policy_names();
  const auto& name = *rc::gen::elementOf(policies);
  std::vector<GpuCount> nodes;
  for (int i = between(1, 4); i > 0; --i)
    nodes.push_back(between(1, 9));
  Decided decided(policy(name), nodes);
  const int jobs = between(1, 6);
  for (int i = 0; i < jobs; ++i) {
    const int per_worker = between(1, 4);
    Job job = elastic_job("j" + std::to_string(i), i, per_worker * between(1, 5), between(1, 999));
    decided.submit(with_workers_of(job, per_worker));
  }
  const Decision& decision = decided.scheduler.decide(at(0));
  const PoolState& pool = decided.scheduler.state().pools()[0];
  for (const JobIndex job : pool.arrival_order()) {
    const auto size = explain_size(
        *decided.allocator, pool, decision.pools[0], at(0), job, {.more_gpus = 4, .own_sizes = 4});
    RC_ASSERT(size.gpus == decision.pools[0].allocation.gpus[job]);
    RC_ASSERT(!size.reasons.empty());
    const auto place = explain_place(*decided.placer, pool, decision.pools[0], job);
    RC_ASSERT((size.gpus == 0 || (place && !place->reasons.empty())));
  }
}

}  // namespace explain_test

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/policies.hpp"
#include "support/scheduler_builders.hpp"
#include "support/test_size.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/simulator/simulator.hpp"
#include "voda/simulator/workload.hpp"

// Generated workloads under every policy; 51,000 jobs on 2,000 GPUs in a full run of the tests.

namespace large_run_test {

using namespace voda;
using namespace voda::test;

/// A policy without its session.
class WithoutSession final : public Allocator {
 public:
  explicit WithoutSession(std::shared_ptr<const Allocator> policy) : policy_(std::move(policy)) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override {
    return policy_->allocate(problem);
  }

 private:
  std::shared_ptr<const Allocator> policy_;
};

/// Integrates what each job does from the outside, without stalls and failures.
class Auditor final : public SimulationObserver {
 public:
  Auditor(const Trace& trace, std::int64_t capacity) : capacity_(capacity) {
    for (const Job& job : trace.jobs)
      accounts_.emplace(job.id, Account{.job = &job});
  }

  void allocation_changed(TimePoint at,
                          const JobId& id,
                          GpuCount gpus,
                          const WorkerMap& workers) override {
    Account& account = accounts_.at(id);
    account.work_s += account.job->speedup(account.gpus) * to_seconds(at - account.since);
    held_ += gpus - account.gpus;
    account.gpus = gpus;
    account.since = at;
    std::int64_t placed = 0;
    for (const auto& [node, count] : workers)
      placed += count;
    EXPECT_TRUE(workers.empty() || placed == gpus) << id.value;
  }

  void job_ended(const JobOutcome& outcome) override {
    const Account& account = accounts_.at(outcome.id);
    // Ends are rounded up to whole microseconds.
    const double rounding_s =
        2e-6 * account.job->speedup(account.job->spec.max_gpus) + 1e-9 * outcome.work_s;
    EXPECT_NEAR(account.work_s, outcome.work_s, rounding_s + 1e-6) << outcome.id.value;
  }

  [[nodiscard]] bool advanced(const SimulationProgress&, Scheduler&) override {
    EXPECT_LE(held_, capacity_);
    return true;
  }

 private:
  struct Account {
    const Job* job = nullptr;
    GpuCount gpus = 0;
    TimePoint since{};
    double work_s = 0;
  };

  std::int64_t capacity_ = 0;
  std::int64_t held_ = 0;
  std::map<JobId, Account> accounts_{};
};

/// Philly-like arrivals for nodes of 8 GPUs.
struct Workload {
  Trace trace{};
  SimulationOptions options{};

  Workload(const std::string& policy, int jobs, int node_count) {
    const int gpus = 8 * node_count;
    trace = generate_workload({.jobs = jobs, .gpus = gpus, .load = 0.9, .seed = 1});
    options.allocator = builtin_allocators().make(policy);
    for (int i = 0; i < node_count; ++i)
      options.nodes.push_back(node("n" + std::to_string(1000 + i), 8));
  }
};

class LargeRun : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Policies,
                         LargeRun,
                         testing::ValuesIn(voda::test::policy_names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(LargeRun, EveryJobDoesItsWorkAndEnds) {
  const Workload workload(GetParam(), cases(1000, 51000), cases(16, 250));
  Auditor auditor(workload.trace, std::int64_t{8} * cases(16, 250));

  const auto result = simulate(workload.trace, workload.options, &auditor);

  EXPECT_EQ(result.summary.finished, cases(1000, 51000));
  EXPECT_GT(result.summary.utilization_held, 0.3);
  EXPECT_LE(result.summary.utilization_held, 1);
}

TEST_P(LargeRun, EveryJobDoesItsWorkAndEndsWhenPlaced) {
  Workload workload(GetParam(), cases(400, 4000), cases(16, 250));
  workload.options.placer = builtin_placers().make("steady");
  Auditor auditor(workload.trace, std::int64_t{8} * cases(16, 250));

  EXPECT_EQ(simulate(workload.trace, workload.options, &auditor).summary.finished,
            cases(400, 4000));
}

TEST_P(LargeRun, SessionsChangeNothing) {
  Workload workload(GetParam(), cases(600, 6000), cases(16, 250));
  const auto with = simulate(workload.trace, workload.options);
  workload.options.allocator = std::make_shared<WithoutSession>(workload.options.allocator);
  const auto without = simulate(workload.trace, workload.options);

  ASSERT_EQ(with.outcomes.size(), without.outcomes.size());
  for (std::size_t i = 0; i < with.outcomes.size(); ++i) {
    const JobOutcome& a = with.outcomes[i];
    const JobOutcome& b = without.outcomes[i];
    ASSERT_EQ(a.id, b.id);
    ASSERT_EQ(a.finished, b.finished) << a.id.value;
    ASSERT_EQ(a.gpu_time.gpu_microseconds, b.gpu_time.gpu_microseconds) << a.id.value;
    ASSERT_EQ(a.starts, b.starts) << a.id.value;
    ASSERT_EQ(a.resizes, b.resizes) << a.id.value;
  }
}

}  // namespace large_run_test

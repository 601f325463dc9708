#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/heap_counter.hpp"
#include "support/policies.hpp"
#include "support/random_problems.hpp"
#include "voda/solvers/knapsack.hpp"

// What a session asks of the heap once it has seen its jobs: the number of requests must not grow with jobs or steps.

namespace session_test {

using voda::AllocationProblem;
using voda::GpuCount;
using voda::JobColumns;
using voda::JobIndex;
using voda::test::AllocationCase;
using voda::test::AskingJob;
using voda::test::heap_requests;
using voda::test::policy;
using voda::test::problem_of;
using voda::test::RandomProblems;

/// How the curves of the jobs look.
enum class Curves : std::uint8_t { concave, wavy };

/// Jobs that want up to 16 GPUs, at least 1 or 2, with a curve of their own.
AllocationCase jobs_on_gpus(int jobs, Curves curves) {
  RandomProblems random(7);
  AllocationCase from{.gpus = 4 * jobs};
  for (int i = 0; i < jobs; ++i) {
    AskingJob job{.id = "j" + std::to_string(i), .submitted_s = random.between(0, 300) * 10.0};
    job.min = curves == Curves::wavy ? random.between(1, 2) : 1;
    job.requested = random.between(job.min, 4);
    job.max = 16;
    job.work_s = random.between(1, 400) * 25.0;
    const double slowdown = random.between(1, 1000) / 2000.0;
    for (GpuCount n = 1; n <= 16; ++n) {
      const double wave = curves == Curves::wavy ? random.between(8, 12) / 10.0 : 1.0;
      job.speedup[n] = n / (1 + slowdown * (n - 1)) * wave;
    }
    job.current = random.chance(2) ? job.requested : 0;
    job.service_s = random.between(0, 8) * 900.0;
    job.executed_s = job.service_s / job.requested;
    if (job.service_s > 0)
      job.last_started_s = random.between(0, 500) * 10.0;
    from.jobs.push_back(job);
  }
  return from;
}

/// The same problem with other capacities and amounts of work.
std::vector<AllocationProblem> variants(int jobs, Curves curves) {
  const AllocationProblem base = problem_of(jobs_on_gpus(jobs, curves));
  std::vector<AllocationProblem> result;
  for (int i = 0; i < 4; ++i) {
    auto columns = std::make_shared<JobColumns>(*base.columns);
    for (const JobIndex job : *base.arrival_order)
      columns->work[job].left_s *=
          1 + static_cast<double>((position(job) + static_cast<std::size_t>(i)) % 4);
    AllocationProblem changed = base;
    changed.columns = columns;
    changed.capacity = base.capacity - i * jobs / 2;
    result.push_back(changed);
  }
  return result;
}

/// The most heap requests of one decision after each problem was decided before.
std::int64_t most_requests(const std::string& name, int jobs, Curves curves) {
  const auto problems = variants(jobs, curves);
  const auto session = policy(name)->session();
  std::int64_t most = 0;
  for (int round = 0; round < 3; ++round) {
    most = 0;
    for (const AllocationProblem& problem : problems) {
      const std::int64_t before = heap_requests();
      static_cast<void>(session->update(problem, {}));
      most = std::max<std::int64_t>(most, heap_requests() - before);
    }
  }
  return most;
}

class SessionAllocations : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Policies,
                         SessionAllocations,
                         testing::ValuesIn(voda::test::policy_names()),
                         [](const auto& tested) { return tested.param; });

TEST_P(SessionAllocations, AreFewAfterWarmUp) {
  constexpr std::int64_t few = 4;
  for (const int jobs : {50, 1000}) {
    EXPECT_LE(most_requests(GetParam(), jobs, Curves::concave), few) << jobs << " concave";
    EXPECT_LE(most_requests(GetParam(), jobs, Curves::wavy), few) << jobs << " wavy";
  }
}

/// A problem without an answer in between gives no memory back.
TEST(KnapsackAllocations, AreNoneAfterWarmUp) {
  using voda::solvers::KnapsackOption;
  const std::vector<int> class_begin{0, 2, 4};
  const std::vector<KnapsackOption> options{{.cost = 1, .gain = 1},
                                            {.cost = 2, .gain = 3},
                                            {.cost = 1, .gain = 2},
                                            {.cost = 3, .gain = 4}};
  voda::solvers::KnapsackSolver solver;
  for (const std::int32_t capacity : {4, 4, 1})
    static_cast<void>(solver.solve(class_begin, options, capacity));
  const std::int64_t before = heap_requests();
  const auto& result = solver.solve(class_begin, options, 4);
  EXPECT_EQ(heap_requests() - before, 0);
  EXPECT_EQ(result.gain, 5);
}

}  // namespace session_test

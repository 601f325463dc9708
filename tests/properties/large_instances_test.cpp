#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "peers/afs_l.hpp"
#include "peers/elastic_tiresias.hpp"
#include "peers/round_robin.hpp"
#include "support/allocation_builders.hpp"
#include "support/policies.hpp"
#include "support/random_problems.hpp"

// AFS-L and Elastic-Tiresias keep what they can between steps, and Elastic-FIFO takes many at once. Here they are compared,
// on 1,000 jobs, with the sentences of policies.md transcribed without any of that.

namespace large_instances_test {

using voda::AllocationProblem;
using voda::GpuCount;
using voda::peers::AfsL;
using voda::peers::ElasticTiresias;
using voda::test::AllocationCase;
using voda::test::AskingJob;
using voda::test::problem_of;
using voda::test::RandomProblems;

/// 1,000 jobs on 2,000 GPUs that ask for 1 to 4, at least 1 or 2; half of the curves have one of
/// three shapes, so that ties occur.
AllocationCase large_case(std::uint64_t seed) {
  RandomProblems random(seed);
  AllocationCase from{.gpus = 2000};
  for (int i = 0; i < 1000; ++i) {
    AskingJob job{.id = "j" + std::to_string(i), .submitted_s = random.between(0, 300) * 10.0};
    job.min = random.between(1, 2);
    job.requested = random.between(job.min, 4);
    job.max = random.between(job.requested, 16);
    if (random.chance(6))
      job.sizes.kind = voda::SizeRule::Kind::powers_of_two;
    job.work_s = random.between(1, 400) * 25.0;
    const double slowdown =
        random.chance(2) ? random.between(0, 2) / 4.0 : random.between(0, 1000) / 2000.0;
    const bool is_wavy = random.chance(3);
    for (GpuCount n = 1; n <= 16 && !random.chance(50); ++n) {
      job.speedup[n] =
          n / (1 + slowdown * (n - 1)) * (is_wavy ? random.between(8, 12) / 10.0 : 1.0);
    }
    if (random.chance(2))
      job.current = job.requested;
    job.service_s = random.between(0, 8) * 900.0;
    job.executed_s = job.service_s / job.requested;
    if (job.service_s > 0)
      job.last_started_s = random.between(0, 500) * 10.0;
    from.jobs.push_back(job);
  }
  return from;
}

TEST(AfsLLarge, IsTheFold) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const AllocationProblem problem = problem_of(large_case(seed));

    const auto decision = voda::test::policy("afs_l")->allocate(problem);

    EXPECT_EQ(decision.gpus, AfsL(problem).run()) << "seed " << seed;
  }
}

TEST(ElasticTiresiasLarge, IsTheThreeSteps) {
  for (const std::uint64_t seed : {1U, 2U}) {
    const AllocationProblem problem = problem_of(large_case(seed));
    ElasticTiresias steps(problem, 0);

    const auto decision = voda::test::policy("elastic_tiresias:knob=0")->allocate(problem);

    EXPECT_EQ(decision.gpus, steps.run(10)) << "seed " << seed;
    EXPECT_GT(steps.shrunk(), 0) << "seed "
                                 << seed;  // otherwise the case says nothing about compaction
  }
}

TEST(ElasticTiresiasLarge, ExpandsManyJobs) {
  AllocationCase roomy = large_case(3);
  roomy.gpus = 4000;
  const AllocationProblem problem = problem_of(roomy);
  ElasticTiresias steps(problem, 0);

  const auto decision = voda::test::policy("elastic_tiresias:knob=0")->allocate(problem);

  EXPECT_EQ(decision.gpus, steps.run(10));
  EXPECT_EQ(steps.shrunk(), 0);
}

/// The large case with concave curves, of which a few are shared, on GPUs for about half of what they want.
AllocationCase concave_case(std::uint64_t seed, int curves) {
  RandomProblems random(seed);
  AllocationCase from = large_case(seed);
  from.gpus = 6000;
  for (AskingJob& job : from.jobs) {
    job.sizes = {};
    const double slowdown = random.between(0, curves) / (2.0 * curves);
    job.speedup.clear();
    for (GpuCount n = 1; n <= 16; ++n)
      job.speedup[n] = n / (1 + slowdown * (n - 1));
  }
  return from;
}

TEST(ElasticTiresiasLarge, ExpandsAlongConcaveCurves) {
  for (const int curves : {3, 100'000}) {
    const AllocationProblem problem = problem_of(concave_case(4, curves));
    ElasticTiresias steps(problem, 0);

    const auto decision = voda::test::policy("elastic_tiresias:knob=0")->allocate(problem);

    EXPECT_EQ(decision.gpus, steps.run(10)) << curves << " curves";
  }
}

TEST(ElasticFifoLarge, IsOneStepPerJobAndPass) {
  const auto ours = voda::test::policy("elastic_fifo");
  for (const GpuCount step : {0, 1, 2, 3}) {
    for (const GpuCount gpus : {1500, 4000, 8000, 100'000}) {
      AllocationCase from = large_case(5);  // a third of the curves dips
      from.gpus = gpus;
      for (AskingJob& job : from.jobs) {
        if (step > 0)
          job.sizes = {.kind = voda::SizeRule::Kind::step, .step = step};
      }
      const AllocationProblem problem = problem_of(from);

      EXPECT_EQ(ours->allocate(problem).gpus, voda::peers::elastic_fifo(problem))
          << "step " << step << ", " << gpus << " GPUs";
    }
  }
}

// Far beyond the part of a curve that is tabulated, where its rise is not known in advance.
TEST(ElasticFifoLarge, GrowsBeyondTheTable) {
  for (const GpuCount max : {1024, 1025, 3000}) {
    AllocationCase from{.gpus = 5000};
    for (const char* id : {"a", "b", "c"}) {
      from.jobs.push_back({.id = id, .max = max, .speedup = {{1, 1}, {3000, 2000}}});
    }
    from.jobs.push_back({.id = "d", .max = max, .speedup = {{1, 1}, {2000, 1000}, {2500, 900}}});
    const AllocationProblem problem = problem_of(from);

    EXPECT_EQ(voda::test::policy("elastic_fifo")->allocate(problem).gpus,
              voda::peers::elastic_fifo(problem))
        << max;
  }
}

}  // namespace large_instances_test

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "instances/allocation.hpp"
#include "support/policies.hpp"

// Bounds on what policies look at one by one, on the random inputs of the benchmarks and on those that are meant to hurt.
// J jobs and K GPUs: the published algorithms look at J * K and more.

namespace effort_test {

using voda::bench::allocation_problem;
using voda::bench::Demand;
using voda::test::policy;

struct Size {
  std::int64_t jobs = 0;
  std::int64_t gpus = 0;
};

class Effort : public testing::TestWithParam<Size> {
 protected:
  /// Checks that no kind of input takes more than `most`.
  static void expect_at_most(std::int64_t most, const std::string& name) {
    const auto [jobs, gpus] = GetParam();
    const auto allocator = policy(name);
    const auto effort = [&](Demand demand) {
      return allocator->allocate(allocation_problem(demand, jobs, gpus)).effort;
    };
    EXPECT_LE(effort(Demand::concave), most) << name;
    for (const auto& hard : voda::bench::hard_demands)
      EXPECT_LE(effort(hard.demand), most) << name << " " << hard.name;
  }
};

INSTANTIATE_TEST_SUITE_P(Sizes,
                         Effort,
                         testing::Values(Size{100, 1000}, Size{1000, 1000}, Size{1000, 10'000}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.jobs) + "_jobs_" +
                                  std::to_string(tested.param.gpus) + "_gpus";
                         });

TEST_P(Effort, ElasticFifoAndSrjfCountRoundsInsteadOfSteps) {
  // A handful of estimates of the number of full rounds, and the pass after them.
  expect_at_most(8 * GetParam().jobs, "elastic_fifo");
  expect_at_most(8 * GetParam().jobs, "elastic_srjf");
}

TEST_P(Effort, ElasticTiresiasLooksAtAFewStepsPerGpu) {
  expect_at_most(8 * (GetParam().jobs + GetParam().gpus), "elastic_tiresias");
}

TEST_P(Effort, FfdlLooksAtAFewStepsPerGpu) {
  expect_at_most(8 * (GetParam().jobs + GetParam().gpus), "ffdl");
}

TEST_P(Effort, AfsLComparesTwoBlocksPerStep) {
  expect_at_most(128 * (GetParam().jobs + GetParam().gpus), "afs_l");
}

TEST(ElasticFifoEffort, AMillionGpusForOneJobAreOneDivision) {
  const auto problem = allocation_problem(Demand::one_huge, 10, 1'000'000);
  EXPECT_LE(policy("elastic_fifo")->allocate(problem).effort, 80);
  EXPECT_LE(policy("elastic_tiresias")->allocate(problem).effort, 8000);
}

}  // namespace effort_test

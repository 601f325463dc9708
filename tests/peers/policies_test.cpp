#include "support/policies.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "peers/afs_l.hpp"
#include "peers/elastic_tiresias.hpp"
#include "peers/ffdl.hpp"
#include "peers/rigid.hpp"
#include "peers/round_robin.hpp"
#include "support/allocation_builders.hpp"
#include "support/case_text.hpp"
#include "support/random_problems.hpp"
#include "support/test_size.hpp"

// The published algorithms that the benchmarks show beside ours (bench/peers) give the same answers.

namespace policies_test {

using voda::Allocation;
using voda::AllocationProblem;
using voda::GpuCount;
using voda::JobIndex;
using voda::test::AllocationCase;
using voda::test::RandomProblems;

struct Published {
  std::string policy{};
  std::function<Allocation(const AllocationProblem&)> allocate{};
};

std::ostream& operator<<(std::ostream& out, const Published& published) {
  return out << published.policy;
}

class Peer : public testing::TestWithParam<Published> {};

TEST_P(Peer, AgreesJobByJob) {
  RandomProblems random(1955);
  const int count = voda::test::cases(1000, 20000);
  const auto ours = voda::test::policy(GetParam().policy);

  for (int i = 0; i < count && !HasFailure(); ++i) {
    const AllocationCase from = random.draw();
    SCOPED_TRACE("case " + std::to_string(i) + "\n" + case_text(from));
    const AllocationProblem problem = problem_of(from);

    EXPECT_EQ(GetParam().allocate(problem), ours->allocate(problem).gpus);
  }
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         Peer,
                         testing::Values(Published{"fifo", voda::peers::fifo},
                                         Published{"srjf", voda::peers::srjf},
                                         Published{"tiresias", voda::peers::tiresias},
                                         Published{"elastic_fifo", voda::peers::elastic_fifo},
                                         Published{"elastic_srjf", voda::peers::elastic_srjf},
                                         Published{"elastic_tiresias",
                                                   voda::peers::elastic_tiresias},
                                         Published{"afs_l", voda::peers::afs_l}),
                         [](const auto& tested) { return tested.param.policy; });

/// Total speed in units of 2^-24, and GPUs.
struct Worth {
  std::int64_t units = 0;
  std::int64_t gpus = 0;
  bool operator==(const Worth&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Worth& worth) {
  return out << worth.units << " units on " << worth.gpus << " GPUs";
}

Worth worth_of(const AllocationProblem& problem, const Allocation& gpus) {
  Worth worth;
  for (const JobIndex job : *problem.arrival_order) {
    worth.units += problem.columns->speedup[job].units(gpus[job]);
    worth.gpus += gpus[job];
  }
  return worth;
}

/// FfDL: the specification leaves ties between equally good answers open.
TEST(PeerFfdl, IsAsGood) {
  RandomProblems random(1956);
  const int count = voda::test::cases(1000, 20000);
  const auto ours = voda::test::policy("ffdl");

  for (int i = 0; i < count && !HasFailure(); ++i) {
    const AllocationCase from = random.draw();
    SCOPED_TRACE("case " + std::to_string(i) + "\n" + case_text(from));
    const AllocationProblem problem = problem_of(from);

    EXPECT_EQ(worth_of(problem, voda::peers::ffdl(problem)),
              worth_of(problem, ours->allocate(problem).gpus));
  }
}

}  // namespace policies_test

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reference/naive_policies.hpp"
#include "support/allocation_builders.hpp"
#include "support/case_text.hpp"
#include "support/naive_problem.hpp"
#include "support/policies.hpp"
#include "support/random_problems.hpp"
#include "support/test_size.hpp"
#include "voda/policy/validate.hpp"

// Every policy against a second implementation that was written from the specification alone
// (tests/reference), job by job, on random problems full of ties.

namespace reference_test {

using voda::AllocationDecision;
using voda::AllocationProblem;
using voda::test::AllocationCase;
using voda::test::case_text;
using voda::test::cases;
using voda::test::gpus_by_id;
using voda::test::GpusById;
using voda::test::naive_problem;
using voda::test::problem_of;
using voda::test::RandomProblems;

/// How a policy is written, and how many of its random problems run.
struct Compared {
  std::string name{};
  std::vector<std::string> written{};  // option strings, tried in turn
};

std::ostream& operator<<(std::ostream& out, const Compared& compared) {
  return out << compared.name;
}

class Reference : public testing::TestWithParam<Compared> {};

[[nodiscard]] std::optional<std::int64_t> review_us(const AllocationDecision& decision) {
  if (!decision.review_at)
    return std::nullopt;
  return decision.review_at->time_since_epoch().count();
}

[[nodiscard]] GpusById gpus_by_id(const naive::Problem& problem, const std::vector<int>& gpus) {
  GpusById result;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i)
    result[problem.jobs[i].id] = gpus[i];
  return result;
}

/// Counts in the order of the case.
[[nodiscard]] std::vector<int> counts(const AllocationCase& from, const GpusById& gpus) {
  std::vector<int> result;
  for (const auto& job : from.jobs)
    result.push_back(gpus.at(job.id));
  return result;
}

[[nodiscard]] std::set<std::string> holders(const GpusById& gpus) {
  std::set<std::string> result;
  for (const auto& [id, count] : gpus) {
    if (count > 0)
      result.insert(id);
  }
  return result;
}

[[nodiscard]] int sum(const GpusById& gpus) {
  int result = 0;
  for (const auto& [id, count] : gpus)
    result += count;
  return result;
}

/// FfDL: the specification fixes the total speed, the total of GPUs and who is admitted; the rest
/// of a tie is free.
void expect_as_good(const AllocationCase& from,
                    const naive::Problem& problem,
                    const GpusById& ours,
                    const GpusById& naive_gpus) {
  EXPECT_EQ(naive::total_speed_units(problem, counts(from, ours)),
            naive::total_speed_units(problem, counts(from, naive_gpus)));
  EXPECT_EQ(sum(ours), sum(naive_gpus));
  EXPECT_EQ(holders(ours), holders(naive_gpus));
}

void compare(const std::string& policy, const AllocationCase& from) {
  const AllocationProblem problem = problem_of(from);
  const naive::Problem to_naive = naive_problem(from);

  const AllocationDecision decision = voda::test::policy(policy)->allocate(problem);
  const naive::Answer answer = naive::allocate(policy, to_naive);

  EXPECT_NO_THROW(validate(problem, decision));
  const GpusById ours = gpus_by_id(problem, decision);
  const GpusById expected = gpus_by_id(to_naive, answer.gpus);
  if (policy == "ffdl") {
    expect_as_good(from, to_naive, ours, expected);
  } else {
    EXPECT_EQ(ours, expected);
  }
  EXPECT_EQ(review_us(decision), answer.review_at_us);
  EXPECT_EQ(voda::test::reset_ids(problem, decision), answer.resets);
}

TEST_P(Reference, AgreesJobByJob) {
  const Compared& compared = GetParam();
  RandomProblems random(2026);
  const int count = cases(400, 10000);

  for (int i = 0; i < count && !HasFailure(); ++i) {
    const std::string& policy =
        compared.written[static_cast<std::size_t>(i) % compared.written.size()];
    const AllocationCase from = random.draw();
    SCOPED_TRACE(policy + ", case " + std::to_string(i) + "\n" + case_text(from));
    compare(policy, from);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Policies,
    Reference,
    testing::Values(
        Compared{"fifo",
                 {"fifo",
                  "fifo:blocked=wait",
                  "fifo:preempt=true",
                  "fifo:blocked=wait,preempt=true",
                  "fifo:size=minimum",
                  "fifo:size=minimum,blocked=wait",
                  "fifo:size=minimum,blocked=skip,preempt=true"}},
        Compared{"elastic_fifo",
                 {"elastic_fifo", "elastic_fifo:grow=greedy", "elastic_fifo:grow=in_order"}},
        Compared{
            "srjf",
            {"srjf", "srjf:rank=gpu_time", "srjf:size=minimum", "srjf:rank=gpu_time,size=minimum"}},
        Compared{"elastic_srjf",
                 {"elastic_srjf",
                  "elastic_srjf:grow=greedy",
                  "elastic_srjf:grow=in_order",
                  "elastic_srjf:rank=time",
                  "elastic_srjf:rank=gpu_time,grow=greedy",
                  "elastic_srjf:grow=in_order,rank=time"}},
        Compared{"tiresias",
                 {"tiresias",
                  "tiresias:knob=0",
                  "tiresias:thresholds=1000/5000",
                  "tiresias:thresholds=1000/3600/5000,knob=0.5",
                  "tiresias:thresholds=0,knob=1",
                  "tiresias:thresholds=1000/5000,knob=17.3"}},
        Compared{"elastic_tiresias",
                 {"elastic_tiresias",
                  "elastic_tiresias:compact_above=0",
                  "elastic_tiresias:compact_above=1,thresholds=1000/5000",
                  "elastic_tiresias:compact_above=0,thresholds=0",
                  "elastic_tiresias:compact_above=3,knob=0.5",
                  "elastic_tiresias:compact_above=1000,knob=0"}},
        Compared{"ffdl", {"ffdl"}},
        Compared{"afs_l", {"afs_l"}}),
    [](const auto& tested) { return tested.param.name; });

/// The best total speed of the admitted jobs, and the fewest GPUs that reach it, over all choices
/// of sizes.
struct BruteForce {
  std::int64_t units = -1;
  int gpus = 0;

  void try_all(const std::vector<naive::Job>& admitted,
               std::size_t at,
               int capacity,
               int used,
               std::int64_t total) {
    if (at == admitted.size()) {
      if (total > units || (total == units && used < gpus)) {
        units = total;
        gpus = used;
      }
      return;
    }
    for (const int size : naive::allowed_sizes(admitted[at])) {
      if (used + size > capacity)
        return;
      const auto speed = static_cast<std::int64_t>(naive::speed(admitted[at], size) * 0x1p24);
      try_all(admitted, at + 1, capacity, used + size, total + speed);
    }
  }
};

TEST(FfdlBruteForce, NoChoiceOfSizesIsBetter) {
  RandomProblems random(7);
  const int count = cases(300, 5000);
  for (int i = 0; i < count && !HasFailure(); ++i) {
    const AllocationCase from = random.draw(5, 9);
    if (from.jobs.size() > 5)
      continue;
    SCOPED_TRACE(case_text(from));
    const AllocationProblem problem = problem_of(from);
    const naive::Problem to_naive = naive_problem(from);

    const GpusById ours = gpus_by_id(problem, voda::test::policy("ffdl")->allocate(problem));

    std::vector<naive::Job> admitted;
    for (const naive::Job& job : to_naive.jobs) {
      if (ours.at(job.id) > 0)
        admitted.push_back(job);
    }
    BruteForce best;
    best.try_all(admitted, 0, from.gpus, 0, 0);
    EXPECT_EQ(naive::total_speed_units(to_naive, counts(from, ours)), best.units);
    EXPECT_EQ(sum(ours), best.gpus);
  }
}

}  // namespace reference_test

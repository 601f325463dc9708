#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/case_text.hpp"
#include "support/policies.hpp"
#include "support/random_problems.hpp"
#include "voda/policy/validate.hpp"

// What holds for every registered policy, whatever it is meant to optimise.

namespace allocator_properties_test {

using voda::Allocation;
using voda::AllocationDecision;
using voda::AllocationProblem;
using voda::Allocator;
using voda::GpuCount;
using voda::JobIndex;
using voda::test::AllocationCase;
using voda::test::gpus_by_id;
using voda::test::policy;
using voda::test::problem_of;
using voda::test::RandomProblems;

/// Every name of the registry, and a few more option strings.
std::vector<std::string> every_policy() {
  std::vector<std::string> result{"fifo:blocked=wait,preempt=true",
                                  "elastic_fifo:grow=greedy",
                                  "elastic_srjf:grow=in_order,rank=time",
                                  "tiresias:thresholds=1000/5000,knob=0.5",
                                  "elastic_tiresias:compact_above=0,thresholds=1000"};
  std::ranges::copy(voda::test::policy_names(), std::back_inserter(result));
  return result;
}

class EveryAllocator : public testing::TestWithParam<std::string> {
 protected:
  /// Checks `holds(case, random)` for random cases; rapidcheck draws the seed.
  template <class Holds>
  void for_all(Holds holds) {
    const bool is_true = rc::check([&] {
      RandomProblems random(*rc::gen::arbitrary<std::uint64_t>());
      const AllocationCase from = random.draw();
      RC_LOG() << voda::test::case_text(from);
      holds(from, random);
    });
    EXPECT_TRUE(is_true);
  }

  [[nodiscard]] static AllocationDecision answer(const AllocationProblem& problem) {
    return policy(GetParam())->allocate(problem);
  }
};

INSTANTIATE_TEST_SUITE_P(
    Policies, EveryAllocator, testing::ValuesIn(every_policy()), [](const auto& tested) {
      std::string name = tested.param;
      std::erase_if(name, [](char c) { return c == '.'; });
      std::ranges::replace_if(
          name, [](char c) { return std::string(":=,/-").find(c) != std::string::npos; }, '_');
      return name;
    });

/// What time does to a problem: some jobs progress, some are gone, the first comes again under another id.
AllocationCase later(AllocationCase from, RandomProblems& random) {
  for (auto& job : from.jobs) {
    if (random.chance(3))
      job.work_s = *job.work_s / 2 + 1;
    if (random.chance(3))
      job.current = job.current > 0 ? 0 : job.requested;
  }
  std::erase_if(from.jobs, [&random](const auto&) { return random.chance(8); });
  if (!from.jobs.empty() && random.chance(3)) {
    from.jobs.push_back(from.jobs.front());
    from.jobs.back().id += "again" + std::to_string(from.jobs.size());
  }
  from.gpus = std::max(0, from.gpus + random.between(-2, 2));
  return from;
}

TEST_P(EveryAllocator, ASessionAnswersAsAllocateDoes) {
  const auto allocator = policy(GetParam());
  for_all([&allocator](AllocationCase from, RandomProblems& random) {
    const auto session = allocator->session();
    for (int step = 0; step < 8; ++step) {
      const AllocationProblem problem = problem_of(from);
      const AllocationDecision expected = allocator->allocate(problem);
      const AllocationDecision& got = session->update(problem, *problem.arrival_order);
      RC_ASSERT(got.gpus == expected.gpus);
      RC_ASSERT(got.review_at == expected.review_at);
      RC_ASSERT(got.resets == expected.resets);
      from = random.chance(4) ? random.draw() : later(from, random);
    }
  });
}

// More curves than a session keeps: what it forgets it finds out again.
TEST_P(EveryAllocator, ASessionOutlivesItsCurves) {
  const auto allocator = policy(GetParam());
  const auto session = allocator->session();
  AllocationCase from{
      .gpus = 6,
      .jobs = {{.id = "a", .max = 4, .work_s = 100}, {.id = "b", .max = 4, .work_s = 90}}};
  for (int step = 1; step <= 6000; ++step) {
    const double speed = 1 + step / 6000.0;
    from.jobs[0].speedup = {{1, 1}, {2, speed}, {4, 2}};
    const AllocationProblem problem = problem_of(from);
    ASSERT_EQ(session->update(problem, *problem.arrival_order).gpus,
              allocator->allocate(problem).gpus)
        << step;
  }
}

TEST_P(EveryAllocator, KeepsItsContract) {
  for_all([](const AllocationCase& from, RandomProblems&) {
    const AllocationProblem problem = problem_of(from);
    const AllocationDecision decision = answer(problem);

    validate(problem, decision);  // sizes, capacity, review after now, resets of known jobs
    const auto resets = voda::test::reset_ids(problem, decision);
    RC_ASSERT(std::ranges::is_sorted(resets));
    RC_ASSERT(std::ranges::adjacent_find(resets) == resets.end());
  });
}

TEST_P(EveryAllocator, AnswersTheSameAgain) {
  for_all([](const AllocationCase& from, RandomProblems&) {
    const AllocationProblem problem = problem_of(from);
    const AllocationDecision first = answer(problem);
    const AllocationDecision second = answer(problem_of(from));

    RC_ASSERT(first.gpus == second.gpus);
    RC_ASSERT(first.review_at == second.review_at);
    RC_ASSERT(first.resets == second.resets);
  });
}

TEST_P(EveryAllocator, SlotsAndInputOrderDoNotMatter) {
  for_all([](const AllocationCase& from, RandomProblems& random) {
    AllocationCase shuffled = from;
    std::vector<std::size_t> slots;
    const auto count = static_cast<int>(from.jobs.size());
    const auto order = random.shuffled(count);
    const auto places = random.shuffled(count + 5);  // five slots stay free
    for (std::size_t i = 0; i < from.jobs.size(); ++i) {
      shuffled.jobs[i] = from.jobs[static_cast<std::size_t>(order[i])];
      slots.push_back(static_cast<std::size_t>(places[i]));
    }
    const AllocationProblem problem = problem_of(from);
    const AllocationProblem moved = problem_of(shuffled, slots);

    const AllocationDecision decision = answer(problem);
    const AllocationDecision moved_decision = answer(moved);

    RC_ASSERT(gpus_by_id(problem, decision) == gpus_by_id(moved, moved_decision));
    RC_ASSERT(decision.review_at == moved_decision.review_at);
    RC_ASSERT(voda::test::reset_ids(problem, decision) ==
              voda::test::reset_ids(moved, moved_decision));
  });
}

TEST_P(EveryAllocator, NoGpusGiveNothing) {
  for_all([](const AllocationCase& from, RandomProblems&) {
    AllocationCase none = from;
    none.gpus = 0;

    const AllocationDecision decision = answer(problem_of(none));

    RC_ASSERT(std::ranges::all_of(decision.gpus, [](GpuCount gpus) { return gpus == 0; }));
  });
}

TEST_P(EveryAllocator, NoJobsNeedNothing) {
  const AllocationDecision decision = answer(problem_of({.gpus = 8}));

  EXPECT_TRUE(decision.gpus.empty());
  EXPECT_FALSE(decision.review_at);
  EXPECT_TRUE(decision.resets.empty());
}

TEST_P(EveryAllocator, WhoTakesNoPartIsNotRead) {
  for_all([](const AllocationCase& from, RandomProblems& random) {
    AllocationCase part = from;
    std::vector<JobIndex> kept;
    part.jobs.clear();
    const AllocationProblem whole = problem_of(from);
    for (const JobIndex job : *whole.arrival_order) {
      if (random.chance(2))
        continue;
      kept.push_back(job);
      part.jobs.push_back(from.jobs[position(job)]);
    }
    AllocationProblem subset = whole;
    subset.arrival_order = std::make_shared<const std::vector<JobIndex>>(kept);
    const AllocationProblem alone = problem_of(part);

    const AllocationDecision decision = answer(subset);

    RC_ASSERT(gpus_by_id(subset, decision) == gpus_by_id(alone, answer(alone)));
    validate(subset, decision);
  });
}

/// True for policies that hand out the request as asked.
bool is_rigid(const std::string& written) {
  return written.starts_with("fifo") || written.starts_with("srjf") ||
         written.starts_with("tiresias");
}

/// The sizes that a policy hands out without asking whether they pay: r in Elastic-Tiresias, m in
/// FfDL.
GpuCount asked_size(const std::string& written, const AllocationProblem& problem, JobIndex job) {
  if (written.starts_with("elastic_tiresias"))
    return problem.columns->requested[job];
  return written.starts_with("ffdl") ? problem.columns->sizes[job].min : 0;
}

TEST_P(EveryAllocator, NoJobHoldsGpusThatBringNothing) {
  if (is_rigid(GetParam()))
    GTEST_SKIP() << "rigid: hands out the request as asked";
  for_all([](const AllocationCase& from, RandomProblems&) {
    const AllocationProblem problem = problem_of(from);
    const AllocationDecision decision = answer(problem);

    for (const JobIndex job : *problem.arrival_order) {
      const auto& sizes = problem.columns->sizes[job];
      const auto& speed = problem.columns->speedup[job];
      const GpuCount held = decision.gpus[job];
      GpuCount size = asked_size(GetParam(), problem, job);
      if (held <= size)
        continue;
      for (; size < held; size = next_size(sizes, size))
        RC_ASSERT(speed(size) < speed(held));
    }
  });
}

}  // namespace allocator_properties_test

#include "voda/policy/explain.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/allocation_builders.hpp"
#include "support/policies.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/model/error.hpp"
#include "voda/policy/explanation_text.hpp"

// Explanations worked out by hand. What holds for all of them is in tests/properties/explanation_properties_test.cpp.

namespace explain_test {

using testing::ElementsAre;
using voda::AllocationProblem;
using voda::Change;
using voda::ChangeKind;
using voda::Explanation;
using voda::JobIndex;
using voda::test::AllocationCase;
using voda::test::policy;
using voda::test::problem_of;

JobIndex job_named(const AllocationProblem& problem, const std::string& id) {
  for (const JobIndex job : *problem.arrival_order) {
    if (problem.columns->id[job].value == id)
      return job;
  }
  throw std::logic_error("no such job: " + id);
}

/// The explanation of one job under a policy with its options; options are tried for policies without any.
Explanation explained(const std::string& spec, const AllocationCase& from, const std::string& id) {
  const auto registry = voda::builtin_allocators();
  const AllocationProblem problem = problem_of(from);
  const auto allocator = policy(spec);
  const voda::NamedPolicy named{.entry = &registry.find(spec.substr(0, spec.find(':')))};
  return voda::explain_size(*allocator,
                            problem,
                            allocator->allocate(problem),
                            job_named(problem, id),
                            {},
                            spec.find(':') == std::string::npos ? &named : nullptr);
}

std::vector<std::string> reasons(const std::string& spec,
                                 const AllocationCase& from,
                                 const std::string& id) {
  const AllocationProblem problem = problem_of(from);
  std::vector<std::string> result;
  for (const auto& reason : explained(spec, from, id).reasons)
    result.push_back(voda::to_text(reason, *problem.columns));
  return result;
}

/// The changes that would help.
std::vector<std::string> changes(const std::string& spec,
                                 const AllocationCase& from,
                                 const std::string& id) {
  const AllocationProblem problem = problem_of(from);
  std::vector<std::string> result;
  for (const Change& change : explained(spec, from, id).changes) {
    if (change.gpus)
      result.push_back(voda::to_text(change, *problem.columns));
  }
  return result;
}

/// a and b take the 8 GPUs, c wants 6 of them.
AllocationCase three_jobs() {
  return {.gpus = 8,
          .jobs = {{.id = "a", .submitted_s = 1, .requested = 4, .max = 4, .work_s = 1000},
                   {.id = "b", .submitted_s = 2, .min = 2, .requested = 4, .max = 4, .work_s = 500},
                   {.id = "c",
                    .submitted_s = 3,
                    .min = 4,
                    .requested = 6,
                    .max = 6,
                    .work_s = 5000,
                    .service_s = 3600,
                    .executed_s = 600,
                    .waited_s = 100}}};
}

TEST(ExplainFifo, SaysWhatAWaitingJobLacksAndWhoHoldsIt) {
  EXPECT_THAT(reasons("fifo", three_jobs(), "c"), ElementsAre("needs 6 more GPUs, 0 were left"));
  const Explanation found = explained("fifo", three_jobs(), "c");
  EXPECT_EQ(found.rank, (voda::Rank{.place = 3, .of = 3}));
  EXPECT_EQ(found.holders,
            (std::vector<voda::Holder>{{.job = JobIndex{0}, .gpus = 4},
                                       {.job = JobIndex{1}, .gpus = 4}}));
  EXPECT_THAT(changes("fifo", three_jobs(), "c"),
              ElementsAre("with 6 more GPUs in the pool it would get 6 GPUs",
                          "with option size=minimum it would get 4 GPUs"));
}

TEST(ExplainFifo, NamesTheJobThatNobodyMayPass) {
  AllocationCase from = three_jobs();
  from.gpus = 5;
  from.jobs[2].min = from.jobs[2].requested = 1;
  EXPECT_THAT(reasons("fifo:blocked=wait", from, "c"),
              ElementsAre("waits behind job 'b', which does not fit and lets nobody pass"));
  EXPECT_THAT(changes("fifo:blocked=wait", from, "c"),
              testing::Contains("with 4 more GPUs in the pool it would get 1 GPU"));
  EXPECT_THAT(reasons("fifo:blocked=wait", from, "b"),
              ElementsAre("needs 4 more GPUs, 1 was left"));
}

TEST(ExplainFifo, SaysThatARunningJobComesFirst) {
  AllocationCase from = three_jobs();
  from.jobs[2].current = 6;
  EXPECT_THAT(reasons("fifo", from, "c"),
              ElementsAre("runs, and jobs that run are served before those that wait",
                          "got 6 GPUs when 8 were free at its turn",
                          "gets 6 GPUs or none under this policy"));
}

// Minimums 1 + 2 + 4; the last GPU goes to a, so that b would need one more.
TEST(ExplainElasticFifo, TellsStartGrowthAndBound) {
  EXPECT_THAT(reasons("elastic_fifo", three_jobs(), "a"),
              ElementsAre("got 1 GPU when 8 were free at its turn",
                          "grew from 1 to 2 GPUs, 1 faster per GPU",
                          "needs 1 more GPU, 0 were left"));
  EXPECT_THAT(
      reasons("elastic_fifo", three_jobs(), "b"),
      ElementsAre("got 2 GPUs when 7 were free at its turn", "needs 1 more GPU, 0 were left"));
  EXPECT_THAT(changes("elastic_fifo", three_jobs(), "b"),
              testing::Contains("with 1 more GPU in the pool it would get 3 GPUs"));
}

TEST(ExplainElasticFifo, KnowsMaximumDeadEndAndDip) {
  AllocationCase from{.gpus = 9,
                      .jobs = {{.id = "full", .max = 2, .speedup = {{1, 1}, {2, 2}}},
                               {.id = "dip", .max = 3, .speedup = {{1, 1}, {2, 1}, {3, 5}}},
                               {.id = "step", .max = 4, .sizes = {voda::SizeRule::Kind::step, 2}},
                               {.id = "stuck", .max = 2, .speedup = {{1, 0x1p-24}, {9, 0x1p-24}}},
                               {.id = "wide", .min = 10, .requested = 10, .max = 10}}};
  EXPECT_EQ(reasons("elastic_fifo", from, "full").back(), "has its maximum of 2 GPUs");
  EXPECT_EQ(reasons("elastic_fifo", from, "dip").back(),
            "would be no faster with 2 GPUs than with 1");
  EXPECT_EQ(reasons("elastic_fifo", from, "step").back(),
            "has 3 GPUs, the largest size it allows up to its maximum of 4");
  EXPECT_EQ(reasons("elastic_fifo", from, "wide").back(),
            "needs 10 GPUs, more than the 9 of the pool");
  EXPECT_EQ(reasons("elastic_fifo:grow=in_order", from, "dip"),
            (std::vector<std::string>{
                "got 3 GPUs, its fastest size within the 9 that were free at its turn",
                "has its maximum of 3 GPUs"}));
}

TEST(ExplainSrjf, GivesTheKeyOfTheOrder) {
  const Explanation found = explained("srjf", three_jobs(), "a");
  EXPECT_EQ(found.rank, (voda::Rank{.place = 2, .of = 3}));
  ASSERT_FALSE(found.keys.empty());
  EXPECT_EQ(found.keys[0], (voda::Fact{"remaining_s", 250.0}));
  EXPECT_EQ(explained("srjf:rank=gpu_time", three_jobs(), "a").keys[0],
            (voda::Fact{"remaining_gpu_s", 1000.0}));
  EXPECT_EQ(explained("elastic_srjf", three_jobs(), "a").keys[0], (voda::Fact{"work_s", 1000.0}));
}

// 3,600 GPU-seconds: queue 1. Promoted after 8 x 600 s of waiting, of which 100 are over at 5,000 s.
TEST(ExplainTiresias, TellsQueueAndPromotion) {
  EXPECT_THAT(reasons("tiresias", three_jobs(), "c"),
              ElementsAre("is in queue 1 after 3600 GPU-seconds of service",
                          "is promoted to the first queue at 9700 s unless it starts before",
                          "needs 6 more GPUs, 0 were left"));
}

// a and b would be in queue 1 too by then (4 GPUs for 4,700 s), behind c in queue 0.
TEST(ExplainTiresias, FindsTheReviewAtWhichItStarts) {
  EXPECT_THAT(changes("tiresias", three_jobs(), "c"),
              testing::Contains("at 9700 s, if nothing else happens, it would get 6 GPUs"));
}

TEST(ExplainTiresias, SaysWhenItWasPromoted) {
  AllocationCase from = three_jobs();
  from.jobs[2].waited_s = 4800;
  EXPECT_EQ(reasons("tiresias", from, "c").front(),
            "is promoted to the first queue after waiting for 4800 s");
}

TEST(ExplainElasticTiresias, TellsWhetherOthersShrinkForIt) {
  AllocationCase from = three_jobs();
  EXPECT_THAT(reasons("elastic_tiresias", from, "c"),
              ElementsAre("is in queue 1 after 3600 GPU-seconds of service",
                          "is promoted to the first queue at 9700 s unless it starts before",
                          "no running job shrinks for it: 1 job waits, and more than 10 must",
                          "needs 4 more GPUs, 0 were left"));
  // In queue 0 nobody shrinks; in queue 1 a gives 3 and b 2.
  EXPECT_EQ(reasons("elastic_tiresias:compact_above=0", from, "c")[2],
            "needs 4 more GPUs, and running jobs of lower queues can give 0");
  for (int i = 0; i < 2; ++i) {
    from.jobs[static_cast<std::size_t>(i)].service_s = 4000;
    from.jobs[static_cast<std::size_t>(i)].executed_s = 1000;
    from.jobs[static_cast<std::size_t>(i)].current = 4;
  }
  EXPECT_THAT(reasons("elastic_tiresias:compact_above=0", from, "c"),
              ElementsAre("is in queue 1 after 3600 GPU-seconds of service",
                          "got 4 GPUs, of which running jobs of lower queues gave 4",
                          "needs 1 more GPU, 0 were left"));
  // b comes last among those that run: 2 from it, then 2 of the 3 that a can give.
  EXPECT_EQ(reasons("elastic_tiresias:compact_above=0", from, "b").back(),
            "shrank from 4 to 2 GPUs so that waiting jobs start");
}

// Linear curves: any split of the last GPU is optimal; a's second GPU brings 0.9 where b's third brings 1.
TEST(ExplainFfdl, TellsWhatTheNextSizeWouldCost) {
  AllocationCase from = three_jobs();
  from.jobs[0].speedup = {{1, 1}, {2, 1.5}, {4, 2}};
  EXPECT_THAT(
      reasons("ffdl", from, "a"),
      ElementsAre("got 1 GPU when 8 were free at its turn",
                  "with 2 instead of 1 GPU the total speed of all jobs would be 0.5 lower"));
  from.gpus = 6;
  EXPECT_THAT(reasons("ffdl", from, "c"),
              ElementsAre("its minimum of 4 GPUs does not fit beside the minimums of earlier "
                          "jobs, which leave 3"));
}

// b starts (250 s on 2 GPUs against 1,000 and 1,250), then a (1/1 against b's 1/2), a again (1/2 against 1/2: a tie goes to
// the longer), then b (1/2 against 1/3), which leaves 3 of 8 GPUs; c needs 4.
TEST(ExplainAfsL, NamesWhoTookTheLastStep) {
  EXPECT_THAT(reasons("afs_l", three_jobs(), "c"),
              ElementsAre("job 'b' won a step before it could have 4 more GPUs, leaving 3"));
  EXPECT_THAT(reasons("afs_l", three_jobs(), "b"),
              ElementsAre("grew from 0 to 4 GPUs, 1 faster per GPU", "has its maximum of 4 GPUs"));
}

/// Gives the first job everything it may have.
class Greedy : public voda::Allocator {
 public:
  [[nodiscard]] voda::AllocationDecision allocate(const AllocationProblem& problem) const override {
    voda::AllocationDecision decision{.gpus = voda::Allocation(problem.columns->size(), 0)};
    const JobIndex first = problem.arrival_order->front();
    decision.gpus[first] = voda::largest_size(problem.columns->sizes[first], problem.capacity);
    return decision;
  }
};

TEST(ExplainOwnPolicy, SaysWhatCanBeSaidWithoutKnowingIt) {
  const AllocationProblem problem = problem_of(three_jobs());
  const Greedy greedy;
  const auto decision = greedy.allocate(problem);
  const Explanation first = voda::explain_size(greedy, problem, decision, JobIndex{0});
  EXPECT_EQ(voda::to_text(first.reasons.back(), *problem.columns), "has its maximum of 4 GPUs");
  const Explanation second = voda::explain_size(greedy, problem, decision, JobIndex{1});
  EXPECT_EQ(voda::to_text(second.reasons.back(), *problem.columns),
            "the policy gave it no more, although 4 GPUs are left");
  const Explanation third = voda::explain_size(greedy, problem, decision, JobIndex{2});
  EXPECT_EQ(voda::to_text(third.reasons.back(), *problem.columns),
            "the policy gave it no more, although 4 GPUs are left");
  EXPECT_EQ(voda::to_text(second.changes[4], *problem.columns),
            "without job 'a' it would get 4 GPUs");
}

TEST(ExplainOwnPolicy, MayBringReasonsOfItsOwn) {
  const AllocationProblem problem = problem_of(three_jobs());
  const voda::Reason reason{.code = voda::ReasonCode::own,
                            .facts = {{"job", JobIndex{1}}, {"share", 0.25}},
                            .sentence = "shares {share} with {job}, {unknown}"};
  EXPECT_EQ(voda::to_text(reason, *problem.columns), "shares 0.25 with 'b', {unknown}");
}

TEST(Explain, RefusesAJobThatTakesNoPart) {
  const AllocationProblem problem = problem_of(three_jobs());
  for (const auto& name : voda::test::policy_names()) {
    const auto allocator = policy(name);
    const auto decision = allocator->allocate(problem);
    AllocationProblem others = problem;
    others.arrival_order = std::make_shared<const std::vector<JobIndex>>(1, JobIndex{0});
    EXPECT_THROW(static_cast<void>(voda::explain_size(*allocator, others, decision, JobIndex{2})),
                 voda::InvalidInput)
        << name;
  }
}

TEST(ExplanationText, IsForPeople) {
  const AllocationProblem problem = problem_of(three_jobs());
  EXPECT_EQ(voda::to_text(explained("fifo", three_jobs(), "c"), *problem.columns),
            "job 'c' gets no GPUs: number 3 of 3 (submitted 3 s)\n"
            "  needs 6 more GPUs, 0 were left\n"
            "what it lacks is held by 'a' (4 GPUs), 'b' (4 GPUs)\n"
            "with 6 more GPUs in the pool it would get 6 GPUs\n"
            "with option size=minimum it would get 4 GPUs\n"
            "no help, as far as was tried: another minimum, another request, another maximum, "
            "taking one other job away, waiting for the policy's own reviews\n");
}

}  // namespace explain_test

#include "voda/allocators/hysteresis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/case_text.hpp"
#include "support/error_text.hpp"
#include "support/policies.hpp"
#include "support/random_problems.hpp"
#include "voda/policy/explanation_text.hpp"
#include "voda/policy/validate.hpp"

namespace voda {
namespace hysteresis_test {

using test::AllocationCase;
using test::AskingJob;
using test::gpus_by_id;
using test::GpusById;
using test::problem_of;
using ::testing::HasSubstr;

constexpr double now_s = 5000;

/// Gives every job what the test says, whatever it holds; reviews so many seconds from now as GPUs are held.
class FixedAnswer final : public Allocator {
 public:
  explicit FixedAnswer(GpusById gpus) : gpus_(std::move(gpus)) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override {
    AllocationDecision result;
    result.gpus.assign(problem.columns->size(), 0);
    for (const JobIndex job : *problem.arrival_order)
      result.gpus[job] = gpus_.at(problem.columns->id[job].value);
    result.review_at = review_of(problem, result.gpus);
    return result;
  }

  [[nodiscard]] std::optional<TimePoint> review_of(const AllocationProblem& problem,
                                                   const Allocation& gpus) const override {
    GpuCount held = 0;
    for (const JobIndex job : *problem.arrival_order)
      held += gpus[job];
    return problem.now + std::chrono::seconds(1000 - held);
  }

 private:
  GpusById gpus_{};
};

[[nodiscard]] Hysteresis around(GpusById inner, HysteresisOptions options) {
  return Hysteresis(std::make_shared<FixedAnswer>(std::move(inner)), options);
}

/// A job of 1 to 8 GPUs that holds `current`, linear.
[[nodiscard]] AskingJob running(std::string id, GpuCount current) {
  return {.id = std::move(id), .requested = 8, .max = 8, .current = current};
}

[[nodiscard]] GpusById given(const Hysteresis& policy, const AllocationCase& from) {
  const AllocationProblem problem = problem_of(from);
  const AllocationDecision decision = policy.allocate(problem);
  validate(problem, decision);
  return gpus_by_id(problem, decision);
}

[[nodiscard]] std::optional<double> review_s(const Hysteresis& policy, const AllocationCase& from) {
  return test::review_s(policy.allocate(problem_of(from)));
}

TEST(Hysteresis, AChangeThatGainsTooLittleIsHeld) {
  const AllocationCase from{.gpus = 8, .jobs = {running("a", 4)}};

  // from 4 to 5 GPUs the speed changes by 1, a quarter of 4: not less than a quarter
  EXPECT_EQ(given(around({{"a", 5}}, {.min_gain = 0.26}), from), (GpusById{{"a", 4}}));
  EXPECT_EQ(given(around({{"a", 5}}, {.min_gain = 0.25}), from), (GpusById{{"a", 5}}));
  EXPECT_EQ(given(around({{"a", 3}}, {.min_gain = 0.26}), from), (GpusById{{"a", 4}}));
}

TEST(Hysteresis, AJobKeepsASizeForItsMinimumTime) {
  AllocationCase from{.gpus = 8, .jobs = {running("a", 4)}};
  from.jobs[0].last_changed_s = now_s - 100;
  const Hysteresis holding = around({{"a", 8}}, {.min_run_s = 600});

  EXPECT_EQ(given(holding, from), (GpusById{{"a", 4}}));
  EXPECT_EQ(review_s(holding, from), now_s + 500);
  from.jobs[0].last_changed_s = now_s - 600;
  EXPECT_EQ(given(holding, from), (GpusById{{"a", 8}}));
}

TEST(Hysteresis, AJobThatWasResizedOftenIsHeldUntilTheHourIsOver) {
  AllocationCase from{.gpus = 8, .jobs = {running("a", 4)}};
  from.jobs[0].resized_s = {now_s - 3000, now_s - 2000, now_s - 1000};

  EXPECT_EQ(given(around({{"a", 8}}, {.max_resizes_per_hour = 4}), from), (GpusById{{"a", 8}}));
  EXPECT_EQ(given(around({{"a", 8}}, {.max_resizes_per_hour = 2}), from), (GpusById{{"a", 4}}));
  EXPECT_EQ(review_s(around({{"a", 8}}, {.max_resizes_per_hour = 3}), from), now_s + 600);
  // two within the hour are too many until the one 2000 s ago is out of it; with FixedAnswer the
  // policy itself asks after 1000 - 4 s, which is earlier
  EXPECT_EQ(review_s(around({{"a", 8}}, {.max_resizes_per_hour = 2}), from), now_s + 992);
  from.jobs[0].resized_s = {now_s - 4000, now_s - 3600};
  EXPECT_EQ(given(around({{"a", 8}}, {.max_resizes_per_hour = 1}), from), (GpusById{{"a", 8}}));
}

TEST(Hysteresis, WithoutABudgetNothingIsEverResized) {
  const AllocationCase from{.gpus = 8, .jobs = {running("a", 4)}};

  EXPECT_EQ(given(around({{"a", 8}}, {.max_resizes_per_hour = 0}), from), (GpusById{{"a", 4}}));
}

TEST(Hysteresis, AShrunkJobGetsItsSizeBackOnlyFromGpusThatNobodyHas) {
  AllocationCase from{.gpus = 8, .jobs = {running("a", 4), running("b", 0)}};

  EXPECT_EQ(given(around({{"a", 2}, {"b", 6}}, {.min_gain = 1}), from),
            (GpusById{{"a", 2}, {"b", 6}}));
  EXPECT_EQ(given(around({{"a", 2}, {"b", 4}}, {.min_gain = 1}), from),
            (GpusById{{"a", 4}, {"b", 4}}));
}

TEST(Hysteresis, GrowthIsTakenBackBeforeSizesAreGivenBack) {
  AllocationCase from{.gpus = 8, .jobs = {running("a", 4), running("b", 4)}};
  from.jobs[0].last_changed_s = now_s - 1;
  from.jobs[1].last_changed_s = now_s - 1;

  EXPECT_EQ(given(around({{"a", 0}, {"b", 8}}, {.min_run_s = 60}), from),
            (GpusById{{"a", 4}, {"b", 4}}));
}

TEST(Hysteresis, SizesAreGivenBackInArrivalOrderWhereTheyFit) {
  // 8 GPUs: a and b and c were shrunk by 3, 2 and 1, d starts with 3; 2 GPUs are left after
  // 1 + 1 + 1 + 3. a needs 3, b takes the 2, c finds none.
  AllocationCase from{.gpus = 8,
                      .jobs = {running("a", 4), running("b", 3), running("c", 2), running("d", 0)}};
  const GpusById inner{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 3}};

  EXPECT_EQ(given(around(inner, {.max_resizes_per_hour = 0}), from),
            (GpusById{{"a", 1}, {"b", 3}, {"c", 1}, {"d", 3}}));
}

TEST(Hysteresis, ASizeThatIsNoLongerAllowedIsNotHeld) {
  AllocationCase from{.gpus = 8, .jobs = {running("a", 4)}};
  from.jobs[0].requested = 3;
  from.jobs[0].max = 3;

  EXPECT_EQ(given(around({{"a", 3}}, {.max_resizes_per_hour = 0}), from), (GpusById{{"a", 3}}));
}

TEST(Hysteresis, ThePolicyIsAskedAgainWhenItsReviewFitsTheHeldSizes) {
  AllocationCase from{.gpus = 8, .jobs = {running("a", 6)}};

  // it would review after 1000 - 2 s at its own answer, after 1000 - 6 s at the held one
  EXPECT_EQ(review_s(around({{"a", 2}}, {.min_gain = 1}), from), now_s + 994);
}

TEST(Hysteresis, SaysWhatItHeldBackAndUntilWhen) {
  AllocationCase from{.gpus = 8, .jobs = {running("a", 4), running("b", 4)}};
  from.jobs[0].last_changed_s = now_s - 100;
  from.jobs[0].resized_s = {now_s - 100};
  const auto text = [&from](const GpusById& inner, const HysteresisOptions& options) {
    const Hysteresis policy = around(inner, options);
    const AllocationProblem problem = problem_of(from);
    return to_text(policy.explain(problem, policy.allocate(problem), Allocation::index_of(0)),
                   *problem.columns);
  };

  EXPECT_THAT(
      text({{"a", 3}, {"b", 4}}, {.min_gain = 0.5}),
      HasSubstr("keeps 4 GPUs instead of 3: its speed would change by less than 0.5 of it"));
  EXPECT_THAT(text({{"a", 3}, {"b", 4}}, {.min_run_s = 150}),
              HasSubstr("keeps 4 GPUs instead of 3 until 5050 s: its size changed a short while "
                        "ago"));
  EXPECT_THAT(text({{"a", 3}, {"b", 4}}, {.max_resizes_per_hour = 1}),
              HasSubstr("keeps 4 GPUs instead of 3 until 8500 s: it was resized often within the "
                        "last hour"));
  from.jobs[1].current = 0;
  EXPECT_THAT(text({{"a", 3}, {"b", 5}}, {.min_run_s = 150}),
              HasSubstr("would keep 4 GPUs instead of 3, but others need them"));
}

TEST(Hysteresis, RefusesWhatMakesNoSense) {
  EXPECT_THAT(test::error_text<InvalidInput>([] { Hysteresis(nullptr, {}); }),
              HasSubstr("no inner policy"));
  EXPECT_THAT(
      test::error_text<InvalidInput>([] { static_cast<void>(around({}, {.min_gain = -1})); }),
      HasSubstr("'min_gain': '-1'; expected a number >= 0"));
  EXPECT_THAT(test::error_text<InvalidInput>(
                  [] { static_cast<void>(around({}, {.max_resizes_per_hour = 1.5})); }),
              HasSubstr("expected a whole number from 0 to 16, or none"));
  EXPECT_THAT(test::error_text<InvalidInput>(
                  [] { static_cast<void>(test::policy("hysteresis(x=1)/fifo")); }),
              HasSubstr("unknown option 'x'; expected min_gain, min_run_s, max_resizes_per_hour"));
}

/// The rule once more, written from the specification with maps and ids.
[[nodiscard]] GpusById naive_answer(const AllocationCase& from,
                                    const HysteresisOptions& options,
                                    const GpusById& inner) {
  std::map<std::string, const AskingJob*> job_of;
  std::vector<const AskingJob*> arrived;
  for (const AskingJob& job : from.jobs) {
    job_of[job.id] = &job;
    arrived.push_back(&job);
  }
  std::ranges::sort(arrived, [](const AskingJob* a, const AskingJob* b) {
    return std::pair(a->submitted_s, a->id) < std::pair(b->submitted_s, b->id);
  });
  const auto is_held = [&](const AskingJob& job) {
    const GpuCount wanted = inner.at(job.id);
    const SpeedupCurve speed(job.speedup);
    const auto sizes = allowed_sizes(job.min, job.max, job.sizes, job.gpus_per_worker);
    if (job.current == 0 || wanted == job.current || !is_allowed(sizes, job.current))
      return false;
    if (std::abs(speed(wanted) - speed(job.current)) < options.min_gain * speed(job.current))
      return true;
    if (job.last_changed_s && *job.last_changed_s + options.min_run_s > from.now_s)
      return true;
    const auto is_within_hour = [&](double at) { return at + 3600 > from.now_s; };
    return options.max_resizes_per_hour &&
           static_cast<double>(std::ranges::count_if(job.resized_s, is_within_hour)) >=
               *options.max_resizes_per_hour;
  };
  GpusById result = inner;
  for (const AskingJob* job : arrived) {
    if (is_held(*job) && inner.at(job->id) > job->current)
      result[job->id] = job->current;
  }
  GpuCount sum = 0;
  for (const auto& [id, gpus] : result)
    sum += gpus;
  for (const AskingJob* job : arrived) {
    const GpuCount more = job->current - result[job->id];
    if (is_held(*job) && more > 0 && sum + more <= from.gpus) {
      result[job->id] = job->current;
      sum += more;
    }
  }
  return result;
}

class HysteresisAroundEveryPolicy : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static AllocationCase draw(test::RandomProblems& random) {
    AllocationCase result = random.draw(16);
    for (AskingJob& job : result.jobs) {
      if (random.chance(2))
        job.last_changed_s = random.pick(std::array{0.0, 4000.0, 4399.0, 4400.0, 4999.0, 5000.0});
      for (double at = 0; at <= now_s; at += 350) {
        if (random.chance(6))
          job.resized_s.push_back(at);
      }
    }
    return result;
  }

  [[nodiscard]] static HysteresisOptions options(test::RandomProblems& random) {
    HysteresisOptions result;
    if (random.chance(2))
      result.min_gain = random.pick(std::array{0.1, 0.5, 1.0, 2.0});
    if (random.chance(2))
      result.min_run_s = random.pick(std::array{1.0, 600.0, 601.0, 1e12});
    if (random.chance(2))
      result.max_resizes_per_hour = random.between(0, 4);
    return result;
  }
};

TEST_P(HysteresisAroundEveryPolicy, AnswersAsTheRuleSays) {
  const auto inner = test::policy(GetParam());
  EXPECT_TRUE(rc::check([&] {
    test::RandomProblems random(*rc::gen::arbitrary<std::uint64_t>());
    const AllocationCase from = draw(random);
    const HysteresisOptions chosen = options(random);
    RC_LOG() << test::case_text(from);
    const AllocationProblem problem = problem_of(from);
    const Hysteresis policy(inner, chosen);
    const AllocationDecision wanted = inner->allocate(problem);

    const AllocationDecision decision = policy.allocate(problem);

    validate(problem, decision);
    const GpusById result = gpus_by_id(problem, decision);
    RC_ASSERT(result == naive_answer(from, chosen, gpus_by_id(problem, wanted)));
    RC_ASSERT(decision.resets == wanted.resets);
    if (wanted.review_at)
      RC_ASSERT((decision.review_at && *decision.review_at <= *wanted.review_at));
    const auto session = policy.session();
    RC_ASSERT(session->update(problem, *problem.arrival_order).gpus == decision.gpus);
    RC_ASSERT(session->update(problem, {}).review_at == decision.review_at);
  }));
}

TEST_P(HysteresisAroundEveryPolicy, WithAllOptionsOffNothingChanges) {
  const auto inner = test::policy(GetParam());
  const Hysteresis policy(inner, {});
  EXPECT_TRUE(rc::check([&] {
    test::RandomProblems random(*rc::gen::arbitrary<std::uint64_t>());
    const AllocationProblem problem = problem_of(draw(random));
    const AllocationDecision expected = inner->allocate(problem);

    const AllocationDecision decision = policy.allocate(problem);

    RC_ASSERT(decision.gpus == expected.gpus);
    RC_ASSERT(decision.review_at == expected.review_at);
    RC_ASSERT(decision.resets == expected.resets);
  }));
}

TEST_P(HysteresisAroundEveryPolicy, ExplainsEveryHold) {
  const auto inner = test::policy(GetParam());
  EXPECT_TRUE(rc::check([&] {
    test::RandomProblems random(*rc::gen::arbitrary<std::uint64_t>());
    const AllocationProblem problem = problem_of(draw(random));
    const Hysteresis policy(inner, options(random));
    const AllocationDecision wanted = inner->allocate(problem);
    const AllocationDecision decision = policy.allocate(problem);
    for (const JobIndex job : *problem.arrival_order) {
      const Explanation explanation = policy.explain(problem, decision, job);

      RC_ASSERT(explanation.gpus == decision.gpus[job]);
      const ReasonCode last = explanation.reasons.back().code;
      const bool says_held = last == ReasonCode::held_small_gain ||
                             last == ReasonCode::held_min_run || last == ReasonCode::held_budget;
      RC_ASSERT(says_held == (decision.gpus[job] != wanted.gpus[job]));
    }
  }));
}

INSTANTIATE_TEST_SUITE_P(Policies,
                         HysteresisAroundEveryPolicy,
                         ::testing::ValuesIn(test::policy_names()),
                         [](const auto& policy) { return policy.param; });

}  // namespace hysteresis_test
}  // namespace voda

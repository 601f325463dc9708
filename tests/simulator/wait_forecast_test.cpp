#include "voda/simulator/wait_forecast.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/model/error.hpp"
#include "voda/scheduler/scheduler.hpp"
#include "voda/simulator/wait_study.hpp"
#include "voda/simulator/workload.hpp"

namespace voda {
namespace wait_forecast_test {

using test::at;
using test::event;
using test::node;
using test::rigid_job;
using test::seconds;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

[[nodiscard]] FutureOptions futures_under(const std::string& policy, std::int64_t futures = 4) {
  return {.simulation = {.allocator = builtin_allocators().make(policy)}, .futures = futures};
}

/// One GPU: a runs since 0 with 30 s of work, b has waited since 5 s; now it is 10 s.
[[nodiscard]] ClusterImage one_runs_one_waits(const std::string& policy = "fifo",
                                              double work_of_b_s = 20) {
  Scheduler scheduler(builtin_allocators().make(policy), nullptr);
  scheduler.observe(event(0, NodeJoined{node("n", 1)}));
  scheduler.observe(event(0, JobSubmitted{.job = rigid_job("a", 0, 1, 30)}));
  (void)scheduler.decide(at(0));
  scheduler.commit();
  scheduler.observe(event(5, JobSubmitted{.job = rigid_job("b", 5, 1, work_of_b_s)}));
  (void)scheduler.decide(at(5));
  scheduler.commit();
  ClusterImage image = scheduler.state().image();
  image.now = at(10);
  return image;
}

[[nodiscard]] std::optional<WaitFutures> futures_of(const ClusterImage& state,
                                                    const std::string& job,
                                                    const PastJobs& past,
                                                    const FutureOptions& options) {
  const std::vector<JobId> jobs{{job}};
  const auto futures = simulate_waits(state, jobs, past, options);
  return futures ? std::optional(futures->at(0)) : std::nullopt;
}

TEST(WaitFutures, WithoutAPastAllIsAsTold) {
  const ClusterImage state = one_runs_one_waits();
  const PastJobs past(seconds(1000));

  const auto waiting = futures_of(state, "b", past, futures_under("fifo"));
  EXPECT_FALSE(waiting->holds_gpus);
  EXPECT_THAT(waiting->start_s, ElementsAre(20, 20, 20, 20));
  EXPECT_THAT(waiting->finish_s, ElementsAre(40, 40, 40, 40));

  const auto running = futures_of(state, "a", past, futures_under("fifo"));
  EXPECT_TRUE(running->holds_gpus);
  EXPECT_THAT(running->start_s, IsEmpty());
  EXPECT_THAT(running->finish_s, ElementsAre(20, 20, 20, 20));
}

/// Jobs took twice what was told; they came long ago, so that none comes again.
[[nodiscard]] PastJobs twice_as_long() {
  PastJobs past(seconds(100));
  for (int i = 0; i < 5; ++i) {
    const std::string id = std::to_string(i);
    past.submitted(rigid_job(id, -1000 + i, 1, 50));
    past.ended({id}, 100);
  }
  past.submitted(rigid_job("a", 0, 1, 30));
  past.submitted(rigid_job("b", 5, 1, 20));
  return past;
}

TEST(WaitFutures, LearnFromHowFarToldWorkWasOff) {
  PastJobs past = twice_as_long();
  ClusterImage state = one_runs_one_waits();
  state.now = at(200);  // the two submissions are forgotten
  state.pools[0].jobs[0].job.work->since = at(190);
  // Told 30 s of which 10 are done: 60 in truth, so 50 are left; then 40 of b.
  const auto futures = futures_of(state, "b", past, futures_under("fifo"));
  EXPECT_THAT(futures->start_s, Each(50));
  EXPECT_THAT(futures->finish_s, Each(90));
}

TEST(WaitFutures, JobsArriveAsTheyDid) {
  PastJobs past(seconds(1000));
  past.submitted(rigid_job("a", 0, 1, 30));
  past.submitted(rigid_job("b", 5, 1, 28));
  for (int i = 0; i < 5; ++i)
    past.submitted(rigid_job("short" + std::to_string(i), 6, 1, 1));
  // FIFO does not care who comes later; under SRJF the short ones go first.
  const auto fifo =
      futures_of(one_runs_one_waits("fifo", 28), "b", past, futures_under("fifo", 20));
  EXPECT_THAT(fifo->start_s, Each(20));
  const auto srjf =
      futures_of(one_runs_one_waits("srjf", 28), "b", past, futures_under("srjf", 20));
  EXPECT_THAT(srjf->start_s, SizeIs(20));
  EXPECT_THAT(srjf->start_s, Each(testing::Ge(20)));
  EXPECT_THAT(srjf->start_s, testing::Contains(testing::Ge(25)));
}

TEST(WaitFutures, AreEqualForEqualInput) {
  const ClusterImage state = one_runs_one_waits("srjf");
  const PastJobs past = twice_as_long();
  const auto one = futures_of(state, "b", past, futures_under("srjf"));
  const auto two = futures_of(state, "b", past, futures_under("srjf"));
  EXPECT_EQ(one->finish_s, two->finish_s);
}

TEST(WaitFutures, AJobThatNeverFitsNeverStarts) {
  ClusterImage state = one_runs_one_waits();
  state.pools[0].jobs[1].job = rigid_job("b", 5, 2, 20);
  const auto futures = futures_of(state, "b", PastJobs(seconds(10)), futures_under("fifo"));
  EXPECT_THAT(futures->start_s, IsEmpty());
  EXPECT_THAT(futures->finish_s, IsEmpty());
  const WaitForecast forecast = WaitScales{}.forecast(*futures);
  EXPECT_FALSE(forecast.start);
  EXPECT_FALSE(forecast.finish);
}

TEST(WaitFutures, NeedAJobAndItsWork) {
  ClusterImage state = one_runs_one_waits();
  const PastJobs past(seconds(10));
  EXPECT_THROW((void)futures_of(state, "c", past, futures_under("fifo")), InvalidInput);
  EXPECT_THROW((void)futures_of(state, "b", past, futures_under("fifo", 0)), InvalidInput);
  state.pools[0].jobs[0].job.work.reset();
  EXPECT_FALSE(futures_of(state, "b", past, futures_under("fifo")));
}

TEST(WaitFutures, OfSeveralJobsAreThoseOfEach) {
  const ClusterImage state = one_runs_one_waits("srjf");
  const PastJobs past = twice_as_long();
  const auto both =
      simulate_waits(state, std::vector<JobId>{{"b"}, {"a"}}, past, futures_under("srjf", 10));
  ASSERT_THAT(*both, SizeIs(2));
  const auto b = futures_of(state, "b", past, futures_under("srjf", 10));
  const auto a = futures_of(state, "a", past, futures_under("srjf", 10));
  EXPECT_EQ(both->front().start_s, b->start_s);
  EXPECT_EQ(both->front().finish_s, b->finish_s);
  EXPECT_EQ(both->back().finish_s, a->finish_s);
}

TEST(WaitScales, AgreeingFuturesGetASecondAndAPerCent) {
  const WaitScales scales;
  const WaitForecast waiting = scales.forecast({.start_s = {100, 100}, .finish_s = {200, 200}});
  EXPECT_EQ(waiting.start, (Forecast{98, 100, 102}));
  EXPECT_EQ(waiting.finish, (Forecast{197, 200, 203}));
  const WaitForecast running = scales.forecast({.holds_gpus = true, .finish_s = {200}});
  EXPECT_EQ(running.start, Forecast{});
}

/// 300 jobs on 32 GPUs at a load that makes them wait.
[[nodiscard]] Trace busy_workload() {
  return generate_workload({.jobs = 300, .gpus = 32, .load = 1.1, .seed = 5});
}

[[nodiscard]] SimulationOptions four_nodes(const std::string& policy) {
  SimulationOptions options{.allocator = builtin_allocators().make(policy), .estimate_error = 0.5};
  for (int i = 0; i < 4; ++i)
    options.nodes.push_back(node("n" + std::to_string(i), 8));
  return options;
}

TEST(WaitStudy, LooksOnAndChangesNothing) {
  const Trace trace = busy_workload();
  const SimulationOptions options = four_nodes("srjf");
  const WaitStudy study = study_waits(trace, options, {.most_forecasts = 30, .futures = 2});
  const SimulationResult plain = simulate(trace, options);
  ASSERT_EQ(study.run.outcomes.size(), plain.outcomes.size());
  for (std::size_t i = 0; i < plain.outcomes.size(); ++i)
    EXPECT_EQ(study.run.outcomes[i].finished, plain.outcomes[i].finished);
  EXPECT_EQ(study.forecasts, 15);
  EXPECT_EQ(study.open, 0);
}

TEST(WaitStudy, BeatsTheQuantilesOfPastWaits) {
  const WaitStudy study =
      study_waits(busy_workload(), four_nodes("fifo"), {.most_forecasts = 100, .futures = 10});
  EXPECT_EQ(study.start.all.outcomes, 50);
  EXPECT_GT(study.start.waited.outcomes, 5);
  EXPECT_GE(study.start.all.coverage(), 0.7);
  EXPECT_LT(study.start.all.pinball_s, study.start.all.plain_pinball_s);
  EXPECT_LT(study.finish.all.pinball_s, study.finish.all.plain_pinball_s);
}

TEST(WaitStudy, RefusesBadOptions) {
  const Trace trace = busy_workload();
  EXPECT_THROW((void)study_waits(trace, four_nodes("fifo"), {.most_forecasts = 0}), InvalidInput);
  EXPECT_THROW((void)study_waits(trace, four_nodes("fifo"), {.futures = 0}), InvalidInput);
  EXPECT_THROW((void)study_waits(trace, four_nodes("fifo"), {.memory = Duration(0)}), InvalidInput);
}

}  // namespace wait_forecast_test
}  // namespace voda

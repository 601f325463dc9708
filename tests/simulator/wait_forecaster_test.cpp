#include "voda/simulator/wait_forecaster.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/model/error.hpp"
#include "voda/scheduler/scheduler.hpp"
#include "voda/simulator/workload.hpp"

namespace voda {
namespace wait_forecaster_test {

using test::at;
using test::event;
using test::node;
using test::rigid_job;
using test::seconds;

[[nodiscard]] WaitForecaster forecaster(std::int64_t futures = 4) {
  return WaitForecaster({.simulation = {.allocator = builtin_allocators().make("fifo")},
                         .futures = futures,
                         .memory = seconds(1000)});
}

constexpr WaitForecast waits{.start = Forecast{.p10_s = 90, .p50_s = 100, .p90_s = 110},
                             .finish = Forecast{.p10_s = 190, .p50_s = 200, .p90_s = 210}};

TEST(WaitForecaster, AHitNarrowsBothSides) {
  WaitForecaster teacher = forecaster();
  teacher.follow({"a"}, waits, at(0));
  teacher.started({"a"}, at(110));  // the bounds belong to the interval
  EXPECT_LT(teacher.scales().start.upper(), 1);
  EXPECT_LT(teacher.scales().start.lower(), 1);
  EXPECT_EQ(teacher.scales().finish_waiting.upper(), 1);
  const double after_start = teacher.scales().start.upper();
  teacher.started({"a"}, at(150));  // again, after a stop
  teacher.ended({"a"}, at(190), 1);
  EXPECT_EQ(teacher.scales().start.upper(), after_start);
  EXPECT_LT(teacher.scales().finish_waiting.lower(), 1);
  EXPECT_EQ(teacher.scales().finish_running.lower(), 1);
  EXPECT_EQ(teacher.outcomes(), 1);
}

TEST(WaitForecaster, AnEarlyOutcomeWidensTheLowerSide) {
  WaitForecaster teacher = forecaster();
  teacher.follow({"a"}, waits, at(0));
  teacher.started({"a"}, at(89));
  EXPECT_GT(teacher.scales().start.lower(), 1);
  EXPECT_LT(teacher.scales().start.upper(), 1);
}

TEST(WaitForecaster, ALateOutcomeTeachesAsSoonAsItsP90HasPassed) {
  WaitForecaster teacher = forecaster();
  teacher.follow({"a"}, waits, at(0));
  teacher.submitted(rigid_job("b", 110, 1, 1), at(110));
  EXPECT_EQ(teacher.scales().start.upper(), 1);
  teacher.submitted(rigid_job("c", 111, 1, 1), at(111));
  const double widened = teacher.scales().start.upper();
  EXPECT_GT(widened, 1);
  teacher.started({"a"}, at(300));  // the upper side has learned it; the end is late as well
  EXPECT_EQ(teacher.scales().start.upper(), widened);
  EXPECT_LT(teacher.scales().start.lower(), 1);
  EXPECT_GT(teacher.scales().finish_waiting.upper(), 1);
}

TEST(WaitForecaster, RunningJobsAreAMatterOfTheirOwn) {
  WaitForecaster teacher = forecaster();
  teacher.follow({"a"}, {.holds_gpus = true, .start = Forecast{}, .finish = waits.finish}, at(0));
  teacher.started({"a"}, at(20));
  teacher.ended({"a"}, at(500), 1);
  EXPECT_EQ(teacher.scales().start.lower(), 1);
  EXPECT_EQ(teacher.scales().finish_waiting.upper(), 1);
  EXPECT_GT(teacher.scales().finish_running.upper(), 1);
}

TEST(WaitForecaster, OfSeveralForecastsTheFirstTeaches) {
  WaitForecaster teacher = forecaster();
  teacher.follow({"a"}, waits, at(0));
  teacher.follow({"a"}, waits, at(50));
  teacher.started({"a"}, at(100));
  EXPECT_LT(teacher.scales().start.lower(), 1);  // by the second it would be too early
  teacher.ended({"a"}, at(200), 1);
  teacher.started({"unknown"}, at(200));
  teacher.ended({"unknown"}, at(200), 1);
  EXPECT_EQ(teacher.outcomes(), 1);
}

TEST(WaitForecaster, AnIdThatComesAgainIsAnotherJob) {
  WaitForecaster teacher = forecaster();
  teacher.follow({"a"}, waits, at(0));
  teacher.started({"a"}, at(20));
  teacher.ended({"a"}, at(30), 1);
  const double before = teacher.scales().start.upper();
  teacher.follow({"a"}, waits, at(50));
  teacher.submitted(rigid_job("b", 120, 1, 1), at(120));  // 110 s after the first was asked about
  EXPECT_EQ(teacher.scales().start.upper(), before);
}

/// Applies events to a state that a forecaster watches.
struct Watched {
  WaitForecaster teacher = forecaster();
  ClusterState state{};

  template <class Body>
  void apply(std::int64_t second, Body body) {
    const Event next = event(second, std::move(body));
    teacher.observe(next, state);
    state.apply(next);
  }

  void hold(std::int64_t second, const std::string& job, GpuCount gpus) {
    apply(second, Decided{.changed = {{.job = {job}, .gpus = gpus}}});
  }

  [[nodiscard]] Forecast end_of(const std::string& job) const {
    const std::vector<JobId> jobs{{job}};
    return teacher.forecast(state.image(), jobs).value().at(0).finish.value();
  }
};

/// Five jobs, each told 10 s, that took 20 s; then one that is told 100 s and runs for 50. All came long ago.
[[nodiscard]] Watched twice_as_long() {
  Watched watched;
  watched.apply(0, NodeJoined{node("n", 1)});
  for (int i = 0; i < 5; ++i) {
    const std::string id = std::to_string(i);
    watched.apply(20 * i, JobSubmitted{.job = rigid_job(id, 20 * i, 1, 10)});
    watched.hold(20 * i, id, 1);
    watched.apply(20 * i + 20, JobFinished{{id}});
  }
  watched.apply(2000, JobSubmitted{.job = rigid_job("x", 2000, 1, 100)});
  watched.hold(2000, "x", 1);
  return watched;
}

TEST(WaitForecaster, LearnsFromEventsWhatJobsTrulyTook) {
  EXPECT_EQ(twice_as_long().end_of("x").p50_s, 200);
}

TEST(WaitForecaster, ANewEstimateReplacesWhatWasTold) {
  Watched watched = twice_as_long();
  watched.apply(2050, JobMeasured{.job = {"x"}, .remaining_s = 250});
  EXPECT_EQ(watched.end_of("x").p50_s, 550);  // told 300 in all, so 600, of which 50 are done
}

TEST(WaitForecaster, AJobThatIsSubmittedRunningHasStarted) {
  Watched watched;
  watched.apply(0, NodeJoined{node("n", 1)});
  watched.teacher.follow({"a"}, waits, at(0));
  watched.apply(100, JobSubmitted{.job = rigid_job("a", 0, 1, 10), .held = 1});
  EXPECT_LT(watched.teacher.scales().start.lower(), 1);
}

TEST(WaitForecaster, GoesOnFromAStateThatItIsGiven) {
  Watched watched = twice_as_long();
  watched.teacher.follow({"x"}, waits, at(2000));
  ClusterState after;  // x is gone and y has run since 2950
  after.apply(event(2950, NodeJoined{node("n", 1)}));
  after.apply(event(2950, JobSubmitted{.job = rigid_job("y", 2900, 1, 100), .held = 1}));
  watched.state = ClusterState::from_image(after.image());
  watched.teacher.resume(after.image());
  EXPECT_EQ(watched.end_of("y").p50_s, 200);
  watched.apply(3000, JobSubmitted{.job = rigid_job("x", 3000, 1, 1)});  // the id is free
  watched.teacher.resume(watched.state.image());
  watched.apply(3150, JobFinished{{"y"}});
  EXPECT_EQ(watched.teacher.outcomes(), 0);
}

TEST(WaitForecaster, NeedsSoundOptionsAndEvents) {
  EXPECT_THROW(WaitForecaster({.memory = Duration(0)}), InvalidInput);
  WaitForecaster teacher = forecaster(0);
  EXPECT_THROW((void)teacher.forecast({}, {}), InvalidInput);
  teacher.submitted(rigid_job("a", 0, 1, 1), at(5));
  EXPECT_THROW(teacher.submitted(rigid_job("a", 0, 1, 1), at(5)), InvalidInput);
  EXPECT_THROW(teacher.submitted(rigid_job("b", 0, 1, 1), at(4)), InvalidInput);
}

/// The loop of docs/embedding.md.
TEST(WaitForecaster, FollowsASchedulerThroughItsHost) {
  Scheduler scheduler(builtin_allocators().make("fifo"), nullptr);
  WaitForecaster teacher = forecaster();
  const auto tell = [&](const Event& next) {
    teacher.observe(next, scheduler.state());
    scheduler.observe(next);
  };
  const auto decide = [&](std::int64_t second) {
    (void)scheduler.decide(at(second));
    for (const Event& decided : scheduler.decided())
      teacher.observe(decided, scheduler.state());
    scheduler.commit();
  };
  tell(event(0, NodeJoined{node("n", 1)}));
  tell(event(0, JobSubmitted{.job = rigid_job("a", 0, 1, 30)}));
  decide(0);
  tell(event(10, JobSubmitted{.job = rigid_job("b", 10, 1, 20)}));
  decide(10);
  const std::vector<JobId> jobs{{"b"}};
  const auto forecasts = teacher.forecast(scheduler.state().image(), jobs);
  EXPECT_EQ(forecasts.value().at(0).start.value().p50_s, 20);
  teacher.follow(jobs[0], forecasts->at(0), at(10));
  tell(event(30, JobFinished{{"a"}}));
  decide(30);
  EXPECT_LT(teacher.scales().start.upper(), 1);  // it came true
  EXPECT_LT(teacher.scales().start.lower(), 1);
}

/// Tells a forecaster of a run as an observer sees it.
class Teller final : public SimulationObserver {
 public:
  explicit Teller(WaitForecaster& teacher) : teacher_(&teacher) {}

  void job_ended(const JobOutcome& outcome) override {
    teacher_->ended(outcome.id, *outcome.finished, outcome.work_s);
  }

 private:
  WaitForecaster* teacher_;
};

TEST(WaitForecaster, LearnsTheSameFromEventsAsFromOutcomes) {
  const Trace trace = generate_workload({.jobs = 100, .gpus = 8, .load = 1.2, .seed = 3});
  SimulationOptions options{.allocator = builtin_allocators().make("elastic_srjf"),
                            .estimate_error = 0.7};
  options.nodes = {node("n", 8)};
  Watched by_events;
  WaitForecaster by_outcomes = forecaster();
  options.record_to = [&](const Event& next) {
    by_events.teacher.observe(next, by_events.state);
    by_events.state.apply(next);
    if (const auto* submission = std::get_if<JobSubmitted>(&next.body))
      by_outcomes.submitted(submission->job, next.at);
  };
  Teller teller(by_outcomes);
  const auto result = simulate(trace, options, &teller);
  ASSERT_EQ(result.summary.finished, 100);

  ClusterState state;
  const TimePoint end = *result.outcomes.back().finished + seconds(2000);  // nothing arrives again
  state.apply({.at = end, .body = NodeJoined{node("n", 1)}});
  Job job = rigid_job("x", 0, 1, 1000);
  state.apply({.at = end, .body = JobSubmitted{.job = job}});
  const std::vector<JobId> jobs{{"x"}};
  std::vector<Forecast> ends;
  for (WaitForecaster* const teacher : {&by_events.teacher, &by_outcomes}) {
    teacher->submitted(job, end);
    ends.push_back(teacher->forecast(state.image(), jobs).value().at(0).finish.value());
  }
  EXPECT_NEAR(ends[0].p10_s, ends[1].p10_s, 0.001);
  EXPECT_NEAR(ends[0].p90_s, ends[1].p90_s, 0.001);
  EXPECT_GT(ends[0].p90_s, 1.5 * ends[0].p10_s);  // errors were learned
}

}  // namespace wait_forecaster_test
}  // namespace voda

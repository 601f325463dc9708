#include "voda/simulator/workload_fit.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_checks.hpp"
#include "voda/simulator/workload.hpp"

namespace voda {
namespace workload_fit_test {

constexpr int many = 20000;

[[nodiscard]] Job job(std::string id, double submitted_s, GpuCount requested, double run_s) {
  const TimePoint submitted = time_from_seconds(submitted_s, "submitted");
  Job result{.id = {std::move(id)},
             .submitted = submitted,
             .spec = {.min_gpus = requested, .requested_gpus = requested, .max_gpus = requested}};
  result.work = RemainingWork{.left_s = run_s * requested, .since = submitted};
  return result;
}

/// Parameters that the fits have to find again.
[[nodiscard]] WorkloadProfile known_profile() {
  WorkloadProfile result;
  result.demand = {
      {.sizes = {{1, 0.7}}, .run_s = {.probabilities = {0, 0.3, 1}, .values = {10, 600, 90000}}},
      {.sizes = {{3, 0.1}, {8, 0.2}}, .run_s = {.probabilities = {0, 1}, .values = {500, 5000}}}};
  result.arrivals = ArrivalModel{.mean_gap_s = 300};  // 69 days
  for (std::size_t hour = 0; hour < 24; ++hour)
    result.arrivals->hour_of_day.at(hour) = hour < 12 ? 0.5 : 1.5;
  for (std::size_t day = 0; day < 7; ++day)
    result.arrivals->day_of_week.at(day) = day < 5 ? 1.2 : 0.5;
  result.profiles.emplace();
  result.profiles->emplace("", ProfileShare{.share = 0.25});
  result.profiles->emplace(
      "net",
      ProfileShare{.share = 0.75,
                   .speedup = SpeedupCurve(std::map<GpuCount, double>{{1, 1}, {8, 4}})});
  result.elastic =
      ElasticModel{.share = 0.4, .sizes = {.min = {.value = 0.5}, .max = {.value = 2}}};
  result.deadlines =
      DeadlineModel{.share = 0.3, .slack = {.probabilities = {0, 1}, .values = {1.5, 3.5}}};
  result.labels.users = {{"", 0.1}, {"ann", 0.6}, {"bob", 0.3}};
  result.labels.gpu_types = {{"a100", 0.3}, {"v100", 0.7}};
  return result;
}

[[nodiscard]] const Trace& known_trace() {
  static const Trace trace = [] {
    auto options = with_profile({.jobs = many, .gpus = 64, .seed = 11}, known_profile());
    options.mean_gap_s = 300;
    return generate_workload(options);
  }();
  return trace;
}

[[nodiscard]] const WorkloadProfile& fitted_profile() {
  static const WorkloadProfile profile = fit_workload({&known_trace(), 1});
  return profile;
}

/// Five standard errors of a share of `many` jobs.
[[nodiscard]] double share_bound(double share) {
  return 5 * std::sqrt(share * (1 - share) / many);
}

/// The probability at which `quantiles` have a value, found by halving.
[[nodiscard]] double probability_of(const Quantiles& quantiles,
                                    double value,
                                    Interpolation interpolation) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (value_at(quantiles, middle, interpolation) < value ? low : high) = middle;
  }
  return low;
}

/// Fitted quantiles of `jobs` draws are those of the truth at about the same probabilities: the
/// distribution functions differ by less than e but for a chance of 2 exp(-2 n e^2) (Dvoretzky,
/// Kiefer, Wolfowitz; Massart), here 1e-6. A draw more or less and rounding add 1 / n each.
void expect_recovered(const Quantiles& truth,
                      const Quantiles& fitted,
                      double jobs,
                      Interpolation interpolation) {
  const double bound = std::sqrt(std::log(2e6) / (2 * jobs)) + 2 / jobs;
  for (std::size_t i = 0; i < fitted.values.size(); ++i) {
    const double expected = fitted.probabilities[i];
    EXPECT_NEAR(probability_of(truth, fitted.values[i], interpolation), expected, bound)
        << expected;
  }
}

TEST(WorkloadFit, FindsTheSizesAgain) {
  const auto& demand = fitted_profile().demand;

  ASSERT_EQ(demand.size(), 3u);
  EXPECT_NEAR(demand[0].sizes.at(1), 0.7, share_bound(0.7));
  EXPECT_NEAR(demand[1].sizes.at(3), 0.1, share_bound(0.1));
  EXPECT_NEAR(demand[2].sizes.at(8), 0.2, share_bound(0.2));
}

TEST(WorkloadFit, FindsTheRunTimesAgain) {
  const auto truth = known_profile().demand;
  const auto& fitted = fitted_profile().demand;

  expect_recovered(truth[0].run_s, fitted.at(0).run_s, 0.7 * many, Interpolation::logarithmic);
  expect_recovered(truth[1].run_s, fitted.at(1).run_s, 0.1 * many, Interpolation::logarithmic);
  expect_recovered(truth[1].run_s, fitted.at(2).run_s, 0.2 * many, Interpolation::logarithmic);
}

TEST(WorkloadFit, FindsTheArrivalRatesAgain) {
  // About 833 submissions in each hour of the day and 2857 on each day of the week, at rate 1: five
  // standard errors of a Poisson count, and one day more or less of 69.
  const ArrivalModel& arrivals = *fitted_profile().arrivals;
  const ArrivalModel truth = *known_profile().arrivals;

  EXPECT_NEAR(*arrivals.mean_gap_s, 300, 1e-6 * 300);
  for (std::size_t hour = 0; hour < 24; ++hour) {
    const double rate = truth.hour_of_day.at(hour);
    EXPECT_NEAR(arrivals.hour_of_day.at(hour), rate, 5 * std::sqrt(rate / 833) + rate / 69) << hour;
  }
  for (std::size_t day = 0; day < 7; ++day) {
    const double rate = truth.day_of_week.at(day);
    EXPECT_NEAR(arrivals.day_of_week.at(day), rate, 5 * std::sqrt(rate / 2857) + rate / 69) << day;
  }
}

TEST(WorkloadFit, FindsTheGapsOfThatClockAgain) {
  // Exponential gaps of mean 300 s on a clock with these rates: the share up to g is 1 - exp(-g / 300).
  // DKW as above; 5 % for rates that are estimated.
  const Quantiles& gaps = *fitted_profile().arrivals->gaps;

  for (std::size_t i = 0; i + 1 < gaps.values.size(); ++i)
    EXPECT_NEAR(1 - std::exp(-gaps.values[i] / 300), gaps.probabilities[i], 0.02 + 0.02);
}

TEST(WorkloadFit, FindsNamesElasticityAndDeadlinesAgain) {
  const WorkloadProfile& fitted = fitted_profile();
  const WorkloadProfile truth = known_profile();

  ASSERT_EQ(fitted.profiles->size(), 2u);
  EXPECT_NEAR(fitted.profiles->at("net").share, 0.75, share_bound(0.75));
  EXPECT_EQ(fitted.profiles->at("net").speedup, truth.profiles->at("net").speedup);
  ASSERT_EQ(fitted.labels.users.size(), 3u);
  EXPECT_NEAR(fitted.labels.users.at("ann"), 0.6, share_bound(0.6));
  EXPECT_NEAR(fitted.labels.users.at(""), 0.1, share_bound(0.1));
  EXPECT_NEAR(fitted.labels.gpu_types.at("a100"), 0.3, share_bound(0.3));
  EXPECT_TRUE(fitted.labels.queues.empty());
  EXPECT_EQ(fitted.elastic->sizes, truth.elastic->sizes);
  EXPECT_NEAR(fitted.elastic->share, 0.4, share_bound(0.4));
  EXPECT_NEAR(fitted.deadlines->share, 0.3, share_bound(0.3));
  // Deadlines are whole milliseconds and run times at least 10 s: 1e-4 in slack, far below the bound.
  expect_recovered(
      truth.deadlines->slack, fitted.deadlines->slack, 0.3 * many, Interpolation::linear);
}

TEST(WorkloadFit, PoolsSizesUntilThereAreThirtyJobs) {
  Trace trace;
  const auto add = [&trace](int count, GpuCount gpus) {
    for (int i = 0; i < count; ++i) {
      const auto number = static_cast<int>(trace.jobs.size());
      trace.jobs.push_back(job(std::to_string(1000 + number), number, gpus, 60));
    }
  };
  add(40, 1);
  add(10, 2);
  add(20, 4);
  add(35, 8);
  add(29, 16);

  const auto demand = fit_workload({&trace, 1}).demand;

  ASSERT_EQ(demand.size(), 3u);
  EXPECT_EQ(demand[0].sizes.size(), 1u);
  EXPECT_EQ(demand[1].sizes.size(), 2u);  // 2 and 4: thirty jobs
  EXPECT_EQ(demand[2].sizes.size(), 2u);  // 8, and what is left over
  EXPECT_DOUBLE_EQ(demand[2].sizes.at(16), 29 / 134.0);
}

TEST(WorkloadFit, OneBurstMakesNoDailyCycle) {
  // 500 jobs within an hour of one of 28 days, one job in every other hour: the day-to-day spread
  // explains the hour of the burst.
  Trace trace;
  for (int hour = 0; hour < 28 * 24; ++hour)
    trace.jobs.push_back(job("h" + std::to_string(hour), 3600.0 * hour + 60, 1, 60));
  for (int i = 0; i < 500; ++i)
    trace.jobs.push_back(job("b" + std::to_string(i), 3600.0 * 9 * 24 + 7200 + i, 1, 60));
  trace = sorted_by_arrival(trace);

  const ArrivalModel arrivals = *fit_workload({&trace, 1}).arrivals;

  for (const double rate : arrivals.hour_of_day)
    EXPECT_NEAR(rate, 1, 0.05);
}

TEST(WorkloadFit, KnowsTheDaysOfUnixTime) {
  // 2017-10-02 was a Monday, 1506902400 in Unix time; jobs every hour of weekdays alone.
  Trace trace;
  for (int day = 0; day < 28; ++day) {
    for (int hour = 0; hour < (day % 7 < 5 ? 24 : 0); ++hour)
      trace.jobs.push_back(job(std::to_string(10000 + day * 24 + hour),
                               1506902400.0 + 86400 * day + 3600 * hour,
                               1,
                               60));
  }

  const ArrivalModel arrivals = *fit_workload({&trace, 1}).arrivals;

  EXPECT_EQ(arrivals.day_of_week,
            (std::array<double, 7>{1.4, 1.4, 1.4, 1.4, 1.4, 0, 0}));  // 7/5 of the mean
  EXPECT_EQ(monday_of(trace), time_from_seconds(4 * 86400, "monday"));
}

TEST(WorkloadFit, TakesTheMondayThatIsGiven) {
  Trace trace;
  for (int day = 0; day < 28; ++day)
    trace.jobs.push_back(
        job(std::to_string(100 + day), 86400 * day + (day % 7 == 2 ? 0 : 600), 1, 60));
  for (int week = 0; week < 4; ++week)
    trace.jobs.push_back(job(std::to_string(200 + week), 86400 * (7 * week + 2) + 30, 1, 60));
  trace = sorted_by_arrival(trace);

  const auto rates = fit_workload({&trace, 1}, {.monday = time_from_seconds(2 * 86400, "m")})
                         .arrivals->day_of_week;

  EXPECT_EQ(std::ranges::max_element(rates), rates.begin());
}

TEST(WorkloadFit, DescribesCountsOfAnElasticTraceAsCounts) {
  Trace trace;
  for (int i = 0; i < 40; ++i) {
    trace.jobs.push_back(job(std::to_string(100 + i), i, 1 << (i % 4), 60));
    trace.jobs.back().spec.min_gpus = 1;  // as in the format pcs: 1 to the request
  }

  const auto elastic = fit_workload({&trace, 1}).elastic;

  EXPECT_EQ(elastic->sizes.min, (SizeBound{.kind = SizeBound::Kind::gpus, .value = 1}));
  EXPECT_EQ(elastic->sizes.max, (SizeBound{.kind = SizeBound::Kind::factor, .value = 1}));
  EXPECT_EQ(elastic->share, 1);  // jobs of one GPU have no room
}

TEST(WorkloadFit, OneJobHasNoArrivals) {
  const Trace trace{.jobs = {job("a", 5, 2, 60)}};

  const WorkloadProfile profile = fit_workload({&trace, 1});

  EXPECT_FALSE(profile.arrivals);
  EXPECT_NO_THROW(check(profile));
}

TEST(WorkloadFit, NamesWhatItRefuses) {
  EXPECT_EQ(test::message_of([] { return fit_workload({}); }),
            "no jobs; expected at least one to fit a workload to");
  Trace trace{.jobs = {job("a", 0, 1, 60)}};
  trace.jobs[0].spec.deadline = time_from_seconds(1e9, "deadline");
  EXPECT_EQ(
      test::message_of([&] { return fit_workload({&trace, 1}); }),
      "job 'a': its deadline is 16666666.666666666 run times after its submission; expected at "
      "most 1000000");
  trace = {.jobs = {job("b", 0, 1, 2e11)}};
  EXPECT_EQ(test::message_of([&] { return fit_workload({&trace, 1}); }),
            "job 'b': it runs for 200000000000 s; expected at most 100000000000");
}

}  // namespace workload_fit_test
}  // namespace voda

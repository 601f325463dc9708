#include "voda/simulator/workload.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/io_checks.hpp"

namespace voda {
namespace {

[[nodiscard]] std::string refusal_of(const WorkloadOptions& options) {
  return test::message_of([&] { return generate_workload(options); });
}

/// Mean and squared coefficient of variation of the gaps between submissions.
struct Gaps {
  double mean_s = 0;
  double variation = 0;
};

[[nodiscard]] Gaps gaps_of(const Trace& trace) {
  Gaps result;
  const auto count = static_cast<double>(trace.jobs.size() - 1);
  result.mean_s = to_seconds(load_of(trace).span) / count;
  for (std::size_t i = 1; i < trace.jobs.size(); ++i) {
    const double gap_s = to_seconds(trace.jobs[i].submitted - trace.jobs[i - 1].submitted);
    result.variation += std::pow(gap_s / result.mean_s - 1, 2) / count;
  }
  return result;
}

TEST(Workload, IsAValidTraceForEveryPatternAndProfile) {
  for (const auto arrivals :
       {ArrivalPattern::poisson, ArrivalPattern::bursty, ArrivalPattern::daily}) {
    for (const auto demand : {DemandProfile::philly, DemandProfile::itp}) {
      const Trace trace =
          generate_workload({.jobs = 500, .gpus = 32, .arrivals = arrivals, .demand = demand});
      EXPECT_NO_THROW(check(trace));
      EXPECT_EQ(trace.jobs.size(), 500u);
      EXPECT_EQ(trace.profiles.size(), 500u);
      EXPECT_LE(load_of(trace).largest_request, 32);
      EXPECT_EQ(trace.jobs[0].submitted, TimePoint{});
    }
  }
}

TEST(Workload, OffersTheLoadThatWasAskedFor) {
  for (const double load : {0.2, 0.9, 1.7}) {
    const Trace trace = generate_workload({.jobs = 2000, .gpus = 128, .load = load});
    EXPECT_NEAR(load_of(trace).offered_load(128), load, 1e-6);
  }
}

TEST(Workload, RepeatsItselfForOneSeedOnly) {
  const auto arrivals = [](std::uint64_t seed) {
    std::vector<std::int64_t> result;
    for (const Job& job : generate_workload({.jobs = 100, .seed = seed}).jobs) {
      result.push_back(job.submitted.time_since_epoch().count());
    }
    return result;
  };
  EXPECT_EQ(arrivals(5), arrivals(5));
  EXPECT_NE(arrivals(5), arrivals(6));
}

TEST(Workload, AnOptionChangesOnlyWhatItConcerns) {
  const Trace rigid = generate_workload({.jobs = 300, .elastic_share = 0});
  const Trace elastic = generate_workload({.jobs = 300, .elastic_share = 1});
  for (std::size_t i = 0; i < rigid.jobs.size(); ++i) {
    EXPECT_EQ(rigid.jobs[i].submitted, elastic.jobs[i].submitted);
    EXPECT_EQ(rigid.jobs[i].work, elastic.jobs[i].work);
    EXPECT_EQ(rigid.jobs[i].spec.max_gpus, rigid.jobs[i].spec.requested_gpus);
    EXPECT_EQ(elastic.jobs[i].spec.max_gpus, 4 * elastic.jobs[i].spec.requested_gpus);
  }
}

TEST(Workload, MakesTheShareOfJobsElastic) {
  const Trace trace = generate_workload({.jobs = 4000, .elastic_share = 0.3});
  const auto elastic = std::ranges::count_if(
      trace.jobs, [](const Job& job) { return job.spec.max_gpus > job.spec.requested_gpus; });
  EXPECT_NEAR(static_cast<double>(elastic), 1200, 145);  // five standard deviations of a binomial
}

TEST(Workload, GapsVaryAsTheirPatternSays) {
  // Exponential gaps have variation 1. The bursty mixture: 2 (0.95 * 0.02^2 + 0.05 * 19.62^2) - 1
  // = 37.5, so the short gaps leave most of the span to a twentieth of the jobs; a sample of 20,000
  // is within a third of it.
  EXPECT_NEAR(
      gaps_of(generate_workload({.jobs = 20000, .arrivals = ArrivalPattern::poisson})).variation,
      1,
      0.1);
  EXPECT_NEAR(
      gaps_of(generate_workload({.jobs = 20000, .arrivals = ArrivalPattern::bursty})).variation,
      37.5,
      12);
}

TEST(Workload, FollowsTheDayAndRestsAtTheWeekend) {
  const Trace trace = generate_workload({.jobs = 20000, .gpus = 1024});
  std::vector<int> by_hour(24);
  std::vector<int> by_day(7);
  const auto weeks = to_seconds(load_of(trace).span) / (7 * 86400);
  ASSERT_GT(weeks, 2);
  for (const Job& job : trace.jobs) {
    const auto hours = static_cast<std::int64_t>(to_seconds(job.submitted) / 3600);
    if (hours >= static_cast<std::int64_t>(weeks) * 168)
      continue;  // whole weeks only
    ++by_hour.at(static_cast<std::size_t>(hours % 24));
    ++by_day.at(static_cast<std::size_t>(hours / 24 % 7));
  }
  // 1 + 0.6 sin: 1.6 at 15:00 against 0.4 at 3:00; weekend days at half the rate.
  EXPECT_NEAR(static_cast<double>(by_hour[15]) / by_hour[3], 4, 0.8);
  EXPECT_NEAR(static_cast<double>(by_day[5]) / by_day[1], 0.5, 0.06);
}

TEST(Workload, SizesFollowTheFittedShares) {
  const Trace trace = generate_workload({.jobs = 10000});
  const auto share = [&trace](GpuCount gpus) {
    const auto count = std::ranges::count(
        trace.jobs, gpus, [](const Job& job) { return job.spec.requested_gpus; });
    return static_cast<double>(count) / 10000;
  };
  EXPECT_NEAR(share(1), 0.652, 0.025);  // five standard errors
  EXPECT_NEAR(share(4), 0.275, 0.023);
}

TEST(Workload, CurvesMatchTheMeasuredSpeedups) {
  // Speedups of the AFS tables at 4, 8 and 16 GPUs; the fits promise 13 % at worst.
  const Profiles profiles = workload_profiles();
  EXPECT_EQ(profiles.size(), 9u);
  EXPECT_NEAR(profiles.at("voda/inception4")(8), 7.79, 0.13 * 7.79);
  EXPECT_NEAR(profiles.at("voda/resnet50")(16), 9.0, 0.13 * 9.0);
  EXPECT_NEAR(profiles.at("voda/transformer")(8), 6.53, 0.13 * 6.53);
  EXPECT_NEAR(profiles.at("voda/deepspeech")(4), 1.74, 0.13 * 1.74);
  EXPECT_NEAR(profiles.at("voda/chatbot")(4), 1.73, 0.13 * 1.73);
  for (const auto& [name, curve] : profiles)
    EXPECT_EQ(curve(1), 1) << name;
}

TEST(Workload, TakesNoJobsAndOneJob) {
  EXPECT_TRUE(generate_workload({.jobs = 0}).jobs.empty());
  EXPECT_EQ(generate_workload({.jobs = 1}).jobs.at(0).submitted, TimePoint{});
}

TEST(Workload, NamesTheOptionThatItRefuses) {
  EXPECT_EQ(refusal_of({.jobs = -1}), "jobs: -1; expected a number from 0 to 10000000");
  EXPECT_EQ(refusal_of({.gpus = 0}), "gpus: 0; expected a number >= 1");
  EXPECT_EQ(refusal_of({.load = 0}), "load: 0; expected a number from 1e-6 to 1e6");
  EXPECT_EQ(refusal_of({.load = std::nan("")}), "load: nan; expected a number from 1e-6 to 1e6");
  EXPECT_EQ(refusal_of({.elastic_share = 1.5}),
            "elastic share: 1.5; expected a number from 0 to 1");
  EXPECT_EQ(refusal_of({.elasticity = {.min = {.value = 2}, .max = {.value = 4}}}),
            "elastic minimum: 2x; expected a factor of at most 1");
}

}  // namespace
}  // namespace voda

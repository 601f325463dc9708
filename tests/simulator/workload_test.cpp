#include "voda/simulator/workload.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/io_checks.hpp"

namespace voda {
namespace workload_test {

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

/// FNV-1a of everything that a trace holds.
[[nodiscard]] std::uint64_t hash_of(const Trace& trace) {
  std::uint64_t result = 0xcbf29ce484222325;
  const auto add = [&result](std::string_view text) {
    for (const char c : text)
      result = (result ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  };
  for (const Job& job : trace.jobs) {
    add(job.id.value + trace.profiles.at(job.id));
    for (const std::uint64_t number :
         {static_cast<std::uint64_t>(job.submitted.time_since_epoch().count()),
          static_cast<std::uint64_t>(job.spec.min_gpus),
          static_cast<std::uint64_t>(job.spec.requested_gpus),
          static_cast<std::uint64_t>(job.spec.max_gpus),
          std::bit_cast<std::uint64_t>(job.work->left_s)})
      add(std::to_string(number));
  }
  return result;
}

TEST(Workload, DefaultsStayTheSameToTheBit) {
  // Not computed from a source but kept: published experiments name only a seed. The values are
  // those of the generator at commit 5df83e0.
  EXPECT_EQ(hash_of(generate_workload({})), 1600086188020271633u);
  EXPECT_EQ(hash_of(generate_workload(
                {.arrivals = ArrivalPattern::bursty, .demand = DemandProfile::itp, .seed = 7})),
            16043772876448303788u);
}

/// A profile with one size and one run time.
[[nodiscard]] WorkloadProfile simple_profile() {
  WorkloadProfile result;
  result.demand = {{.sizes = {{2, 1.0}}, .run_s = {.probabilities = {0, 1}, .values = {100, 100}}}};
  result.profiles.emplace();
  result.profiles->emplace("", ProfileShare{.share = 1});
  return result;
}

TEST(Workload, FollowsAProfile) {
  WorkloadProfile profile = simple_profile();
  profile.elastic = ElasticModel{.share = 1, .sizes = {.min = {.value = 0.5}, .max = {.value = 3}}};
  profile.arrivals = ArrivalModel{.squared_variation = 0};

  const Trace trace = generate_workload(with_profile({.jobs = 11, .gpus = 20, .load = 1}, profile));

  EXPECT_TRUE(trace.profiles.empty());
  for (const Job& job : trace.jobs) {
    EXPECT_EQ(job.spec.min_gpus, 1);
    EXPECT_EQ(job.spec.requested_gpus, 2);
    EXPECT_EQ(job.spec.max_gpus, 6);
    EXPECT_EQ(job.work->left_s, 200);
  }
  // 11 jobs of 200 GPU-seconds on 20 GPUs: a span of 110 s and equal gaps.
  for (std::size_t i = 0; i < trace.jobs.size(); ++i)
    EXPECT_EQ(to_seconds(trace.jobs[i].submitted), 11.0 * static_cast<double>(i));
}

TEST(Workload, TakesTheMeanGapInsteadOfTheLoad) {
  const Trace trace = generate_workload({.jobs = 101, .mean_gap_s = 30});

  EXPECT_EQ(to_seconds(load_of(trace).span), 3000);
}

TEST(Workload, GapsHaveTheVariationAskedFor) {
  // Standard error of the estimate, about sd(x^2) / sqrt(n): 0.7 for the mixture of variation 9,
  // whose fourth moment is about 10^4; the others are far closer.
  for (const auto& [variation, bound] :
       {std::pair{0.0, 1e-3}, {0.25, 0.05}, {1.0, 0.15}, {9.0, 3.5}}) {
    WorkloadProfile profile = simple_profile();
    profile.arrivals = ArrivalModel{.squared_variation = variation};

    const Trace trace = generate_workload(with_profile({.jobs = 20000, .gpus = 2}, profile));

    EXPECT_NEAR(gaps_of(trace).variation, variation, bound) << variation;
  }
}

TEST(Workload, NobodyArrivesInHoursWithoutRate) {
  WorkloadProfile profile = simple_profile();
  profile.arrivals = ArrivalModel{};
  for (std::size_t hour = 0; hour < 24; ++hour)
    profile.arrivals->hour_of_day.at(hour) = hour == 7 || hour == 8 ? 1 : 0;

  const Trace trace = generate_workload(with_profile({.jobs = 2000, .gpus = 2}, profile));

  ASSERT_GT(to_seconds(load_of(trace).span), 86400);
  for (std::size_t i = 1; i + 1 < trace.jobs.size();
       ++i) {  // the first and last are where they are
    const auto ms = static_cast<std::int64_t>(to_seconds(trace.jobs[i].submitted) * 1000);
    const auto hour = ms / 3600000 % 24;
    EXPECT_TRUE(hour == 7 || hour == 8 || ms % 3600000 == 0) << ms;
  }
}

TEST(Workload, LabelsFollowTheirShares) {
  const Trace trace = generate_workload({.jobs = 10000,
                                         .labels = {.gpu_types = {{"a100", 0.3}, {"v100", 0.7}},
                                                    .users = zipf_users(3),
                                                    .queues = {{"", 0.5}, {"day", 0.5}},
                                                    .virtual_clusters = {{"vc", 1.0}}}});
  const auto count = [&trace](std::string JobSpec::* field, std::string_view name) {
    return static_cast<double>(
        std::ranges::count_if(trace.jobs, [&](const Job& job) { return job.spec.*field == name; }));
  };

  // Zipf's law: 6/11, 3/11 and 2/11; bounds are five standard deviations of a binomial.
  EXPECT_NEAR(count(&JobSpec::user, "user-1"), 60000.0 / 11, 249);
  EXPECT_NEAR(count(&JobSpec::user, "user-2"), 30000.0 / 11, 223);
  EXPECT_NEAR(count(&JobSpec::user, "user-3"), 20000.0 / 11, 193);
  EXPECT_NEAR(count(&JobSpec::gpu_type, "a100"), 3000, 230);
  EXPECT_NEAR(count(&JobSpec::queue, ""), 5000, 250);
  EXPECT_EQ(count(&JobSpec::virtual_cluster, "vc"), 10000);
}

TEST(Workload, DeadlinesAreRunTimesAfterTheSubmission) {
  const DeadlineModel deadlines{.share = 0.4,
                                .slack = {.probabilities = {0, 1}, .values = {1.5, 2.5}}};
  const Trace trace = generate_workload({.jobs = 5000, .deadlines = deadlines});
  double with_deadline = 0;
  double slack_sum = 0;

  for (const Job& job : trace.jobs) {
    if (!job.spec.deadline)
      continue;
    const double run_s = job.work->left_s / job.speedup(job.spec.requested_gpus);
    const double slack = to_seconds(*job.spec.deadline - job.submitted) / run_s;
    EXPECT_GE(slack, 1.5 - 1e-3);  // whole milliseconds of at least a second
    EXPECT_LE(slack, 2.5 + 1e-3);
    slack_sum += slack;
    ++with_deadline;
  }

  EXPECT_NEAR(with_deadline, 2000, 174);  // five standard deviations
  EXPECT_NEAR(slack_sum / with_deadline, 2, 5 * 0.289 / std::sqrt(2000));
}

TEST(Workload, LabelsAndDeadlinesLeaveEverythingElseAlone) {
  const Trace plain = generate_workload({.jobs = 300});
  Trace labelled =
      generate_workload({.jobs = 300,
                         .labels = {.gpu_types = {{"a", 0.5}, {"b", 0.5}}, .users = zipf_users(10)},
                         .deadlines = DeadlineModel{
                             .share = 0.5, .slack = {.probabilities = {0, 1}, .values = {1, 2}}}});
  const Trace other_users =
      generate_workload({.jobs = 300,
                         .labels = {.gpu_types = {{"a", 0.5}, {"b", 0.5}}, .users = zipf_users(50)},
                         .deadlines = DeadlineModel{
                             .share = 1, .slack = {.probabilities = {0, 1}, .values = {1, 2}}}});

  for (std::size_t i = 0; i < plain.jobs.size(); ++i) {
    JobSpec& spec = labelled.jobs[i].spec;
    const JobSpec& other = other_users.jobs[i].spec;
    EXPECT_EQ(spec.gpu_type, other.gpu_type);
    if (spec.deadline) {
      EXPECT_EQ(spec.deadline, other.deadline);  // the same slack, whatever the share
    }
    spec.gpu_type.clear();
    spec.user.clear();
    spec.deadline.reset();
    EXPECT_EQ(spec, plain.jobs[i].spec);
    EXPECT_EQ(labelled.jobs[i].work, plain.jobs[i].work);
    EXPECT_EQ(labelled.jobs[i].submitted, plain.jobs[i].submitted);
  }
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
  EXPECT_EQ(refusal_of({.mean_gap_s = -1}),
            "mean gap: -1 s; expected a number from 0 to 1000000000000");
  EXPECT_EQ(refusal_of({.arrivals = ArrivalPattern::fitted}),
            "arrivals: fitted; expected a workload profile that has arrivals");
  EXPECT_EQ(refusal_of({.profile = WorkloadProfile{}}),
            "demand: shares that add up to 0; expected 1");
  EXPECT_EQ(refusal_of({.labels = {.users = {{"a", 0.5}}}}),
            "users: shares that add up to 0.5; expected 1");
  EXPECT_EQ(refusal_of({.labels = {.queues = {{"a", 2}}}}),
            "queues.a: 2; expected a share from 1e-12 to 1");
  EXPECT_EQ(
      refusal_of({.deadlines = DeadlineModel{.share = 1}}),
      "deadlines.slack: 0 probabilities and 0 values; expected a value each, and at least two");
  EXPECT_EQ(test::message_of([] { return zipf_users(0); }),
            "users: 0; expected a number from 1 to 1000000");
}

TEST(Workload, RefusesWorkThatNoTraceCanHold) {
  WorkloadProfile profile = simple_profile();
  profile.demand[0].sizes = {{1000, 1.0}};
  profile.demand[0].run_s.values = {1e10, 1e10};

  EXPECT_EQ(refusal_of(with_profile({.jobs = 1, .gpus = 1000}, profile)),
            "run time: 10000000000 s on 1000 GPUs is work of 10000000000000 s; expected at most "
            "1000000000000 s on one GPU");
}

}  // namespace workload_test
}  // namespace voda

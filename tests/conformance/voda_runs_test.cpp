// Voda's own runs of 2021: 24 jobs on 3 nodes x 4 GPUs, decisions at least 120 s apart. The work of each job is derived from
// its run under ElasticFIFO; the runs under the other policies are predicted.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_checks.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/cluster_text.hpp"
#include "voda/io/csv.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::test {
namespace voda_runs_test {

constexpr RealRange any_time{.min = 0, .max = 1e6};

/// Sizes over time: (instant, GPUs) in order.
using Sizes = std::vector<std::pair<double, GpuCount>>;

struct RealJob {
  std::string model{};
  double arrival_s = 0;
  double finish_s = 0;
  Sizes sizes{};
};

using RealRun = std::map<std::string, RealJob>;  // by job

RealRun read_run(const std::string& pattern, const std::string& algorithm) {
  RealRun run;
  const auto jobs_path = shared_path("data/voda-2021/real_runs_jobs.csv");
  std::ifstream jobs_file(jobs_path);
  CsvTable jobs(jobs_file,
                jobs_path.string(),
                {.required = {"pattern", "algorithm", "job", "model", "arrival_s", "finish_s"},
                 .optional = {"elapsed_s", "waited_s", "ran_s", "gpu_s"}});
  while (jobs.next()) {
    if (jobs.text("pattern") != pattern || jobs.text("algorithm") != algorithm)
      continue;
    const std::string model = jobs.name("model");
    run[jobs.name("job")] = {.model = model.substr(model.rfind('-') + 1),
                             .arrival_s = jobs.number("arrival_s", any_time),
                             .finish_s = jobs.number("finish_s", any_time)};
  }
  const auto sizes_path = shared_path("data/voda-2021/real_runs_allocations.csv");
  std::ifstream sizes_file(sizes_path);
  CsvTable sizes(sizes_file,
                 sizes_path.string(),
                 {.required = {"pattern", "algorithm", "t_s", "job", "gpus"}});
  while (sizes.next()) {
    if (sizes.text("pattern") != pattern || sizes.text("algorithm") != algorithm)
      continue;
    const auto gpus = static_cast<GpuCount>(sizes.whole_number("gpus", {.min = 0, .max = 12}));
    run.at(sizes.name("job")).sizes.emplace_back(sizes.number("t_s", any_time), gpus);
  }
  return run;
}

GpuCount size_at(const Sizes& sizes, double time) {
  const auto after =
      std::ranges::upper_bound(sizes, time, {}, [](const auto& change) { return change.first; });
  return after == sizes.begin() ? 0 : std::prev(after)->second;
}

double work_done(const RealJob& job, const SpeedupCurve& speedup) {
  double work = 0;
  for (std::size_t i = 0; i < job.sizes.size(); ++i) {
    const double end =
        i + 1 < job.sizes.size() ? std::min(job.sizes[i + 1].first, job.finish_s) : job.finish_s;
    work += speedup(job.sizes[i].second) * std::max(0.0, end - job.sizes[i].first);
  }
  return work;
}

Trace derive_trace(const RealRun& run, const Profiles& speedups) {
  Trace trace;
  for (const auto& [id, real] : run) {
    const SpeedupCurve& speedup = speedups.at(real.model);
    trace.jobs.push_back({.id = {id},
                          .submitted = time_from_seconds(real.arrival_s, "arrival_s"),
                          .spec = {.min_gpus = 1, .requested_gpus = 2, .max_gpus = 4},
                          .work = RemainingWork{.left_s = work_done(real, speedup)},
                          .speedup = speedup});
  }
  return sorted_by_arrival(with_padded_ids(std::move(trace)));
}

class SizeLog final : public SimulationObserver {
 public:
  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap&) override {
    sizes[std::to_string(std::stoi(job.value))].emplace_back(to_seconds(at), gpus);
  }

  std::map<std::string, Sizes> sizes{};
};

/// How far a prediction is from what happened.
struct Distance {
  double real_jct_s = 0;       // mean
  double predicted_jct_s = 0;  // mean
  double finish_error = 0;     // mean |difference of JCT| / mean real JCT
  double size_error =
      0;  // mean |difference of GPUs| of a job over its stay in the real run, sampled every 10 s
};

Distance compare(const RealRun& run, const SimulationResult& result, const SizeLog& log) {
  Distance distance;
  const auto jobs = static_cast<double>(run.size());
  for (const JobOutcome& outcome : result.outcomes) {
    const RealJob& real = run.at(std::to_string(std::stoi(outcome.id.value)));
    const double jct = real.finish_s - real.arrival_s;
    distance.real_jct_s += jct / jobs;
    distance.predicted_jct_s += to_seconds(outcome.jct()) / jobs;
    distance.finish_error += std::abs(to_seconds(outcome.jct()) - jct) / jobs;
  }
  distance.finish_error /= distance.real_jct_s;
  double samples = 0;
  for (const auto& [id, real] : run) {
    for (double time = real.arrival_s; time < real.finish_s; time += 10) {
      distance.size_error += std::abs(size_at(real.sizes, time) - size_at(log.sizes.at(id), time));
      ++samples;
    }
  }
  distance.size_error /= samples;
  return distance;
}

Distance predict(const std::string& pattern, const std::string& algorithm) {
  const auto speedups = read_speedups_file(shared_path("data/voda-2021/speedups_measured.csv"));
  SimulationOptions options{.allocator = builtin_allocators().make(algorithm),
                            .placer = builtin_placers().make("steady")};
  options.nodes = parse_cluster("3x4");
  options.pacing.rate_limit = duration_from_seconds(120, "rate_limit");
  SizeLog log;
  const auto result =
      simulate(derive_trace(read_run(pattern, "ElasticFIFO"), speedups), options, &log);
  const Distance distance = compare(read_run(pattern, algorithm), result, log);
  std::printf(
      "%-11s %-16s mean JCT %6.0f s, predicted %6.0f s; per job %4.1f %% off, %.2f GPUs off\n",
      pattern.c_str(),
      algorithm.c_str(),
      distance.real_jct_s,
      distance.predicted_jct_s,
      100 * distance.finish_error,
      distance.size_error);
  return distance;
}

class VodaRuns : public testing::TestWithParam<const char*> {};

// The work comes from this very run, so only the pace and the ties of the real scheduler differ.
TEST_P(VodaRuns, TheRunThatTheWorkComesFromIsRepeated) {
  VODA_NEED_SHARED("data/voda-2021");
  const Distance distance = predict(GetParam(), "ElasticFIFO");
  EXPECT_NEAR(distance.predicted_jct_s / distance.real_jct_s, 1, 0.01);
  EXPECT_LT(distance.finish_error, 0.01);
  EXPECT_LT(distance.size_error, 0.05);
}

TEST_P(VodaRuns, TheOtherPoliciesArePredicted) {
  VODA_NEED_SHARED("data/voda-2021");
  for (const char* algorithm : {"FfDLOptimizer", "AFS-L", "ElasticTiresias"}) {
    const Distance distance = predict(GetParam(), algorithm);
    EXPECT_NEAR(distance.predicted_jct_s / distance.real_jct_s, 1, 0.25) << algorithm;
  }
}

INSTANTIATE_TEST_SUITE_P(Patterns,
                         VodaRuns,
                         testing::Values("poisson30s", "bursty1h"),
                         [](const auto& pattern) { return std::string(pattern.param); });

}  // namespace voda_runs_test
}  // namespace voda::test

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"

namespace voda {

enum class JobStatus : std::uint8_t { finished, unfinished };

/// The name of a status as result files write it.
[[nodiscard]] constexpr std::string_view name_of(JobStatus status) {
  return status == JobStatus::finished ? "finished" : "unfinished";
}

/// What became of one job: a row of jobs.csv.
struct JobOutcome {
  JobId id{};
  TimePoint submitted{};
  std::optional<TimePoint> first_started{};
  std::optional<TimePoint> finished{};
  Duration waited{};    // without GPUs
  Duration executed{};  // with GPUs, stalls included
  Duration stalled{};   // with GPUs, without progress
  GpuTime gpu_time{};
  double work_s = 0;            // asked for, in seconds on one GPU
  double fairness = 0;          // JCT over JCT alone on 1/n of the cluster; 0 for an unfinished job
  std::int64_t resizes = 0;     // changes between two sizes above 0
  std::int64_t migrations = 0;  // changes of place at equal size
  std::int64_t starts = 0;      // changes from 0
  std::int64_t preemptions = 0;  // changes to 0 before the end
  JobStatus status = JobStatus::unfinished;

  /// Job completion time, finished - submitted; 0 while unfinished.
  [[nodiscard]] Duration jct() const { return finished ? *finished - submitted : Duration{}; }
};

/// Mean and quantiles of a set of values in seconds; quantiles by nearest rank.
struct Distribution {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
};

/// All zero for no values.
[[nodiscard]] Distribution distribution_of(std::vector<double> values);

/// The figures of one run. Unfinished jobs are counted and left out of the means.
struct SimulationSummary {
  std::int64_t jobs = 0;
  std::int64_t finished = 0;
  std::int64_t unfinished = 0;
  Distribution jct_s{};
  Distribution waited_s{};
  double makespan_s = 0;          // first submission to last completion
  double utilization_held = 0;    // GPU time held / GPU time there was, over the makespan
  double utilization_useful = 0;  // work of finished jobs in one-GPU seconds / GPU time there was
  double fairness_mean = 0;       // finish-time fairness; 1 is fair, larger is worse
  double fairness_worst = 0;
  std::int64_t resizes = 0;
  std::int64_t migrations = 0;
  std::int64_t preemptions = 0;
  std::int64_t moved_workers = 0;  // surviving workers whose node changed, forced ones not counted
  std::int64_t forced_moves = 0;
  std::int64_t decisions = 0;
  double decision_time_s = 0;  // total, by the caller's stopwatch; not part of any result file
  std::int64_t active_jobs_median = 0;  // jobs in the system, over decisions
  std::int64_t active_jobs_p99 = 0;
};

/// Figures that the outcomes alone give: counts, distributions, makespan, fairness; the rest stays 0. O(jobs log jobs).
[[nodiscard]] SimulationSummary summarize(std::span<const JobOutcome> outcomes);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/report_inl.hpp"
#endif

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/simulator/forecast.hpp"
#include "voda/simulator/past_jobs.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda {

/// What simulated futures say about one job, in seconds from now.
struct JobFutures {
  bool holds_gpus = false;  // now
  std::vector<double>
      start_s{};  // one for each future in which it starts; empty for a job that holds GPUs
  std::vector<double> finish_s{};  // one for each future in which it ends
};

/// How futures are simulated.
struct FutureOptions {
  SimulationOptions
      simulation{};  // policies, resize cost, pacing, patience and seed; the rest is not used
  std::int64_t futures = 20;  // > 0
};

/// Simulates `state` on until `job`, which must be there, has ended, in several futures: in each the jobs that are there truly take
/// what past errors of told work make likely, and jobs arrive as they did in the past (PastJobs). The same input gives the same
/// futures. Nothing when the work of a job of the state is unknown. Throws InvalidInput for a state that contradicts itself or
/// lacks the job, and as simulate() does.
[[nodiscard]] std::optional<JobFutures> simulate_job_futures(const ClusterImage& state,
                                                             const JobId& job,
                                                             const PastJobs& past,
                                                             const FutureOptions& options);

/// When a job will start and end, in seconds from now. A job that holds GPUs has started: all 0.
struct WaitForecast {
  bool holds_gpus = false;
  std::optional<Forecast> start{};   // nothing for a job that starts in none of the futures
  std::optional<Forecast> finish{};  // nothing for one that ends in none
};

/// How far the intervals of futures have to be scaled; jobs that wait and jobs that hold GPUs are two matters.
struct WaitScales {
  IntervalScale start{};
  IntervalScale finish_waiting{};
  IntervalScale finish_running{};

  [[nodiscard]] WaitForecast forecast(const JobFutures& futures) const;
  /// Learns from the start or the end of a job for which forecast() gave `given`, so many seconds after it was given.
  void started(const WaitForecast& given, double actual_s);
  void finished(const WaitForecast& given, double actual_s);
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/wait_forecast_inl.hpp"
#endif

#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/simulator/forecast.hpp"
#include "voda/simulator/past_jobs.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda {

/// What simulated futures say about one job, in seconds from now, ascending.
struct WaitFutures {
  bool holds_gpus = false;         // now
  std::vector<double> start_s{};   // of each future in which it starts; none if it holds GPUs
  std::vector<double> finish_s{};  // of each future in which it ends
};

/// How futures are simulated.
struct FutureOptions {
  /// Policies, resize cost, pacing, patience and seed; the rest is not used.
  SimulationOptions simulation{};
  std::int64_t futures = 20;               // > 0
  Duration memory = std::chrono::days(7);  // > 0: of PastJobs
};

/// Simulates `state` on until all of `jobs`, which must be there, have ended, in several futures: in each the jobs that are there
/// truly take what past errors of told work make likely, and jobs arrive as they did in the past (PastJobs). One answer for each
/// of `jobs`; the same input gives the same. Nothing when the work of a job of the state is unknown. Throws InvalidInput for a
/// state that contradicts itself or lacks a job, and as simulate() does.
[[nodiscard]] std::optional<std::vector<WaitFutures>> simulate_waits(const ClusterImage& state,
                                                                     std::span<const JobId> jobs,
                                                                     const PastJobs& past,
                                                                     const FutureOptions& options);

/// When a job will start and end, in seconds from now. A job that holds GPUs has started: all 0.
struct WaitForecast {
  bool holds_gpus = false;
  std::optional<Forecast> start{};   // nothing for a job that starts in none of the futures
  std::optional<Forecast> finish{};  // nothing for one that ends in none
  bool operator==(const WaitForecast&) const = default;
};

/// How far the intervals of futures have to be scaled; jobs that wait and jobs that hold GPUs are two matters.
struct WaitScales {
  IntervalScale start{0.15};  // starts are many and soon known
  IntervalScale finish_waiting{0.07, 0.09};
  IntervalScale finish_running{};

  [[nodiscard]] WaitForecast forecast(const WaitFutures& futures) const;

  [[nodiscard]] IntervalScale& finish(bool holds_gpus) {
    return holds_gpus ? finish_running : finish_waiting;
  }
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/wait_forecast_inl.hpp"
#endif

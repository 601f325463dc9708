#pragma once

#include "voda/simulator/wait_forecast.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace wait_forecast_detail {

/// Watches jobs of a run until all have ended.
class JobWatch final : public SimulationObserver {
 public:
  /// Adds what it sees to `futures`, one for each of `jobs`.
  JobWatch(std::span<const JobId> jobs, TimePoint from, std::vector<WaitFutures>& futures)
      : from_(from), futures_(&futures) {
    for (std::size_t i = 0; i < jobs.size(); ++i)
      watched_.emplace(jobs[i].value, Watched{.index = i, .started = futures[i].holds_gpus});
    left_ = watched_.size();
  }

  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& /*workers*/) override {
    const auto found = watched_.find(job.value);
    if (gpus == 0 || found == watched_.end() || std::exchange(found->second.started, true))
      return;
    (*futures_)[found->second.index].start_s.push_back(to_seconds(at - from_));
  }

  void job_ended(const JobOutcome& outcome) override {
    const auto found = watched_.find(outcome.id.value);
    if (found == watched_.end())
      return;
    --left_;
    if (outcome.finished)
      (*futures_)[found->second.index].finish_s.push_back(to_seconds(*outcome.finished - from_));
  }

  [[nodiscard]] bool advanced(const SimulationProgress& /*progress*/,
                              Scheduler& /*scheduler*/) override {
    return left_ > 0;
  }

 private:
  struct Watched {
    std::size_t index = 0;
    bool started = false;
  };

  TimePoint from_{};
  std::vector<WaitFutures>* futures_;
  std::unordered_map<std::string, Watched> watched_{};
  std::size_t left_ = 0;
};

/// What is known of the jobs now; throws InvalidInput for a state that lacks one.
[[nodiscard]] inline std::vector<WaitFutures> futures_of(const ClusterImage& state,
                                                         std::span<const JobId> jobs) {
  std::unordered_map<std::string, bool> holds_gpus;
  for (const PoolImage& pool : state.pools) {
    for (const JobImage& image : pool.jobs)
      holds_gpus.emplace(image.job.id.value, image.held > 0);
  }
  std::vector<WaitFutures> result;
  for (const JobId& job : jobs) {
    const auto found = holds_gpus.find(job.value);
    if (found == holds_gpus.end())
      throw InvalidInput(fmt::format("job '{}'; expected a job of the state", job.value));
    result.push_back({.holds_gpus = found->second});
  }
  return result;
}

[[nodiscard]] inline bool is_all_work_known(const ClusterImage& state) {
  return std::ranges::all_of(state.pools, [](const PoolImage& pool) {
    return std::ranges::all_of(pool.jobs,
                               [](const JobImage& image) { return image.job.work.has_value(); });
  });
}

/// Draws what is truly left of each job.
inline void draw_work(const ClusterImage& state,
                      const PastJobs& past,
                      RandomStream& random,
                      SimulationOptions& options) {
  for (const PoolImage& pool : state.pools) {
    for (const JobImage& image : pool.jobs) {
      const RemainingWork& work = *image.job.work;
      const double left_s = work.continued(state.now, work.rate).left_s;
      options.true_left_s[image.job.id.value] = past.true_left_s(image.job.id, left_s, random);
    }
  }
}

}  // namespace wait_forecast_detail

VODA_INLINE std::optional<std::vector<WaitFutures>> simulate_waits(const ClusterImage& state,
                                                                   std::span<const JobId> jobs,
                                                                   const PastJobs& past,
                                                                   const FutureOptions& options) {
  if (options.futures <= 0)
    throw InvalidInput(fmt::format("futures {}; expected a number > 0", options.futures));
  std::vector<WaitFutures> result = wait_forecast_detail::futures_of(state, jobs);
  if (!wait_forecast_detail::is_all_work_known(state))
    return std::nullopt;
  const SimulationOptions& given = options.simulation;
  SimulationOptions onward{.allocator = given.allocator,
                           .placer = given.placer,
                           .start = state,
                           .resize_cost = given.resize_cost,
                           .pacing = given.pacing,
                           .patience = given.patience};
  const auto now = static_cast<std::uint64_t>(state.now.time_since_epoch().count());
  const std::uint64_t seed = given.seed + now;
  for (std::int64_t future = 0; future < options.futures; ++future) {
    RandomStream random(seed, static_cast<std::uint64_t>(future));
    wait_forecast_detail::draw_work(state, past, random, onward);
    wait_forecast_detail::JobWatch watch(jobs, state.now, result);
    [[maybe_unused]] const SimulationResult run =
        simulate(past.arrivals(state.now, random), onward, &watch);
  }
  for (WaitFutures& futures : result) {
    std::ranges::sort(futures.start_s);
    std::ranges::sort(futures.finish_s);
  }
  return result;
}

VODA_INLINE WaitForecast WaitScales::forecast(const WaitFutures& futures) const {
  WaitForecast result{.holds_gpus = futures.holds_gpus};
  if (futures.holds_gpus) {
    result.start = Forecast{};
  } else if (!futures.start_s.empty()) {
    result.start = start.scaled(forecast_of(futures.start_s));
  }
  if (!futures.finish_s.empty()) {
    const IntervalScale& scale = futures.holds_gpus ? finish_running : finish_waiting;
    result.finish = scale.scaled(forecast_of(futures.finish_s));
  }
  return result;
}

}  // namespace voda

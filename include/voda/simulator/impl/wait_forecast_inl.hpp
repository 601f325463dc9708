#pragma once

#include "voda/simulator/wait_forecast.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace wait_forecast_detail {

/// Watches one job of a run until it ends.
class JobWatch final : public SimulationObserver {
 public:
  JobWatch(const JobId& job, TimePoint from) : job_(&job), from_(from) {}

  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& /*workers*/) override {
    if (gpus > 0 && !start_s_ && job == *job_)
      start_s_ = to_seconds(at - from_);
  }

  void job_ended(const JobOutcome& outcome) override {
    if (outcome.id != *job_)
      return;
    is_over_ = true;
    if (outcome.finished)
      finish_s_ = to_seconds(*outcome.finished - from_);
  }

  [[nodiscard]] bool advanced(const SimulationProgress& /*progress*/,
                              Scheduler& /*scheduler*/) override {
    return !is_over_;
  }

  void add_to(JobFutures& futures) const {
    if (start_s_ && !futures.holds_gpus)
      futures.start_s.push_back(*start_s_);
    if (finish_s_)
      futures.finish_s.push_back(*finish_s_);
  }

 private:
  const JobId* job_;
  TimePoint from_{};
  std::optional<double> start_s_{};
  std::optional<double> finish_s_{};
  bool is_over_ = false;
};

/// Null for a state without the job.
[[nodiscard]] inline const JobImage* find(const ClusterImage& state, const JobId& job) {
  for (const PoolImage& pool : state.pools) {
    const auto found = std::ranges::find(
        pool.jobs, job, [](const JobImage& image) -> const JobId& { return image.job.id; });
    if (found != pool.jobs.end())
      return &*found;
  }
  return nullptr;
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

VODA_INLINE std::optional<JobFutures> simulate_job_futures(const ClusterImage& state,
                                                           const JobId& job,
                                                           const PastJobs& past,
                                                           const FutureOptions& options) {
  if (options.futures <= 0)
    throw InvalidInput(fmt::format("futures {}; expected a number > 0", options.futures));
  const JobImage* const image = wait_forecast_detail::find(state, job);
  if (image == nullptr)
    throw InvalidInput(fmt::format("job '{}'; expected a job of the state", job.value));
  if (!wait_forecast_detail::is_all_work_known(state))
    return std::nullopt;
  const SimulationOptions& given = options.simulation;
  SimulationOptions onward{.allocator = given.allocator,
                           .placer = given.placer,
                           .start = state,
                           .resize_cost = given.resize_cost,
                           .pacing = given.pacing,
                           .patience = given.patience};
  JobFutures result{.holds_gpus = image->held > 0};
  const auto now = static_cast<std::uint64_t>(state.now.time_since_epoch().count());
  const std::uint64_t seed = given.seed + now;
  for (std::int64_t future = 0; future < options.futures; ++future) {
    RandomStream random(seed, static_cast<std::uint64_t>(future));
    wait_forecast_detail::draw_work(state, past, random, onward);
    wait_forecast_detail::JobWatch watch(job, state.now);
    [[maybe_unused]] const SimulationResult run =
        simulate(past.arrivals(state.now, random), onward, &watch);
    watch.add_to(result);
  }
  return result;
}

VODA_INLINE WaitForecast WaitScales::forecast(const JobFutures& futures) const {
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

VODA_INLINE void WaitScales::started(const WaitForecast& given, double actual_s) {
  if (given.start && !given.holds_gpus)
    start.learn(*given.start, actual_s);
}

VODA_INLINE void WaitScales::finished(const WaitForecast& given, double actual_s) {
  if (given.finish)
    (given.holds_gpus ? finish_running : finish_waiting).learn(*given.finish, actual_s);
}

}  // namespace voda

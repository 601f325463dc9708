#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/event.hpp"
#include "voda/model/ids.hpp"
#include "voda/scheduler/cluster_state.hpp"
#include "voda/simulator/past_jobs.hpp"
#include "voda/simulator/wait_forecast.hpp"

namespace voda {

/// Foretells when jobs start and end, and learns from what comes of it: follows a scheduler, a run or a record.
///
/// What happens is told in the order in which it does, by the three functions or by observe(), which takes them from events.
class WaitForecaster {
 public:
  /// Throws InvalidInput for options out of their ranges.
  explicit WaitForecaster(FutureOptions options);

  /// A job was submitted, with what is told of its work. Throws InvalidInput as PastJobs::submitted() does.
  void submitted(Job job, TimePoint at);

  /// A job got GPUs; only the first time teaches something.
  void started(const JobId& job, TimePoint at);

  /// A job ended after `work_s` seconds on one GPU; 0 where nobody knows.
  void ended(const JobId& job, TimePoint at, double work_s);

  /// An event is about to be applied to `before`. What a job truly took is what ran by its end.
  void observe(const Event& event, const ClusterState& before);

  /// Takes on a state as of which events go on: of jobs that were not known what is left counts as told, those that are not there
  /// are forgotten.
  void resume(const ClusterImage& state);

  /// When each of `jobs`, which must be in `state`, will start and end. Nothing when the work of a job of the state is unknown.
  /// Throws InvalidInput as simulate_waits() does.
  [[nodiscard]] std::optional<std::vector<WaitForecast>> forecast(
      const ClusterImage& state, std::span<const JobId> jobs) const;

  /// Learns from what comes of a forecast that was given at `made`; of several for one job from the first.
  void follow(const JobId& job, const WaitForecast& given, TimePoint made);

  /// Ends of followed jobs so far.
  [[nodiscard]] std::int64_t outcomes() const { return outcomes_; }

  [[nodiscard]] const WaitScales& scales() const { return scales_; }

 private:
  /// A followed forecast. Late: its p90 has passed, and that was learned.
  struct Open {
    WaitForecast given{};
    TimePoint made{};
    std::int64_t number = 0;
    bool has_started = false;
    bool is_start_late = false;
    bool is_finish_late = false;
  };

  struct Due {
    std::string job{};
    std::int64_t number = 0;  // of the forecast: an id may come again
    bool is_finish = false;
  };

  /// Learns that outcomes are above p90 whose p90 has passed.
  void pass(TimePoint now);
  static void learn(IntervalScale& scale, const Forecast& given, double actual_s, bool is_late);

  FutureOptions options_{};
  PastJobs past_;
  WaitScales scales_{};
  std::unordered_map<std::string, Open> open_{};
  std::multimap<double, Due> due_{};  // by the second at which p90 passes
  std::int64_t followed_ = 0;
  std::int64_t outcomes_ = 0;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/wait_forecaster_inl.hpp"
#endif

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "voda/config.hpp"
#include "voda/simulator/forecast.hpp"
#include "voda/simulator/simulator.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// How good a set of forecasts was.
struct ForecastScore {
  std::int64_t outcomes = 0;
  std::int64_t below = 0;  // outcomes below p10
  std::int64_t above = 0;  // and above p90
  double pinball_s = 0;    // mean pinball_loss() over the outcomes
  /// The same of the quantiles of all past lengths that were known at the time.
  double plain_pinball_s = 0;
  double width_s = 0;  // mean of p90 - p10

  /// Share of the outcomes from p10 to p90; 0 without outcomes.
  [[nodiscard]] double coverage() const;
};

/// The forecasts of one quantity.
struct ForecastScores {
  ForecastScore all{};
  ForecastScore waited{};  // of jobs that waited for more than a minute before they started
};

struct WaitStudyOptions {
  std::int64_t most_forecasts = 1000;      // > 0: every k-th job, so that there are no more
  std::int64_t futures = 20;               // > 0: of each forecast
  Duration memory = std::chrono::days(7);  // > 0: of PastJobs
};

struct WaitStudy {
  SimulationResult run{};
  std::int64_t forecasts = 0;  // for jobs of the second half
  std::int64_t open = 0;       // of these, without an end when the run was over
  ForecastScores start{};      // seconds to the first start
  ForecastScores finish{};     // seconds to the end
};

/// Simulates a trace, and forecasts start and end of its jobs when each is first decided about, from what a scheduler knows then:
/// the state, what was told of the work of jobs, how far off that was for those that have ended, past submissions, and what came
/// of earlier forecasts (WaitForecaster). The second half of the jobs is held back: only their forecasts are scored. Nothing that
/// is scored has been looked at before.
///
/// `goes_on` is asked between instants; the study ends early, with what it has, when it says no. Throws InvalidInput as
/// simulate() does, and for options out of their ranges.
[[nodiscard]] WaitStudy study_waits(
    const Trace& trace,
    const SimulationOptions& options,
    const WaitStudyOptions& how = {},
    const std::function<bool(const SimulationProgress&)>& goes_on = {});

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/wait_study_inl.hpp"
#endif

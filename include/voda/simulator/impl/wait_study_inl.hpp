#pragma once

#include "voda/simulator/wait_study.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/simulator/wait_forecaster.hpp"

namespace voda {
namespace wait_study_detail {

/// Past lengths, ascending.
class PastLengths {
 public:
  void add(double length_s) {
    lengths_s_.insert(std::ranges::upper_bound(lengths_s_, length_s), length_s);
  }

  /// All 0 without any.
  [[nodiscard]] Forecast quantiles() const {
    return lengths_s_.empty() ? Forecast{} : forecast_of(lengths_s_);
  }

 private:
  std::vector<double> lengths_s_{};
};

/// Adds an outcome to a score whose means are sums still.
inline void add(ForecastScore& sums,
                const Forecast& given,
                const Forecast& plain,
                double actual_s) {
  ++sums.outcomes;
  sums.below += actual_s < given.p10_s ? 1 : 0;
  sums.above += actual_s > given.p90_s ? 1 : 0;
  sums.pinball_s += pinball_loss(given, actual_s);
  sums.plain_pinball_s += pinball_loss(plain, actual_s);
  sums.width_s += given.p90_s - given.p10_s;
}

inline void average(ForecastScore& sums) {
  if (sums.outcomes == 0)
    return;
  const auto count = static_cast<double>(sums.outcomes);
  sums.pinball_s /= count;
  sums.plain_pinball_s /= count;
  sums.width_s /= count;
}

/// A forecast whose end is not known yet.
struct OpenForecast {
  TimePoint submitted{};
  TimePoint made{};
  WaitForecast given{};
  Forecast plain_wait{};
  Forecast plain_stay{};
  bool is_held_back = false;
  std::optional<Duration> waited{};
};

/// A job that is asked about.
struct Chosen {
  TimePoint submitted{};
  bool is_held_back = false;
};

/// Follows a run and forecasts on the way.
class Study final : public SimulationObserver {
 public:
  Study(const Trace& trace,
        const SimulationOptions& options,
        const WaitStudyOptions& how,
        const std::function<bool(const SimulationProgress&)>& goes_on)
      : goes_on_(&goes_on),
        forecaster_({.simulation = options, .futures = how.futures, .memory = how.memory}) {
    const std::size_t jobs = trace.jobs.size();
    const auto most = static_cast<std::size_t>(how.most_forecasts);
    const std::size_t apart = jobs / most + (jobs % most == 0 ? 0 : 1);
    for (std::size_t i = 0; i < jobs; i += apart)
      chosen_.emplace(trace.jobs[i].id.value,
                      Chosen{.submitted = trace.jobs[i].submitted, .is_held_back = i >= jobs / 2});
  }

  void decided(const Scheduler& scheduler, const Decision& decision) override {
    for (const PoolDecision& decided : decision.pools)
      see_arrivals(scheduler.state().pools()[decided.pool], decision.at);
    for (Job& job : std::exchange(arrived_, {})) {
      if (chosen_.contains(job.id.value))
        asked_.push_back(job.id);
      waiting_.emplace(job.id.value, job.submitted);
      forecaster_.submitted(std::move(job), decision.at);
    }
  }

  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& /*workers*/) override {
    const auto waiting = waiting_.find(job.value);
    if (gpus == 0 || waiting == waiting_.end())
      return;
    forecaster_.started(job, at);
    if (const auto open = open_.find(job.value); open != open_.end())
      start(open->second, at);
    past_waits_.add(to_seconds(at - waiting->second));
    waiting_.erase(waiting);
  }

  void job_ended(const JobOutcome& outcome) override {
    if (outcome.finished) {
      forecaster_.ended(outcome.id, *outcome.finished, outcome.work_s);
      past_stays_.add(to_seconds(outcome.jct()));
    }
    const auto open = open_.find(outcome.id.value);
    if (open == open_.end())
      return;
    if (outcome.finished) {
      finish(open->second, outcome);
    } else if (open->second.is_held_back) {
      ++study_.open;
    }
    open_.erase(open);
  }

  [[nodiscard]] std::optional<ClusterImage> restarted(
      const std::function<ClusterImage()>& image) override {
    if (asked_.empty())
      return std::nullopt;
    ask(image(), std::exchange(asked_, {}));
    return std::nullopt;
  }

  [[nodiscard]] bool advanced(const SimulationProgress& progress,
                              Scheduler& /*scheduler*/) override {
    return !*goes_on_ || (*goes_on_)(progress);
  }

  [[nodiscard]] WaitStudy taken(SimulationResult run) && {
    for (ForecastScores* const scores : {&study_.start, &study_.finish}) {
      average(scores->all);
      average(scores->waited);
    }
    study_.run = std::move(run);
    return std::move(study_);
  }

 private:
  /// Jobs that are new since the last decision stand last.
  void see_arrivals(const PoolState& pool, TimePoint now) {
    for (const JobIndex job : std::views::reverse(pool.arrival_order())) {
      if (!seen_.insert(pool.jobs().id[job].value).second)
        return;
      arrived_.push_back(pool.job(job, now));
    }
  }

  void ask(const ClusterImage& state, const std::vector<JobId>& jobs) {
    const auto forecasts = forecaster_.forecast(state, jobs);
    if (!forecasts)
      return;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const WaitForecast& given = (*forecasts)[i];
      const std::string& job = jobs[i].value;
      forecaster_.follow(jobs[i], given, state.now);
      OpenForecast& open = open_[job];
      const Chosen& chosen = chosen_.at(job);
      open = {.submitted = chosen.submitted,
              .made = state.now,
              .given = given,
              .plain_wait = past_waits_.quantiles(),
              .plain_stay = past_stays_.quantiles(),
              .is_held_back = chosen.is_held_back};
      study_.forecasts += open.is_held_back ? 1 : 0;
      if (given.holds_gpus)
        start(open, state.now);
    }
  }

  void start(OpenForecast& open, TimePoint at) {
    const double actual_s = to_seconds(at - open.made);
    open.waited = at - open.submitted;
    score(study_.start, open, open.given.start, open.plain_wait, actual_s);
  }

  void finish(const OpenForecast& open, const JobOutcome& outcome) {
    const double actual_s = to_seconds(*outcome.finished - open.made);
    score(study_.finish, open, open.given.finish, open.plain_stay, actual_s);
  }

  static void score(ForecastScores& scores,
                    const OpenForecast& open,
                    const std::optional<Forecast>& given,
                    const Forecast& plain,
                    double actual_s) {
    if (!open.is_held_back || !given)
      return;
    add(scores.all, *given, plain, actual_s);
    if (open.waited > std::chrono::minutes(1))
      add(scores.waited, *given, plain, actual_s);
  }

  const std::function<bool(const SimulationProgress&)>* goes_on_;
  WaitForecaster forecaster_;
  std::unordered_map<std::string, Chosen> chosen_{};  // to be asked about
  std::unordered_set<std::string> seen_{};
  std::vector<Job> arrived_{};  // since the last decision, as are those asked about
  std::unordered_map<std::string, TimePoint> waiting_{};  // submissions of jobs that never started
  std::vector<JobId> asked_{};
  std::unordered_map<std::string, OpenForecast> open_{};
  PastLengths past_waits_{};
  PastLengths past_stays_{};
  WaitStudy study_{};
};

}  // namespace wait_study_detail

VODA_INLINE double ForecastScore::coverage() const {
  if (outcomes == 0)
    return 0;
  return static_cast<double>(outcomes - below - above) / static_cast<double>(outcomes);
}

VODA_INLINE WaitStudy study_waits(const Trace& trace,
                                  const SimulationOptions& options,
                                  const WaitStudyOptions& how,
                                  const std::function<bool(const SimulationProgress&)>& goes_on) {
  if (how.most_forecasts <= 0)
    throw InvalidInput(fmt::format("most_forecasts {}; expected a number > 0", how.most_forecasts));
  wait_study_detail::Study study(trace, options, how, goes_on);
  SimulationResult run = simulate(trace, options, &study);
  return std::move(study).taken(std::move(run));
}

}  // namespace voda

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
#include "voda/simulator/quantiles.hpp"

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
    if (lengths_s_.empty())
      return {};
    return {.p10_s = quantile_of(lengths_s_, 0.1),
            .p50_s = quantile_of(lengths_s_, 0.5),
            .p90_s = quantile_of(lengths_s_, 0.9)};
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

/// Follows a run and forecasts on the way.
class Study final : public SimulationObserver {
 public:
  Study(const Trace& trace,
        const SimulationOptions& options,
        const WaitStudyOptions& how,
        const std::function<bool(const SimulationProgress&)>& goes_on)
      : goes_on_(&goes_on),
        futures_{.simulation = options, .futures = how.futures},
        past_(how.memory) {
    const std::size_t jobs = trace.jobs.size();
    const auto most = static_cast<std::size_t>(how.most_forecasts);
    const std::size_t apart = jobs / most + (jobs % most == 0 ? 0 : 1);
    for (std::size_t i = 0; i < jobs; i += apart)
      is_held_back_.emplace(trace.jobs[i].id.value, i >= jobs / 2);
  }

  void decided(const Scheduler& scheduler, const Decision& decision) override {
    for (const PoolDecision& decided : decision.pools)
      see_arrivals(scheduler.state().pools()[decided.pool], decision.at);
    for (Job& job : std::exchange(arrived_, {})) {
      if (is_held_back_.contains(job.id.value))
        asked_.push_back(job.id);
      waiting_.emplace(job.id.value, job.submitted);
      job.submitted = decision.at;  // when it was seen: pools may be decided at different times
      past_.submitted(std::move(job));
    }
  }

  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& /*workers*/) override {
    const auto waiting = waiting_.find(job.value);
    if (gpus == 0 || waiting == waiting_.end())
      return;
    if (const auto open = open_.find(job.value); open != open_.end())
      start(open->second, at);
    past_waits_.add(to_seconds(at - waiting->second));
    waiting_.erase(waiting);
  }

  void job_ended(const JobOutcome& outcome) override {
    if (outcome.finished) {
      past_.ended(outcome.id, outcome.work_s);
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
    const ClusterImage state = image();
    for (const JobId& job : std::exchange(asked_, {}))
      ask(state, job);
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

  void ask(const ClusterImage& state, const JobId& job) {
    const auto futures = simulate_job_futures(state, job, past_, futures_);
    if (!futures)
      return;
    const JobImage& image = *wait_forecast_detail::find(state, job);
    OpenForecast& open = open_[job.value];
    open = {.submitted = image.job.submitted,
            .made = state.now,
            .given = scales_.forecast(*futures),
            .plain_wait = past_waits_.quantiles(),
            .plain_stay = past_stays_.quantiles(),
            .is_held_back = is_held_back_.at(job.value)};
    study_.forecasts += open.is_held_back ? 1 : 0;
    if (futures->holds_gpus)
      start(open, state.now);
  }

  void start(OpenForecast& open, TimePoint at) {
    const double actual_s = to_seconds(at - open.made);
    open.waited = at - open.submitted;
    score(study_.start, open, open.given.start, open.plain_wait, actual_s);
    scales_.started(open.given, actual_s);
  }

  void finish(const OpenForecast& open, const JobOutcome& outcome) {
    const double actual_s = to_seconds(*outcome.finished - open.made);
    score(study_.finish, open, open.given.finish, open.plain_stay, actual_s);
    scales_.finished(open.given, actual_s);
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
  FutureOptions futures_{};
  PastJobs past_;
  std::unordered_map<std::string, bool> is_held_back_{};  // of the jobs that are asked about
  std::unordered_set<std::string> seen_{};
  std::vector<Job> arrived_{};  // since the last decision, as are those asked about
  std::unordered_map<std::string, TimePoint> waiting_{};  // submissions of jobs that never started
  std::vector<JobId> asked_{};
  std::unordered_map<std::string, OpenForecast> open_{};
  PastLengths past_waits_{};
  PastLengths past_stays_{};
  WaitScales scales_{};
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

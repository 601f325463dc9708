#pragma once

#include "voda/simulator/wait_forecaster.hpp"

#include <unordered_set>
#include <utility>
#include <variant>

namespace voda {
namespace wait_forecaster_detail {

/// What is left of what was told, below 0 when more ran; nothing where the work is unknown.
[[nodiscard]] inline std::optional<double> left_s(const ClusterState& state,
                                                  const JobId& job,
                                                  TimePoint now) {
  const auto found = state.find(job);
  if (!found)
    return std::nullopt;
  const auto work = state.pools()[found->pool].job(found->job, now).work;
  return work ? std::optional(work->left_s) : std::nullopt;
}

}  // namespace wait_forecaster_detail

VODA_INLINE WaitForecaster::WaitForecaster(FutureOptions options)
    : options_(std::move(options)), past_(options_.memory) {}

VODA_INLINE void WaitForecaster::submitted(Job job, TimePoint at) {
  pass(at);
  job.submitted = at;  // by the clock of events: jobs of several pools may be told late
  past_.submitted(std::move(job));
}

VODA_INLINE void WaitForecaster::started(const JobId& job, TimePoint at) {
  pass(at);
  const auto found = open_.find(job.value);
  if (found == open_.end() || std::exchange(found->second.has_started, true))
    return;
  const Open& open = found->second;
  if (open.given.start)
    learn(scales_.start, *open.given.start, to_seconds(at - open.made), open.is_start_late);
}

VODA_INLINE void WaitForecaster::ended(const JobId& job, TimePoint at, double work_s) {
  pass(at);
  past_.ended(job, work_s);
  const auto found = open_.find(job.value);
  if (found == open_.end())
    return;
  const Open& open = found->second;
  if (open.given.finish) {
    learn(scales_.finish(open.given.holds_gpus),
          *open.given.finish,
          to_seconds(at - open.made),
          open.is_finish_late);
  }
  open_.erase(found);
  ++outcomes_;
}

VODA_INLINE void WaitForecaster::observe(const Event& event, const ClusterState& before) {
  const auto done_s = [&](const JobId& job) -> std::optional<double> {
    const auto told_s = past_.told_s(job);
    const auto left_s = wait_forecaster_detail::left_s(before, job, event.at);
    return told_s && left_s ? std::optional(*told_s - *left_s) : std::nullopt;
  };
  if (const auto* submission = std::get_if<JobSubmitted>(&event.body)) {
    submitted(submission->job, event.at);
    if (submission->held > 0)
      started(submission->job.id, event.at);
  } else if (const auto* measured = std::get_if<JobMeasured>(&event.body)) {
    if (measured->remaining_s)
      past_.told(measured->job, done_s(measured->job).value_or(0) + *measured->remaining_s);
  } else if (const auto* decided = std::get_if<Decided>(&event.body)) {
    for (const Holding& holding : decided->changed) {
      if (holding.gpus > 0)
        started(holding.job, event.at);
    }
  } else if (const auto* finished = std::get_if<JobFinished>(&event.body)) {
    ended(finished->job, event.at, done_s(finished->job).value_or(0));
  }
}

VODA_INLINE void WaitForecaster::resume(const ClusterImage& state) {
  std::unordered_set<std::string> there;
  for (const PoolImage& pool : state.pools) {
    for (const JobImage& image : pool.jobs) {
      there.insert(image.job.id.value);
      const auto& work = image.job.work;
      past_.found(image.job.id, work ? work->continued(state.now, work->rate).left_s : 0);
    }
  }
  past_.forget_unless(there);
  std::erase_if(open_, [&there](const auto& open) { return !there.contains(open.first); });
}

VODA_INLINE std::optional<std::vector<WaitForecast>> WaitForecaster::forecast(
    const ClusterImage& state, std::span<const JobId> jobs) const {
  const auto futures = simulate_waits(state, jobs, past_, options_);
  if (!futures)
    return std::nullopt;
  std::vector<WaitForecast> result;
  result.reserve(futures->size());
  for (const WaitFutures& of_job : *futures)
    result.push_back(scales_.forecast(of_job));
  return result;
}

VODA_INLINE void WaitForecaster::follow(const JobId& job,
                                        const WaitForecast& given,
                                        TimePoint made) {
  const std::int64_t number = followed_;
  const Open open{.given = given, .made = made, .number = number, .has_started = given.holds_gpus};
  if (!open_.emplace(job.value, open).second)
    return;
  ++followed_;
  const auto add_due = [&](const Forecast& forecast, bool is_finish) {
    due_.emplace(to_seconds(made) + forecast.p90_s,
                 Due{.job = job.value, .number = number, .is_finish = is_finish});
  };
  if (given.start && !given.holds_gpus)
    add_due(*given.start, false);
  if (given.finish)
    add_due(*given.finish, true);
}

VODA_INLINE void WaitForecaster::pass(TimePoint now) {
  while (!due_.empty() && due_.begin()->first < to_seconds(now)) {
    const Due due = due_.extract(due_.begin()).mapped();
    const auto found = open_.find(due.job);
    if (found == open_.end() || found->second.number != due.number)
      continue;
    Open& open = found->second;
    if (due.is_finish) {
      open.is_finish_late = true;
      scales_.finish(open.given.holds_gpus).learn_upper(true);
    } else if (!open.has_started) {
      open.is_start_late = true;
      scales_.start.learn_upper(true);
    }
  }
}

VODA_INLINE void WaitForecaster::learn(IntervalScale& scale,
                                       const Forecast& given,
                                       double actual_s,
                                       bool is_late) {
  scale.learn_lower(actual_s < given.p10_s);
  if (!is_late)
    scale.learn_upper(false);
}

}  // namespace voda

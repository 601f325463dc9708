#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "voda/model/job.hpp"
#include "voda/model/plan.hpp"
#include "voda/simulator/report.hpp"
#include "voda/simulator/resize_cost.hpp"

namespace voda::simulator_detail {

/// The truth about one job of a run: what it has left and what it has received. The scheduler only hears of it by events.
class JobRun {
 public:
  JobRun(const Job& job, Duration checkpoint_interval)
      : job_(&job),
        work_(job.work.value_or(RemainingWork{})),
        checkpoint_interval_(checkpoint_interval),
        checkpoint_left_s_(work_.left_s) {
    work_ = {.left_s = work_.left_s, .since = job.submitted};
    settled_at_ = job.submitted;
    outcome_.id = job.id;
    outcome_.submitted = job.submitted;
    outcome_.work_s = work_.left_s;
  }

  /// A job of the state that the run begins with at `now`: what it holds, on how many nodes, and the truth about its work.
  JobRun(const Job& job,
         const RemainingWork& work,
         GpuCount held,
         std::int32_t span,
         TimePoint now,
         Duration checkpoint_interval)
      : JobRun(job, checkpoint_interval) {
    work_ = work;
    checkpoint_left_s_ = work.at(now);
    gpus_ = held;
    span_ = span;
    settled_at_ = now;
    const Counters& before = job.progress.lifetime;
    outcome_.gpu_time = before.service;
    outcome_.executed = before.executed;
    outcome_.waited = before.waited;
    outcome_.first_started = job.progress.first_started;
    outcome_.starts = job.progress.first_started || held > 0 ? 1 : 0;
    outcome_.work_s = checkpoint_left_s_;
  }

  [[nodiscard]] const Job& job() const { return *job_; }

  [[nodiscard]] const RemainingWork& work() const { return work_; }

  [[nodiscard]] const JobOutcome& outcome() const { return outcome_; }

  [[nodiscard]] bool is_ended() const { return outcome_.status == JobStatus::finished; }

  /// Grows with every change of the completion instant, so that older entries of the queue are known to be stale.
  [[nodiscard]] std::uint32_t version() const { return version_; }

  /// Applies one action of a plan; `span` is the number of nodes after it. Returns the end of the stall when there is one.
  [[nodiscard]] std::optional<TimePoint> apply(const Action& action,
                                               std::int32_t span,
                                               TimePoint now,
                                               const ResizeCost& cost) {
    settle(now);
    count(action, now);
    if (action.gpus_after != gpus_ || span != span_) {
      work_ = work_.continued(now, job_->speedup.at_span(action.gpus_after, span));
    }
    const bool is_first_start = outcome_.starts == 1 && action.kind() == ActionKind::start;
    gpus_ = action.gpus_after;
    span_ = span;
    ++version_;
    if (action.kind() == ActionKind::stop)
      return std::nullopt;
    const Duration price = is_first_start ? Duration{} : cost.price(gpus_);
    if (price.count() == 0 && work_.stalled_until <= now)
      return std::nullopt;
    work_ = work_.continued(now, work_.rate);
    work_.stalled_until = now + price;
    return work_.stalled_until;
  }

  /// A node under the job was lost: work since the last checkpoint is gone, and nothing moves until the next decision.
  /// Returns what is left.
  [[nodiscard]] double fail(TimePoint now) {
    settle(now);
    work_ = work_.continued(now, work_.rate);
    if (checkpoint_interval_.count() > 0)
      work_.left_s = checkpoint_left_s_;
    work_.stalled_until = never;
    ++version_;
    return std::max(0.0, work_.left_s);
  }

  /// True between a failure and the decision that follows it.
  [[nodiscard]] bool is_failed() const { return gpus_ > 0 && work_.stalled_until == never; }

  /// The decision after a failure left the job where it was, on nodes that are back: it starts anew there.
  [[nodiscard]] TimePoint resume(TimePoint now, const ResizeCost& cost) {
    settle(now);
    work_ = work_.continued(now, work_.rate);
    work_.stalled_until = now + cost.price(gpus_);
    ++version_;
    return work_.stalled_until;
  }

  /// What is left now.
  [[nodiscard]] double left(TimePoint now) const { return work_.at(now); }

  /// What was left at the last checkpoint.
  [[nodiscard]] double checkpointed_left(TimePoint now) {
    settle(now);
    return checkpoint_left_s_;
  }

  void finish(TimePoint now, double fairness) {
    settle(now);
    outcome_.finished = now;
    outcome_.fairness = fairness;
    outcome_.status = JobStatus::finished;
    ++version_;
  }

  /// Brings the counters up to date.
  void settle(TimePoint now) {
    const Duration elapsed = now - settled_at_;
    if (gpus_ > 0) {
      remember_checkpoint(elapsed);
      const TimePoint stall_end = std::min(now, work_.stalled_until);
      if (stall_end > settled_at_)
        outcome_.stalled += stall_end - settled_at_;
    }
    Counters counters{
        .service = outcome_.gpu_time, .executed = outcome_.executed, .waited = outcome_.waited};
    accrue(counters, gpus_, elapsed);
    outcome_.gpu_time = counters.service;
    outcome_.executed = counters.executed;
    outcome_.waited = counters.waited;
    settled_at_ = now;
  }

 private:
  /// Keeps what was left at the last multiple of the interval of the job's own running time.
  void remember_checkpoint(Duration elapsed) {
    if (checkpoint_interval_.count() == 0)
      return;
    const Duration reached = outcome_.executed + elapsed;
    const Duration latest = reached / checkpoint_interval_ * checkpoint_interval_;
    if (latest <= outcome_.executed)
      return;
    const TimePoint at = settled_at_ + (latest - outcome_.executed);
    checkpoint_left_s_ = work_.continued(at, work_.rate).left_s;
  }

  void count(const Action& action, TimePoint now) {
    switch (action.kind()) {
      case ActionKind::start:
        ++outcome_.starts;
        if (!outcome_.first_started)
          outcome_.first_started = now;
        return;
      case ActionKind::stop:
        ++outcome_.preemptions;
        return;
      case ActionKind::resize:
        ++outcome_.resizes;
        return;
      case ActionKind::migrate:
        ++outcome_.migrations;
        return;
    }
  }

  const Job* job_;
  RemainingWork work_{};
  Duration checkpoint_interval_{};
  double checkpoint_left_s_ = 0;
  GpuCount gpus_ = 0;
  std::int32_t span_ = 0;
  std::uint32_t version_ = 0;
  TimePoint settled_at_{};
  JobOutcome outcome_{};
};

}  // namespace voda::simulator_detail

#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <queue>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/simulator/impl/fairness.hpp"
#include "voda/simulator/impl/job_run.hpp"
#include "voda/simulator/impl/lost_jobs.hpp"
#include "voda/simulator/impl/progress_watch.hpp"
#include "voda/simulator/impl/run_figures.hpp"
#include "voda/simulator/impl/simulated_nodes.hpp"
#include "voda/simulator/impl/starting_state.hpp"
#include "voda/simulator/impl/told_work.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::simulator_detail {

/// One run: takes the earliest instant, applies everything that happens then, decides the pools that have a reason.
class SimulationRun {
 public:
  SimulationRun(const Trace& trace,
                const SimulationOptions& options,
                SimulationObserver& observer,
                const Stopwatch& stopwatch)
      : trace_(&trace),
        options_(&options),
        observer_(&observer),
        stopwatch_(&stopwatch),
        start_(starting_instant(trace, options)),
        scheduler_(options.allocator, options.placer, starting_state(options)),
        nodes_(options, start_),
        told_(options.estimate_error, options.seed),
        watch_(options) {
    check(trace);
    scheduler_.record_to(options.record_to);
    for (const Node& node : options.nodes)
      scheduler_.observe({.at = TimePoint::min(), .body = NodeJoined{node}});
    now_ = start_;
    if (options.start)
      take_over(*options.start);
    for (const auto& [id, left_s] : options.true_left_s) {
      if (!run_of_id_.contains(id)) {
        throw InvalidInput(
            fmt::format("true_left_s: job '{}'; expected a job of the state to start from", id));
      }
    }
    runs_.reserve(runs_.size() + trace.jobs.size());
  }

  [[nodiscard]] SimulationResult run() {
    while (const auto next = next_instant()) {
      if (options_->max_time && *next > start_ + *options_->max_time) {
        end_ = SimulationEnd::time_limit;
        advance_to(start_ + *options_->max_time);
        break;
      }
      advance_to(*next);
      finish_jobs();
      change_nodes();
      submit_jobs();
      decide();
      restart_if_asked();
      const SimulationProgress progress{
          .now = now_, .jobs = job_count(), .ended = static_cast<std::int64_t>(outcomes_.size())};
      if (!observer_->advanced(progress, scheduler_)) {
        end_ = SimulationEnd::stopped;
        break;
      }
      if (!watch_.sees_progress(runs_, now_)) {
        end_ = SimulationEnd::no_progress;
        break;
      }
    }
    return result();
  }

 private:
  using Completion =
      std::tuple<TimePoint, std::size_t, std::uint32_t>;  // when, whose, of which version

  /// One pool as the run sees it.
  struct PoolRun {
    DecisionPacer pacer{};
    std::int64_t active = 0;
    WideTime active_time = 0;  // integral of `active` over time, job-microseconds
  };

  /// The jobs that are there when the run begins, and when their pools are to be decided.
  void take_over(const ClusterImage& image) {
    for (std::size_t i = 0; i < scheduler_.state().pools().size(); ++i) {
      const PoolState& pool = scheduler_.state().pools()[i];
      PacerState pacer = image.pools[i].pacer;
      if (!pacer.due)
        pacer.due = pool.review_at();
      pool_run(i).pacer = DecisionPacer(options_->pacing, pacer);
      if (pool.is_due())
        pool_run(i).pacer.trigger(now_, Trigger::change);
      for (const JobIndex slot : pool.arrival_order())
        take_over(i, slot);
      pool_run(i).active = static_cast<std::int64_t>(pool.arrival_order().size());
    }
  }

  void take_over(std::size_t pool_index, JobIndex slot) {
    const PoolState& pool = scheduler_.state().pools()[pool_index];
    const Job& job = taken_over_.emplace_back(pool.job(slot, now_));
    if (!job.work) {
      throw InvalidInput(fmt::format(
          "job '{}': work_s is missing; expected it, the run needs to know when it ends",
          job.id.value));
    }
    const double told_s = std::max(0.0, job.work->left_s);
    const auto known = options_->true_left_s.find(job.id.value);
    const double true_s = known == options_->true_left_s.end() ? told_.truth(job.id, told_s)
                                                               : told_.truth(told_s, known->second);
    RemainingWork work = pool.jobs().work[slot];
    if (true_s != told_s)
      work = {
          .left_s = true_s, .since = now_, .rate = work.rate, .stalled_until = work.stalled_until};
    const GpuCount held = pool.jobs().current[slot];
    const std::int32_t span = PoolState::span_of(pool.assigned()[slot]);
    const std::size_t index = runs_.size();
    run_of_id_.emplace(job.id.value, index);
    active_time_at_arrival_.push_back(0);
    runs_.emplace_back(job, work, held, span, now_, options_->checkpoint_interval);
    if (runs_[index].is_failed()) {
      failed_.emplace_back(index, pool_index);
    } else {
      expect_completion(index);
    }
  }

  /// All jobs of the run, those that are not there yet included.
  [[nodiscard]] std::int64_t job_count() const {
    return static_cast<std::int64_t>(taken_over_.size() + trace_->jobs.size());
  }

  [[nodiscard]] std::optional<TimePoint> next_instant() {
    drop_stale_completions();
    const bool has_arrivals = next_arrival_ < trace_->jobs.size();
    if (!has_arrivals && outcomes_.size() == runs_.size())
      return std::nullopt;
    std::optional<TimePoint> earliest;
    const auto consider = [&earliest](TimePoint at) {
      if (!earliest || at < *earliest)
        earliest = at;
    };
    if (has_arrivals)
      consider(trace_->jobs[next_arrival_].submitted);
    if (!completions_.empty())
      consider(std::get<0>(completions_.top()));
    for (const PoolRun& pool : pools_) {
      if (const auto due = pool.pacer.due())
        consider(*due);
    }
    const auto change = nodes_.next();
    if (change && (earliest || nodes_.has_listed() || may_repairs_help()))
      consider(*change);
    return earliest ? std::optional(std::max(*earliest, now_)) : std::nullopt;
  }

  /// Random failures go on for ever, so they alone keep no run alive: only a repair that may let a waiting job start does.
  [[nodiscard]] bool may_repairs_help() const {
    if (!nodes_.has_repairs())
      return false;
    for (const PoolState& pool : scheduler_.state().pools()) {
      const std::int64_t gpus = nodes_.gpus_when_repaired(pool.gpu_type());
      const auto fits = [&pool, gpus](JobIndex job) { return pool.jobs().sizes[job].min <= gpus; };
      if (std::ranges::any_of(pool.arrival_order(), fits))
        return true;
    }
    return false;
  }

  void restart_if_asked() {
    const auto image = observer_->restarted([this] {
      ClusterImage whole = scheduler_.state().image();
      for (std::size_t i = 0; i < whole.pools.size(); ++i)
        whole.pools[i].pacer = pool_run(i).pacer.state();
      return whole;
    });
    if (!image)
      return;
    scheduler_.restore(ClusterState::from_image(*image));
    for (std::size_t i = 0; i < image->pools.size(); ++i)
      pool_run(i).pacer = DecisionPacer(options_->pacing, image->pools[i].pacer);
  }

  void advance_to(TimePoint next) {
    const std::int64_t elapsed = (next - now_).count();
    for (PoolRun& pool : pools_) {
      pool.active_time += WideTime{pool.active} * elapsed;
    }
    figures_.pass(scheduler_.state(), elapsed);
    now_ = next;
  }

  void drop_stale_completions() {
    while (!completions_.empty()) {
      const auto& [at, index, version] = completions_.top();
      if (runs_[index].version() == version)
        return;
      completions_.pop();
    }
  }

  [[nodiscard]] PoolRun& pool_run(std::size_t pool) {
    while (pools_.size() <= pool)
      pools_.push_back({.pacer = DecisionPacer(options_->pacing)});
    return pools_[pool];
  }

  void finish_jobs() {
    for (drop_stale_completions(); !completions_.empty() && std::get<0>(completions_.top()) <= now_;
         drop_stale_completions()) {
      const std::size_t index = std::get<1>(completions_.top());
      completions_.pop();
      JobRun& run = runs_[index];
      const JobId& id = run.job().id;
      const JobLocation at = *scheduler_.state().find(id);
      run.finish(now_, fairness_of(run.job(), at.pool, active_time_at_arrival_[index]));
      scheduler_.observe({.at = now_, .body = JobFinished{id}});
      PoolRun& pool = pool_run(at.pool);
      --pool.active;
      pool.pacer.trigger(now_, Trigger::change);
      figures_.job_finished(run.outcome());
      outcomes_.push_back(run.outcome());
      watch_.moved();
      observer_->allocation_changed(now_, id, 0, {});
      observer_->job_ended(run.outcome());
    }
  }

  [[nodiscard]] double fairness_of(const Job& job,
                                   std::size_t pool,
                                   WideTime active_time_before) const {
    const Duration stay = std::max(Duration(1), now_ - job.submitted);
    const Duration seen = std::max(Duration(1), now_ - std::max(start_, job.submitted));
    const auto active = static_cast<double>(pools_[pool].active_time - active_time_before);
    const double mean_jobs = std::max(1.0, active / static_cast<double>(seen.count()));
    return finish_time_fairness(job, stay, mean_jobs, scheduler_.state().pools()[pool].capacity());
  }

  void submit_jobs() {
    while (next_arrival_ < trace_->jobs.size() && trace_->jobs[next_arrival_].submitted <= now_) {
      const Job& job = trace_->jobs[next_arrival_++];
      scheduler_.observe({.at = now_, .body = JobSubmitted{.job = told_.next(job)}});
      const JobLocation at = *scheduler_.state().find(job.id);
      PoolRun& pool = pool_run(at.pool);
      const PoolState& state = scheduler_.state().pools()[at.pool];
      const bool fits = state.jobs().sizes[at.job].min <= state.free_gpus();
      pool.pacer.trigger(now_, fits ? Trigger::arrival_that_fits : Trigger::change);
      ++pool.active;
      watch_.moved();
      run_of_id_.emplace(job.id.value, runs_.size());
      active_time_at_arrival_.push_back(pool.active_time);
      runs_.emplace_back(job, options_->checkpoint_interval);
    }
  }

  void change_nodes() {
    for (const NodeChange& change : nodes_.take(now_)) {
      const NodeEvent& event = change.event;
      if (change.source == Source::listed)
        watch_.moved();
      const bool was_up = nodes_.is_up(event.node);
      const auto node = nodes_.apply(change);
      if (!node)
        continue;
      const bool is_up = nodes_.is_up(event.node);
      const std::size_t pool = *scheduler_.state().find_pool(node->gpu_type);
      if (was_up && !is_up)
        fail_jobs_on(*node, pool);
      if (!is_up) {
        scheduler_.observe({.at = now_, .body = NodeLeft{event.node}});
      } else if (was_up) {
        scheduler_.observe({.at = now_, .body = NodeChanged{*node}});
      } else {
        scheduler_.observe({.at = now_, .body = NodeJoined{*node}});
      }
      pool_run(pool).pacer.trigger(now_, Trigger::change);
    }
  }

  [[nodiscard]] std::vector<JobIndex> jobs_on(const Node& node, std::size_t pool) const {
    const PoolState& state = scheduler_.state().pools()[pool];
    if (options_->placer != nullptr)
      return jobs_placed_on(node.id, state);
    const std::int64_t begin = nodes_.gpus_before(node.id);
    const std::int64_t end = node.schedulable ? begin + node.gpus : begin;
    return jobs_packed_on(begin, end, state, [this, pool](JobIndex job) {
      return runs_[run_of(job, pool)].is_failed();
    });
  }

  void fail_jobs_on(const Node& node, std::size_t pool) {
    const std::vector<JobIndex> hit = jobs_on(node, pool);
    for (const JobIndex job : hit) {
      const std::size_t index = run_of(job, pool);
      JobRun& run = runs_[index];
      failed_.emplace_back(index, pool);
      JobMeasured measured{.job = run.job().id, .stalled_until = never};
      const double left_s = run.fail(now_);
      if (options_->checkpoint_interval.count() > 0)
        measured.remaining_s = told_.left(index, left_s);
      scheduler_.observe({.at = now_, .body = measured});
    }
  }

  void decide() {
    std::vector<std::size_t> due;
    for (std::size_t pool = 0; pool < pools_.size(); ++pool) {
      const auto at = pools_[pool].pacer.due();
      if (at && *at <= now_)
        due.push_back(pool);
    }
    if (due.empty())
      return;
    const Duration before = *stopwatch_ ? (*stopwatch_)() : Duration{};
    const Decision decision = scheduler_.decide(now_, due);
    observer_->decided(scheduler_, decision);
    scheduler_.commit();
    if (*stopwatch_)
      figures_.spend((*stopwatch_)() - before);
    for (const PoolDecision& pool : decision.pools)
      carry_out(pool);
  }

  void carry_out(const PoolDecision& decision) {
    PoolRun& pool = pool_run(decision.pool);
    pool.pacer.decided(now_, decision.allocation.review_at);
    figures_.decided(decision, pool.active);
    for (const Action& action : decision.plan.actions) {
      carry_out(decision, action);
    }
    resume_failed(decision.pool);
  }

  void resume_failed(std::size_t pool) {
    for (const auto& [index, failed_in] : failed_) {
      if (failed_in == pool && !runs_[index].is_ended() && runs_[index].is_failed()) {
        stall(index, runs_[index].resume(now_, options_->resize_cost));
        expect_completion(index);
      }
    }
    std::erase_if(failed_, [pool](const auto& failed) { return failed.second == pool; });
  }

  void stall(std::size_t index, TimePoint until) {
    const JobId& id = runs_[index].job().id;
    scheduler_.observe({.at = now_, .body = JobMeasured{.job = id, .stalled_until = until}});
  }

  void expect_completion(std::size_t index) {
    const JobRun& run = runs_[index];
    if (!(run.work().rate > 0))
      return;
    const TimePoint done = run.work().done_at();
    if (done == never) {
      throw InvalidInput(
          fmt::format("job '{}': work_s {} at speed {} ends beyond what a clock can hold",
                      run.job().id.value,
                      run.work().left_s,
                      run.work().rate));
    }
    completions_.emplace(done, index, run.version());
  }

  /// By name, since a scheduler restored from a checkpoint may use other slots.
  [[nodiscard]] std::size_t run_of(JobIndex job, std::size_t pool) const {
    return run_of_id_.at(scheduler_.state().pools()[pool].jobs().id[job].value);
  }

  void carry_out(const PoolDecision& decision, const Action& action) {
    const std::size_t index = run_of(action.job, decision.pool);
    JobRun& run = runs_[index];
    const WorkerMap workers = workers_after(decision, action);
    const auto span = static_cast<std::int32_t>(workers.size());
    const auto stalled_until = run.apply(action, span, now_, options_->resize_cost);
    if (stalled_until)
      stall(index, *stalled_until);
    expect_completion(index);
    observer_->allocation_changed(now_, run.job().id, action.gpus_after, workers);
  }

  [[nodiscard]] WorkerMap workers_after(const PoolDecision& decision, const Action& action) const {
    WorkerMap result;
    const PoolState& state = scheduler_.state().pools()[decision.pool];
    for (const NodeIndex node : decision.plan.after(action)) {
      result[state.nodes().id[node]] += state.jobs().sizes[action.job].gpus_per_worker;
    }
    return result;
  }

  void end_unfinished() {
    const std::size_t arrived = runs_.size();
    while (next_arrival_ < trace_->jobs.size())
      runs_.emplace_back(trace_->jobs[next_arrival_++], options_->checkpoint_interval);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      JobRun& run = runs_[i];
      if (run.is_ended())
        continue;
      if (i < arrived)
        run.settle(now_);
      outcomes_.push_back(run.outcome());
      observer_->job_ended(run.outcome());
    }
  }

  [[nodiscard]] SimulationResult result() {
    if (end_ != SimulationEnd::stopped)
      end_unfinished();
    SimulationResult result{.summary = summarize(outcomes_), .end = end_};
    SimulationSummary& summary = result.summary;
    summary.jobs = job_count();
    summary.unfinished = summary.jobs - summary.finished;
    figures_.fill(summary);
    result.outcomes = std::move(outcomes_);
    return result;
  }

  const Trace* trace_;
  const SimulationOptions* options_;
  SimulationObserver* observer_;
  const Stopwatch* stopwatch_;
  TimePoint start_{};
  TimePoint now_{};
  Scheduler scheduler_;
  SimulatedNodes nodes_;
  ToldWork told_;
  std::deque<Job> taken_over_{};  // from the starting state; runs point to them
  std::vector<JobRun> runs_{};    // in arrival order
  std::unordered_map<std::string_view, std::size_t> run_of_id_{};
  std::vector<std::pair<std::size_t, std::size_t>>
      failed_{};  // run and pool, since the last decision
  std::vector<WideTime> active_time_at_arrival_{};
  std::vector<PoolRun> pools_{};
  std::size_t next_arrival_ = 0;
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> completions_{};
  std::vector<JobOutcome> outcomes_{};
  RunFigures figures_{};
  ProgressWatch watch_;
  SimulationEnd end_ = SimulationEnd::no_event_left;
};

}  // namespace voda::simulator_detail

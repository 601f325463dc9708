#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "voda/model/units.hpp"
#include "voda/scheduler/cluster_state.hpp"
#include "voda/scheduler/decision.hpp"
#include "voda/simulator/report.hpp"

namespace voda::simulator_detail {

__extension__ using WideTime =
    __int128;  ///< GPU-microseconds of a large cluster over decades exceed 64 bits

/// Adds up what a summary says beyond the outcomes of the jobs.
class RunFigures {
 public:
  /// `elapsed` microseconds went by in this state.
  void pass(const ClusterState& state, std::int64_t elapsed) {
    std::int64_t capacity = 0;
    std::int64_t held = 0;
    for (const PoolState& pool : state.pools()) {
      capacity += pool.capacity();
      held += pool.capacity() - pool.free_gpus();
    }
    held_time_ += WideTime{held} * elapsed;
    capacity_time_ += WideTime{capacity} * elapsed;
  }

  void job_finished(const JobOutcome& outcome) {
    capacity_time_at_last_end_ = capacity_time_;
    held_time_at_last_end_ = held_time_;
    finished_work_s_ += outcome.work_s;
  }

  /// A pool with `active` jobs was decided.
  void decided(const PoolDecision& decision, std::int64_t active) {
    active_jobs_.push_back(static_cast<double>(active));
    if (!decision.placement)
      return;
    moved_workers_ += decision.placement->cost.moved;
    forced_moves_ += decision.placement->cost.forced;
  }

  void spend(Duration decision_time) { decision_time_ += decision_time; }

  void fill(SimulationSummary& summary) const {
    if (capacity_time_at_last_end_ > 0) {
      const auto there = static_cast<double>(capacity_time_at_last_end_);
      summary.utilization_held = static_cast<double>(held_time_at_last_end_) / there;
      summary.utilization_useful = finished_work_s_ * 1e6 / there;
    }
    summary.moved_workers = moved_workers_;
    summary.forced_moves = forced_moves_;
    summary.decisions = static_cast<std::int64_t>(active_jobs_.size());
    summary.decision_time_s = to_seconds(decision_time_);
    const Distribution active = distribution_of(active_jobs_);
    summary.active_jobs_median = static_cast<std::int64_t>(active.p50);
    summary.active_jobs_p99 = static_cast<std::int64_t>(active.p99);
  }

 private:
  std::vector<double> active_jobs_{};
  WideTime capacity_time_ = 0;
  WideTime capacity_time_at_last_end_ = 0;
  WideTime held_time_ = 0;
  WideTime held_time_at_last_end_ = 0;
  double finished_work_s_ = 0;
  std::int64_t moved_workers_ = 0;
  std::int64_t forced_moves_ = 0;
  Duration decision_time_{};
};

}  // namespace voda::simulator_detail

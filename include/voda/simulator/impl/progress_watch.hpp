#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "voda/simulator/impl/job_run.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::simulator_detail {

/// Notices that a run gets nowhere, so that it ends: random failures or a policy's reviews could go on for ever.
///
/// Looks at the jobs only once in `patience` instants, so it costs next to nothing.
class ProgressWatch {
 public:
  explicit ProgressWatch(const SimulationOptions& options)
      : patience_(options.patience),
        counts_checkpoints_(options.failures && options.checkpoint_interval.count() > 0) {}

  /// A job arrived or ended, or a listed event happened: that cannot go on for ever.
  void moved() { instants_ = 0; }

  /// Called once for each instant. False when `patience` of them brought nothing new and no job got nearer to its end than
  /// it was at the last look, in work that random failures cannot take back.
  [[nodiscard]] bool sees_progress(std::vector<JobRun>& runs, TimePoint now) {
    if (++instants_ < patience_)
      return true;
    instants_ = 0;
    bool is_nearer = false;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (runs[i].is_ended())
        continue;
      if (least_left_s_.size() <= i)
        least_left_s_.resize(i + 1, never_looked_at);
      const double left_s =
          counts_checkpoints_ ? runs[i].checkpointed_left(now) : runs[i].left(now);
      const double least_s = std::min(least_left_s_[i], runs[i].outcome().work_s);
      is_nearer = is_nearer || left_s < least_s;
      least_left_s_[i] = std::min(least_s, left_s);
    }
    return is_nearer;
  }

 private:
  static constexpr double never_looked_at = std::numeric_limits<double>::infinity();

  std::int64_t patience_ = 0;
  bool counts_checkpoints_ = false;
  std::int64_t instants_ = 0;
  std::vector<double> least_left_s_{};  // by run, at the looks so far
};

}  // namespace voda::simulator_detail

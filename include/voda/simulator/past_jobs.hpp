#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/job.hpp"
#include "voda/model/units.hpp"
#include "voda/simulator/random.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// What the jobs so far teach about those to come: how they are submitted, and how far what was told of their work was off.
class PastJobs {
 public:
  static constexpr std::size_t most_errors = 1000;    // the latest ones count
  static constexpr std::size_t fewest_errors = 5;     // before that, what is told is believed
  static constexpr std::size_t most_arrivals = 3000;  // of one future

  /// Jobs are drawn from those of the last `memory`, > 0; throws InvalidInput.
  explicit PastJobs(Duration memory);

  /// A job as it is submitted; `job.submitted` must not be before that of the job before. Throws InvalidInput, also for an id that
  /// has not ended.
  void submitted(Job job);

  /// A job that was there before this past begins, told `work_s` seconds on one GPU, 0 for nothing; it is no submission. A known id
  /// is left alone.
  void found(const JobId& id, double work_s);

  /// All of a job's work is estimated anew, in seconds on one GPU. Unknown ids are left alone.
  void told(const JobId& id, double work_s);

  /// A job that was submitted ended, after `work_s` seconds on one GPU; 0: nobody knows how many, and nothing is learned. Unknown
  /// ids are left alone.
  void ended(const JobId& id, double work_s);

  /// Forgets jobs that have not ended, but for those of `ids`.
  void forget_unless(const std::unordered_set<std::string>& ids);

  /// What is told of the work of a job that has not ended, 0 for nothing; absent for an unknown job.
  [[nodiscard]] std::optional<double> told_s(const JobId& id) const;

  /// Submissions as they may come after `now`: those of the memory, from a random moment of it on and round again, at their
  /// distances, with ids of their own. Empty while fewer than two are known.
  [[nodiscard]] Trace arrivals(TimePoint now, RandomStream& random) const;

  /// What may truly be left of a job when `left_s` seconds are left of what was told: the told work times a random one of the past
  /// ratios of true to told work that leave something, no more than `max_seconds`. What is told, at least 0, for a job that is
  /// unknown or told no work, and while fewer than `fewest_errors` are known.
  [[nodiscard]] double true_left_s(const JobId& id, double left_s, RandomStream& random) const;

 private:
  Duration memory_{};
  std::deque<Job> jobs_{};                            // of the memory, by submission
  std::unordered_map<std::string, double> told_s_{};  // of jobs that have not ended
  std::deque<double> ratios_{};                       // true over told work
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/past_jobs_inl.hpp"
#endif

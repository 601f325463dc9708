#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "voda/model/allocation.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::peers {

/// AFS-L as published and as Voda 0.2.2 runs it: each step folds the pairwise comparison over all contestants
/// (policies.md, section 8).
///
/// Voda's defects are mended: it ignores minimums and panics when they exceed 1.
class AfsL {
 public:
  explicit AfsL(const AllocationProblem& problem)
      : columns_(problem.columns.get()),
        now_(problem.now),
        left_(problem.capacity),
        gpus_(columns_->size()),
        contest_(*problem.arrival_order) {}

  [[nodiscard]] Allocation run() {
    while (true) {
      std::erase_if(contest_, [this](JobIndex job) { return leaves(job); });
      if (contest_.empty())
        return gpus_;
      JobIndex champion = contest_.front();
      for (std::size_t i = 1; i < contest_.size(); ++i) {
        if (!champion_wins(champion, contest_[i]))
          champion = contest_[i];
      }
      left_ -= cost(champion);
      gpus_[champion] = next(champion);
    }
  }

 private:
  [[nodiscard]] GpuCount next(JobIndex job) const {
    return next_size(columns_->sizes[job], gpus_[job]);
  }

  [[nodiscard]] GpuCount cost(JobIndex job) const { return next(job) - gpus_[job]; }

  [[nodiscard]] double speed(JobIndex job, GpuCount n) const { return columns_->speedup[job](n); }

  [[nodiscard]] double time(JobIndex job, GpuCount n) const {
    return n == 0 ? std::numeric_limits<double>::infinity()
                  : columns_->work[job].at(now_) / speed(job, n);
  }

  [[nodiscard]] bool leaves(JobIndex job) const {
    return next(job) == 0 || cost(job) > left_ || speed(job, next(job)) <= speed(job, gpus_[job]);
  }

  [[nodiscard]] bool champion_wins(JobIndex a, JobIndex b) const {
    if (gpus_[a] == 0 && gpus_[b] == 0)
      return time(a, next(a)) < time(b, next(b));
    return time(a, gpus_[a]) < time(b, gpus_[b]) ? shorter_wins(a, b) : !shorter_wins(b, a);
  }

  [[nodiscard]] bool shorter_wins(JobIndex l, JobIndex h) const {
    const double gain_l = speed(l, next(l)) - speed(l, gpus_[l]);
    const double gain_h = speed(h, next(h)) - speed(h, gpus_[h]);
    return gain_l / (cost(l) * speed(l, gpus_[l])) > gain_h / (cost(h) * speed(h, next(h)));
  }

  const JobColumns* columns_;
  voda::TimePoint now_;
  GpuCount left_;
  Allocation gpus_;
  std::vector<JobIndex> contest_{};
};

[[nodiscard]] inline Allocation afs_l(const AllocationProblem& problem) {
  return AfsL(problem).run();
}

}  // namespace voda::peers

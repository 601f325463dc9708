#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "voda/model/allocation.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::test {

/// Elastic-Tiresias as policies.md, section 6, says it, for one threshold of 3600 GPU-seconds,
/// without promotion, and for counters that are up to date: every step looks at every job and size.
class PlainElasticTiresias {
 public:
  explicit PlainElasticTiresias(const AllocationProblem& problem)
      : columns_(problem.columns.get()),
        left_(problem.capacity),
        gpus_(columns_->size()),
        order_(*problem.arrival_order) {
    std::ranges::sort(order_, {}, [this](JobIndex job) {
      return std::tuple(queue(job),
                        columns_->current[job] == 0,
                        columns_->last_started[job],
                        columns_->submitted[job],
                        columns_->id[job]);
    });
  }

  [[nodiscard]] Allocation run(std::ptrdiff_t compact_above) {
    for (const JobIndex job : order_) {
      if (columns_->requested[job] <= left_)
        give(job, columns_->requested[job]);
    }
    const auto waiting =
        std::ranges::count_if(order_, [this](JobIndex job) { return gpus_[job] == 0; });
    if (waiting > compact_above)
      compact();
    while (expand()) {
    }
    return gpus_;
  }

  /// How many times a job was shrunk.
  [[nodiscard]] std::size_t shrunk() const { return shrunk_.size(); }

 private:
  [[nodiscard]] int queue(JobIndex job) const {
    return columns_->clock[job].since_promotion.service.gpu_microseconds < 3600000000 ? 0 : 1;
  }

  void give(JobIndex job, GpuCount size) {
    left_ -= size - gpus_[job];
    gpus_[job] = size;
  }

  void compact() {
    std::vector<JobIndex> started;
    for (const JobIndex job : order_) {
      if (gpus_[job] > 0)
        continue;
      const GpuCount wanted = columns_->sizes[job].min;
      const Allocation before = gpus_;
      const GpuCount left_before = left_;
      const auto shrunk_before = shrunk_;
      for (std::size_t i = order_.size(); i-- > 0 && left_ < wanted;) {
        const bool is_started = std::ranges::find(started, order_[i]) != started.end();
        if (gpus_[order_[i]] > 0 && queue(order_[i]) > 0 && !is_started)
          shrink(order_[i], wanted - left_);
      }
      if (left_ >= wanted) {
        give(job, wanted);
        started.push_back(job);
        continue;
      }
      gpus_ = before;
      left_ = left_before;
      shrunk_ = shrunk_before;
    }
  }

  void shrink(JobIndex job, GpuCount needed) {
    const GpuCount minimum = columns_->sizes[job].min;
    if (gpus_[job] == minimum)
      return;
    GpuCount size = gpus_[job];
    while (size > minimum &&
           (gpus_[job] - size < needed || !is_allowed(columns_->sizes[job], size)))
      --size;
    give(job, size);
    shrunk_.push_back(job);
  }

  /// One step; false when nobody gains.
  [[nodiscard]] bool expand() {
    double best = 0;
    JobIndex winner{};
    GpuCount target = 0;
    for (const JobIndex job : order_) {
      if (std::ranges::find(shrunk_, job) != shrunk_.end())
        continue;
      const auto& speed = columns_->speedup[job];
      for (GpuCount n = next_size(columns_->sizes[job], gpus_[job]);
           n != 0 && n - gpus_[job] <= left_;
           n = next_size(columns_->sizes[job], n)) {
        const double gain = (speed(n) - speed(gpus_[job])) / (n - gpus_[job]);
        const bool is_cheaper =
            target > 0 && gain >= best && n - gpus_[job] < target - gpus_[winner];
        if (!(gain > best || is_cheaper))
          continue;
        best = gain;
        winner = job;
        target = n;
      }
    }
    if (target > 0)
      give(winner, target);
    return target > 0;
  }

  const JobColumns* columns_;
  GpuCount left_;
  Allocation gpus_;
  std::vector<JobIndex> order_;
  std::vector<JobIndex> shrunk_{};
};

}  // namespace voda::test

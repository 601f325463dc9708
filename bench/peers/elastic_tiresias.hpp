#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "peers/rigid.hpp"
#include "voda/model/allocation.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::peers {

/// Elastic-Tiresias as Voda 0.2.2 runs it: after the base and compaction, the whole list of candidates is sorted by gain
/// again for each growth, and its head grows (policies.md, section 6).
///
/// Deviations that policies.md demands: growth by any allowed size, not by one GPU only; ties end at Tiresias order, not
/// at who was served last. Voda gives a job with equal minimum and maximum one GPU too many and panics; not here.
class ElasticTiresias {
 public:
  explicit ElasticTiresias(const AllocationProblem& problem, double knob = 8)
      : columns_(problem.columns.get()),
        left_(problem.capacity),
        gpus_(columns_->size()),
        queue_(columns_->size()),
        is_shrunk_(columns_->size()),
        is_started_(columns_->size()),
        order_(tiresias_order(problem, knob)) {
    for (const JobIndex job : order_)
      queue_[job] = tiresias_queue(problem, job, knob);
    give_requests(problem, order_, left_, gpus_);
  }

  [[nodiscard]] Allocation run(std::ptrdiff_t compact_above = 10) {
    const auto waiting =
        std::ranges::count_if(order_, [this](JobIndex job) { return gpus_[job] == 0; });
    if (waiting > compact_above)
      compact();
    expand();
    return gpus_;
  }

  /// How many jobs were shrunk.
  [[nodiscard]] std::ptrdiff_t shrunk() const { return std::ranges::count(is_shrunk_, true); }

 private:
  /// The best growth of one job.
  struct Offer {
    double gain = 0;
    GpuCount cost = 0;
    std::size_t position = 0;  // in Tiresias order
  };

  void give(JobIndex job, GpuCount size) {
    left_ -= size - gpus_[job];
    gpus_[job] = size;
  }

  void compact() {
    for (const JobIndex job : order_) {
      const GpuCount wanted = columns_->sizes[job].min;
      if (gpus_[job] > 0 || !(columns_->speedup[job](wanted) > 0))
        continue;
      std::vector<std::pair<JobIndex, GpuCount>> before;
      for (std::size_t i = order_.size(); i-- > 0 && left_ < wanted;) {
        const JobIndex donor = order_[i];
        if (gpus_[donor] == 0 || queue_[donor] == 0 || is_started_[donor])
          continue;
        before.emplace_back(donor, gpus_[donor]);
        shrink(donor, wanted - left_);
      }
      if (left_ >= wanted) {
        give(job, wanted);
        is_started_[job] = true;
        for (const auto& [donor, size] : before)
          is_shrunk_[donor] = is_shrunk_[donor] || gpus_[donor] < size;
      } else {
        for (const auto& [donor, size] : before)
          give(donor, size);
      }
    }
  }

  void shrink(JobIndex job, GpuCount needed) {
    const GpuCount size = largest_size(columns_->sizes[job], gpus_[job] - needed);
    give(job, size > 0 ? size : columns_->sizes[job].min);
  }

  [[nodiscard]] Offer best_offer(std::size_t position) const {
    const JobIndex job = order_[position];
    const auto& speed = columns_->speedup[job];
    Offer best{.position = position};
    for (GpuCount n = next_size(columns_->sizes[job], gpus_[job]);
         n != 0 && n - gpus_[job] <= left_;
         n = next_size(columns_->sizes[job], n)) {
      const GpuCount cost = n - gpus_[job];
      const double gain = (speed(n) - speed(gpus_[job])) / cost;
      if (gain > best.gain)
        best = {.gain = gain, .cost = cost, .position = position};
    }
    return best;
  }

  void expand() {
    std::vector<Offer> offers;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (!is_shrunk_[order_[i]])
        offers.push_back(best_offer(i));
    }
    while (!offers.empty()) {
      for (Offer& offer : offers) {
        if (offer.cost > left_)
          offer = best_offer(offer.position);
      }
      std::ranges::sort(offers, [](const Offer& a, const Offer& b) {
        return std::tuple(-a.gain, a.cost, a.position) < std::tuple(-b.gain, b.cost, b.position);
      });
      Offer& head = offers.front();
      if (!(head.gain > 0))
        return;
      give(order_[head.position], gpus_[order_[head.position]] + head.cost);
      head = best_offer(head.position);
    }
  }

  const JobColumns* columns_;
  GpuCount left_;
  Allocation gpus_;
  IndexedVector<JobIndex, int> queue_;
  IndexedVector<JobIndex, char> is_shrunk_;
  IndexedVector<JobIndex, char> is_started_;
  std::vector<JobIndex> order_;
};

[[nodiscard]] inline Allocation elastic_tiresias(const AllocationProblem& problem) {
  return ElasticTiresias(problem).run();
}

}  // namespace voda::peers

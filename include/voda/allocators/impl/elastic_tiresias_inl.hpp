#pragma once

#include "voda/allocators/elastic_tiresias.hpp"

#include <algorithm>
#include <utility>

#include "voda/allocators/impl/expansion.hpp"
#include "voda/allocators/impl/tiresias_queues.hpp"

namespace voda {
namespace elastic_tiresias_detail {

using allocators_detail::QueuedJob;
using allocators_detail::TiresiasOrder;

/// Shrinks jobs of the lower queues, last in Tiresias order first, as far as needed.
class Compaction {
 public:
  Compaction(const JobColumns& columns, const TiresiasOrder& order, Allocation& gpus, GpuCount left)
      : columns_(&columns), gpus_(&gpus), left_(left), was_shrunk_(columns.size(), 0) {
    for (const QueuedJob& queued : order.jobs) {
      const GpuCount spare = gpus[queued.job] - columns.sizes[queued.job].min;
      if (queued.queue == 0 || spare <= 0)
        continue;
      donors_.push_back(queued.job);
      freeable_ += spare;
    }
  }

  /// Starts a job at its minimum if enough is free or can be freed.
  void start(JobIndex job) {
    const GpuCount minimum = allocators_detail::useful_minimum(*columns_, job);
    if (minimum - left_ > freeable_)
      return;
    while (left_ < minimum)
      shrink_last(minimum - left_);
    (*gpus_)[job] = minimum;
    left_ -= minimum;
  }

  [[nodiscard]] GpuCount left() const { return left_; }

  [[nodiscard]] bool was_shrunk(JobIndex job) const { return was_shrunk_[position(job)] != 0; }

 private:
  void shrink_last(GpuCount needed) {
    const JobIndex donor = donors_.back();
    const AllowedSizes& sizes = columns_->sizes[donor];
    const GpuCount before = (*gpus_)[donor];
    const GpuCount after = std::max(sizes.min, largest_size(sizes, before - needed));
    if (after == sizes.min)
      donors_.pop_back();
    (*gpus_)[donor] = after;
    was_shrunk_[position(donor)] = 1;
    left_ += before - after;
    freeable_ -= before - after;
  }

  const JobColumns* columns_;
  Allocation* gpus_;
  GpuCount left_ = 0;
  std::int64_t freeable_ = 0;
  std::vector<JobIndex> donors_{};
  std::vector<std::uint8_t> was_shrunk_{};
};

}  // namespace elastic_tiresias_detail

VODA_INLINE void ElasticTiresiasOptions::read(OptionReader& reader) {
  allocators_detail::read_tiresias_options(reader, thresholds, knob);
  reader.read("compact_above",
              compact_above,
              {.min = 0, .max = 1e9},
              "running jobs shrink for waiting ones when more than this many hold nothing");
}

VODA_INLINE ElasticTiresias::ElasticTiresias(ElasticTiresiasOptions options)
    : options_(std::move(options)) {
  static_cast<void>(allocators_detail::tiresias_rules(options_.thresholds, options_.knob, name));
}

VODA_INLINE AllocationDecision ElasticTiresias::allocate(const AllocationProblem& problem) const {
  namespace detail = allocators_detail;
  const JobColumns& columns = *problem.columns;
  const auto rules = detail::tiresias_rules(options_.thresholds, options_.knob, name);
  auto order = detail::tiresias_order(problem, rules);
  AllocationDecision decision = detail::empty_decision(problem);
  const GpuCount left = detail::serve_requested(problem, order, decision.gpus);
  const auto holds_nothing = [&](const detail::QueuedJob& queued) {
    return decision.gpus[queued.job] == 0;
  };
  elastic_tiresias_detail::Compaction compaction(columns, order, decision.gpus, left);
  if (std::ranges::count_if(order.jobs, holds_nothing) > options_.compact_above) {
    for (const auto& queued : order.jobs) {
      if (holds_nothing(queued))
        compaction.start(queued.job);
    }
  }
  elastic_tiresias_detail::Expansion expansion(columns, order, decision.gpus, compaction.left());
  for (std::uint32_t rank = 0; rank < order.jobs.size(); ++rank) {
    if (!compaction.was_shrunk(order.jobs[rank].job))
      expansion.add(rank);
  }
  expansion.run();
  decision.review_at = detail::next_review(problem, order, rules, decision.gpus);
  decision.resets = std::move(order.promoted);
  return decision;
}

}  // namespace voda

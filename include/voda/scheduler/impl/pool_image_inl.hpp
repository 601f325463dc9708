#pragma once

#include <utility>

#include "voda/scheduler/pool_state.hpp"

namespace voda {

VODA_INLINE JobImage PoolState::image(JobIndex slot) const {
  const JobClock& clock = columns_->clock[slot];
  JobImage result{.job = job(slot, clock.counted_at),
                  .lifetime_before = records_[slot].lifetime_before,
                  .clock = clock,
                  .held = columns_->current[slot],
                  .node_of_worker = names_of(assigned_[slot]),
                  .observed_node_of_worker = names_of(observed_[slot]),
                  .span = records_[slot].span};
  if (result.job.work)
    result.job.work = columns_->work[slot];
  return result;
}

VODA_INLINE PoolImage PoolState::image() const {
  PoolImage result{.gpu_type = gpu_type_,
                   .counted_gpus = counted_gpus_,
                   .review_at = review_at_,
                   .is_due = is_due_};
  for (std::size_t i = 0; i < nodes_->size(); ++i) {
    const auto node = IndexedVector<NodeIndex, int>::index_of(i);
    result.nodes.push_back({.node = {.id = nodes_->id[node],
                                     .gpu_type = gpu_type_,
                                     .gpus = nodes_->gpus[node],
                                     .domains = nodes_->domains[node],
                                     .schedulable = nodes_->state[node] == NodeState::schedulable},
                            .is_lost = nodes_->state[node] == NodeState::lost});
  }
  result.jobs.reserve(arrival_order_->size());
  for (const JobIndex slot : *arrival_order_)
    result.jobs.push_back(image(slot));
  return result;
}

VODA_INLINE JobIndex PoolState::restore(const JobImage& image) {
  Job job = image.job;
  // Work as it is stored may be below 0: a job that was told too short, or rounding at its very end.
  if (job.work && job.work->left_s < 0 && job.work->left_s >= -max_seconds)
    job.work->left_s = 0;
  const JobIndex slot =
      submit({.job = std::move(job), .held = image.held, .node_of_worker = image.node_of_worker},
             image.clock.counted_at);
  const auto seen = node_positions(image.observed_node_of_worker);
  observed_.set(slot, seen);
  JobColumns& columns = edit_jobs();
  columns.clock[slot] = image.clock;
  if (image.job.work)
    columns.work[slot] = *image.job.work;
  records_[slot].lifetime_before = image.lifetime_before;
  records_[slot].span = image.span;
  return slot;
}

VODA_INLINE void PoolState::restore(const PoolImage& image) {
  *this = PoolState(image.gpu_type, observation_);
  if (image.counted_gpus)
    set_capacity(*image.counted_gpus);
  for (const NodeImage& node : image.nodes) {
    join(node.node);
    if (node.is_lost)
      leave(node.node.id);
  }
  for (const JobImage& job : image.jobs)
    restore(job);
  review_at_ = image.review_at;
  is_due_ = image.is_due;
}

}  // namespace voda

#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/scheduler/pool_state.hpp"

namespace voda {
namespace pool_state_detail {

inline void check_gpus(const Node& node) {
  if (node.id.value.empty())
    throw InvalidInput("node: id is empty; expected a name");
  if (node.gpus < 0) {
    throw InvalidInput(
        fmt::format("node '{}': gpus {}; expected a number >= 0", node.id.value, node.gpus));
  }
}

}  // namespace pool_state_detail

VODA_INLINE bool PoolState::has_node(const NodeId& node) const {
  const auto found = node_of_id_.find(node.value);
  return found != node_of_id_.end() && nodes_->state[found->second] != NodeState::lost;
}

VODA_INLINE void PoolState::count_capacity() {
  std::int64_t sum = counted_gpus_.value_or(0);
  for (std::size_t i = 0; i < nodes_->size(); ++i) {
    sum += nodes_->usable_gpus(IndexedVector<NodeIndex, int>::index_of(i));
  }
  constexpr std::int64_t limit = std::numeric_limits<GpuCount>::max();
  if (sum > limit) {
    throw InvalidInput(
        fmt::format("pool '{}': {} GPUs; expected at most {}", gpu_type_, sum, limit));
  }
  capacity_ = static_cast<GpuCount>(sum);
  is_due_ = true;
}

VODA_INLINE NodeIndex PoolState::node_or_lost(const NodeId& id) {
  const auto found = node_of_id_.find(id.value);
  if (found != node_of_id_.end())
    return found->second;
  const NodeIndex index = edit_nodes().push_back({.id = id});
  edit_nodes().state[index] = NodeState::lost;
  node_of_id_.emplace(id.value, index);
  return index;
}

VODA_INLINE std::vector<NodeIndex> PoolState::node_positions(std::span<const NodeId> ids) {
  std::vector<NodeIndex> result;
  result.reserve(ids.size());
  for (const NodeId& id : ids)
    result.push_back(node_or_lost(id));
  return result;
}

VODA_INLINE std::vector<NodeId> PoolState::names_of(std::span<const NodeIndex> nodes) const {
  std::vector<NodeId> result;
  result.reserve(nodes.size());
  for (const NodeIndex node : nodes)
    result.push_back(nodes_->id[node]);
  return result;
}

VODA_INLINE void PoolState::forget_lost_nodes() {
  constexpr std::ptrdiff_t worth_keeping = 64;
  const auto lost = std::ranges::count(nodes_->state, NodeState::lost);
  if (lost <= worth_keeping || lost * 2 <= static_cast<std::ptrdiff_t>(nodes_->size()))
    return;
  std::vector<std::uint8_t> is_used(nodes_->size(), 0);
  for (const JobIndex job : *arrival_order_) {
    for (const NodeIndex node : assigned_[job])
      is_used[position(node)] = 1;
    for (const NodeIndex node : observed_[job])
      is_used[position(node)] = 1;
  }
  IndexedVector<NodeIndex, NodeIndex> new_position(nodes_->size());
  NodeColumns kept;
  node_of_id_.clear();
  for (std::size_t i = 0; i < nodes_->size(); ++i) {
    const auto node = IndexedVector<NodeIndex, int>::index_of(i);
    if (nodes_->state[node] == NodeState::lost && is_used[i] == 0)
      continue;
    const NodeIndex moved = kept.push_back(
        {.id = nodes_->id[node], .gpus = nodes_->gpus[node], .domains = nodes_->domains[node]});
    kept.state[moved] = nodes_->state[node];
    node_of_id_.emplace(kept.id[moved].value, moved);
    new_position[node] = moved;
  }
  nodes_ = std::make_shared<NodeColumns>(std::move(kept));
  for (Placement* placement : {&assigned_, &observed_})
    placement->renumber(new_position);
  resolve_all_eligible();
}

VODA_INLINE void PoolState::join(const Node& node) {
  pool_state_detail::check_gpus(node);
  const bool was_known = node_of_id_.contains(node.id.value);
  const bool was_lost = !has_node(node.id);
  if (!was_known)
    forget_lost_nodes();
  const NodeIndex index = node_or_lost(node.id);
  NodeColumns& nodes = edit_nodes();
  nodes.gpus[index] = node.gpus;
  nodes.domains[index] = node.domains;
  nodes.state[index] = node.schedulable ? NodeState::schedulable : NodeState::cordoned;
  if (was_lost)
    resolve_all_eligible();
  count_capacity();
}

VODA_INLINE void PoolState::change(const Node& node) {
  join(node);
}

VODA_INLINE void PoolState::leave(const NodeId& node) {
  const NodeIndex index = node_of_id_.at(node.value);
  edit_nodes().gpus[index] = 0;
  edit_nodes().state[index] = NodeState::lost;
  count_capacity();
}

VODA_INLINE void PoolState::set_capacity(GpuCount gpus) {
  if (gpus < 0)
    throw InvalidInput(fmt::format("pool '{}': gpus {}; expected a number >= 0", gpu_type_, gpus));
  counted_gpus_ = gpus;
  count_capacity();
}

VODA_INLINE void PoolState::resolve_eligible(JobIndex job) {
  const auto& names = records_[job].spec.eligible;
  if (!names) {
    if (columns_->eligible[job] != nullptr)
      edit_jobs().eligible[job] = nullptr;
    return;
  }
  std::vector<NodeIndex> positions;
  for (const NodeId& name : *names) {
    const auto found = node_of_id_.find(name.value);
    if (found != node_of_id_.end())
      positions.push_back(found->second);
  }
  std::ranges::sort(positions);
  edit_jobs().eligible[job] = std::make_shared<const std::vector<NodeIndex>>(std::move(positions));
}

VODA_INLINE void PoolState::resolve_all_eligible() {
  for (const JobIndex job : *arrival_order_) {
    if (records_[job].spec.eligible)
      resolve_eligible(job);
  }
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
  for (const JobIndex slot : *arrival_order_) {
    const JobClock& clock = columns_->clock[slot];
    JobImage image{.job = job(slot, clock.counted_at),
                   .lifetime_before = records_[slot].lifetime_before,
                   .clock = clock,
                   .held = columns_->current[slot],
                   .node_of_worker = names_of(assigned_[slot]),
                   .observed_node_of_worker = names_of(observed_[slot]),
                   .span = records_[slot].span};
    if (image.job.work)
      image.job.work = columns_->work[slot];
    result.jobs.push_back(std::move(image));
  }
  return result;
}

VODA_INLINE void PoolState::restore(const PoolImage& image) {
  *this = PoolState(image.gpu_type, observation_);
  counted_gpus_ = image.counted_gpus;
  for (const NodeImage& node : image.nodes) {
    join(node.node);
    if (node.is_lost)
      leave(node.node.id);
  }
  count_capacity();
  for (const JobImage& job : image.jobs) {
    const JobIndex slot =
        submit({.job = job.job, .held = job.held, .node_of_worker = job.node_of_worker},
               job.clock.counted_at);
    const auto seen = node_positions(job.observed_node_of_worker);
    observed_.set(slot, seen);
    JobColumns& columns = edit_jobs();
    columns.clock[slot] = job.clock;
    if (job.job.work)
      columns.work[slot] = *job.job.work;
    records_[slot].lifetime_before = job.lifetime_before;
    records_[slot].span = job.span;
  }
  review_at_ = image.review_at;
  is_due_ = image.is_due;
}

}  // namespace voda

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

inline void check_capacity(const std::string& gpu_type, std::int64_t gpus) {
  constexpr std::int64_t limit = std::numeric_limits<GpuCount>::max();
  if (gpus > limit) {
    throw InvalidInput(
        fmt::format("pool '{}': {} GPUs; expected at most {}", gpu_type, gpus, limit));
  }
}

}  // namespace pool_state_detail

VODA_INLINE bool PoolState::has_node(const NodeId& node) const {
  const auto found = node_of_id_.find(node.value);
  return found != node_of_id_.end() && nodes_->state[found->second] != NodeState::lost;
}

VODA_INLINE void PoolState::change_capacity(std::int64_t by) {
  capacity_ = static_cast<GpuCount>(capacity_ + by);
  is_due_ = true;
}

VODA_INLINE NodeIndex PoolState::node_or_lost(const NodeId& id) {
  const auto found = node_of_id_.find(id.value);
  if (found != node_of_id_.end())
    return found->second;
  const NodeIndex index = edit_nodes().push_back({.id = id});
  edit_nodes().state[index] = NodeState::lost;
  ++lost_nodes_;
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
  constexpr std::size_t worth_keeping = 64;
  if (lost_nodes_ <= worth_keeping || lost_nodes_ * 2 <= nodes_->size())
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
  lost_nodes_ -= nodes_->size() - kept.size();
  nodes_ = std::make_shared<NodeColumns>(std::move(kept));
  for (Placement* placement : {&assigned_, &observed_})
    placement->renumber(new_position);
  resolve_all_eligible();
}

VODA_INLINE void PoolState::join(const Node& node) {
  pool_state_detail::check_gpus(node);
  const bool was_known = node_of_id_.contains(node.id.value);
  const bool was_lost = !has_node(node.id);
  const GpuCount before = was_lost ? 0 : nodes_->usable_gpus(node_of_id_.at(node.id.value));
  const std::int64_t more = std::int64_t{node.schedulable ? node.gpus : 0} - before;
  pool_state_detail::check_capacity(gpu_type_, capacity_ + more);
  if (!was_known)
    forget_lost_nodes();
  const NodeIndex index = node_or_lost(node.id);
  NodeColumns& nodes = edit_nodes();
  nodes.gpus[index] = node.gpus;
  nodes.domains[index] = node.domains;
  nodes.state[index] = node.schedulable ? NodeState::schedulable : NodeState::cordoned;
  if (was_lost) {
    --lost_nodes_;
    resolve_all_eligible();
  }
  change_capacity(more);
}

VODA_INLINE void PoolState::change(const Node& node) {
  join(node);
}

VODA_INLINE void PoolState::leave(const NodeId& node) {
  const NodeIndex index = node_of_id_.at(node.value);
  const std::int64_t gone = nodes_->usable_gpus(index);
  edit_nodes().gpus[index] = 0;
  edit_nodes().state[index] = NodeState::lost;
  ++lost_nodes_;
  change_capacity(-gone);
}

VODA_INLINE void PoolState::set_capacity(GpuCount gpus) {
  if (gpus < 0)
    throw InvalidInput(fmt::format("pool '{}': gpus {}; expected a number >= 0", gpu_type_, gpus));
  const std::int64_t more = std::int64_t{gpus} - counted_gpus_.value_or(0);
  pool_state_detail::check_capacity(gpu_type_, capacity_ + more);
  counted_gpus_ = gpus;
  change_capacity(more);
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

}  // namespace voda

#pragma once

#include "voda/placers/impl/free_nodes.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE FreeNodes::FreeNodes(std::span<const GpuCount> capacity)
    : free_(capacity.begin(), capacity.end()),
      node_of_(capacity.size()),
      rank_of_(capacity.size()) {
  std::iota(node_of_.begin(), node_of_.end(), 0);
  std::ranges::sort(node_of_, {}, [capacity](std::int32_t node) {
    return std::pair(capacity[static_cast<std::size_t>(node)], node);
  });
  for (std::size_t rank = 0; rank < node_of_.size(); ++rank) {
    rank_of_[static_cast<std::size_t>(node_of_[rank])] = static_cast<std::uint32_t>(rank);
  }
  for (std::size_t node = 0; node < capacity.size(); ++node) {
    insert(static_cast<std::int32_t>(node), capacity[node]);
  }
}

VODA_INLINE void FreeNodes::insert(std::int32_t node, GpuCount free) {
  auto found = buckets_.find(free);
  if (found == buckets_.end()) {
    if (spare_.empty())
      spare_.emplace_back(free_.size());
    found = buckets_.emplace(free, std::move(spare_.back())).first;
    spare_.pop_back();
  }
  found->second.insert(rank_of_[static_cast<std::size_t>(node)]);
}

VODA_INLINE void FreeNodes::take(std::int32_t node, GpuCount gpus) {
  GpuCount& free = free_[static_cast<std::size_t>(node)];
  const auto found = buckets_.find(free);
  found->second.erase(rank_of_[static_cast<std::size_t>(node)]);
  if (found->second.empty()) {
    spare_.push_back(std::move(found->second));
    buckets_.erase(found);
  }
  free -= gpus;
  insert(node, free);
}

VODA_INLINE std::int32_t FreeNodes::tightest(GpuCount gpus,
                                             const std::vector<NodeIndex>* eligible) const {
  if (eligible == nullptr) {
    const auto found = buckets_.lower_bound(gpus);
    return found == buckets_.end() ? no_node : first_of(found->second);
  }
  std::int32_t best = no_node;
  for (const NodeIndex index : *eligible) {
    const auto node = static_cast<std::int32_t>(position(index));
    if (position(index) >= free_.size() || free(node) < gpus)
      continue;
    const bool better = best == no_node || free(node) < free(best) ||
                        (free(node) == free(best) && is_before(node, best));
    if (better)
      best = node;
  }
  return best;
}

VODA_INLINE std::int32_t FreeNodes::emptiest(GpuCount gpus_per_worker,
                                             const std::vector<NodeIndex>* eligible) const {
  GpuCount most = buckets_.empty() ? 0 : buckets_.rbegin()->first;
  if (eligible != nullptr) {
    most = 0;
    for (const NodeIndex node : *eligible) {
      if (position(node) < free_.size())
        most = std::max(most, free_[position(node)]);
    }
  }
  const GpuCount workers = most / gpus_per_worker;
  return workers <= 0 ? no_node : tightest(workers * gpus_per_worker, eligible);
}

VODA_INLINE void FreeNodes::append_emptiest(std::size_t count,
                                            std::vector<std::int32_t>& nodes) const {
  const std::size_t end = nodes.size() + count;
  for (const auto& bucket : std::ranges::reverse_view(buckets_)) {
    for (auto rank = bucket.second.next(0); rank >= 0;
         rank = bucket.second.next(static_cast<std::size_t>(rank) + 1)) {
      if (nodes.size() == end)
        return;
      nodes.push_back(node_of_[static_cast<std::size_t>(rank)]);
    }
  }
}

}  // namespace voda::placers_detail

#pragma once

#include "voda/model/placement.hpp"

#include <algorithm>
#include <functional>

namespace voda {

VODA_INLINE void Placement::set(JobIndex job, std::span<const NodeIndex> nodes) {
  if (!ranges_.contains(job))
    ranges_.resize(position(job) + 1);
  auto& range = ranges_[job];
  workers_ += nodes.size();
  workers_ -= range.count;
  if (nodes.size() <= range.room) {
    std::ranges::copy(nodes, nodes_.begin() + range.begin);
    range.count = static_cast<std::uint32_t>(nodes.size());
    return;
  }
  if (is_inside(nodes)) {
    append(job, std::vector<NodeIndex>(nodes.begin(), nodes.end()));
  } else {
    append(job, nodes);
  }
}

/// True when the nodes lie in this placement, so that they would not survive a reallocation.
VODA_INLINE bool Placement::is_inside(std::span<const NodeIndex> nodes) const {
  const std::less<> is_before;
  return !nodes.empty() && !is_before(nodes.data(), nodes_.data()) &&
         is_before(nodes.data(), nodes_.data() + nodes_.size());
}

VODA_INLINE void Placement::append(JobIndex job, std::span<const NodeIndex> nodes) {
  ranges_[job] = {};
  if (nodes_.size() > 64 && nodes_.size() > 2 * workers_)
    compact();
  const auto begin = static_cast<std::uint32_t>(nodes_.size());
  const auto count = static_cast<std::uint32_t>(nodes.size());
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  ranges_[job] = {.begin = begin, .count = count, .room = count};
}

VODA_INLINE void Placement::truncate(JobIndex job, std::size_t count) {
  if (!ranges_.contains(job) || ranges_[job].count <= count)
    return;
  workers_ -= ranges_[job].count - count;
  ranges_[job].count = static_cast<std::uint32_t>(count);
}

VODA_INLINE void Placement::renumber(const IndexedVector<NodeIndex, NodeIndex>& new_position) {
  for (const Range& range : ranges_) {
    for (std::uint32_t i = range.begin; i < range.begin + range.count; ++i) {
      nodes_[i] = new_position[nodes_[i]];
    }
  }
}

VODA_INLINE void Placement::compact() {
  std::vector<NodeIndex> kept;
  kept.reserve(workers_);
  for (auto& range : ranges_) {
    const auto begin = static_cast<std::uint32_t>(kept.size());
    const auto first = nodes_.begin() + range.begin;
    kept.insert(kept.end(), first, first + range.count);
    range = {.begin = begin, .count = range.count, .room = range.count};
  }
  nodes_ = std::move(kept);
}

VODA_INLINE bool Placement::operator==(const Placement& other) const {
  if (workers_ != other.workers_)
    return false;
  const std::size_t slots = std::max(size(), other.size());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const auto job = IndexedVector<JobIndex, Range>::index_of(slot);
    if (!same_nodes((*this)[job], other[job]))
      return false;
  }
  return true;
}

}  // namespace voda

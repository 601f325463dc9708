#pragma once

#include "voda/model/placement.hpp"

#include <algorithm>

namespace voda {

VODA_INLINE std::span<const NodeIndex> Placement::operator[](JobIndex job) const {
  if (!ranges_.contains(job))
    return {};
  const auto& range = ranges_[job];
  return std::span(nodes_).subspan(range.begin, range.count);
}

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
  const std::vector<NodeIndex> copy(nodes.begin(), nodes.end());  // they may lie in nodes_ itself
  range = {};
  if (nodes_.size() > 64 && nodes_.size() > 2 * workers_)
    compact();
  const auto begin = static_cast<std::uint32_t>(nodes_.size());
  const auto count = static_cast<std::uint32_t>(copy.size());
  nodes_.insert(nodes_.end(), copy.begin(), copy.end());
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
    if (!std::ranges::equal((*this)[job], other[job]))
      return false;
  }
  return true;
}

}  // namespace voda

#pragma once

#include "voda/placers/impl/free_nodes.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE FreeNodes::FreeNodes(std::span<const GpuCount> capacity, std::span<const GpuCount> free)
    : free_(free.begin(), free.end()), node_of_(capacity.size()), rank_of_(capacity.size()) {
  std::iota(node_of_.begin(), node_of_.end(), 0);
  if (!std::ranges::is_sorted(capacity)) {
    std::ranges::sort(node_of_, {}, [capacity](std::int32_t node) {
      return std::pair(capacity[static_cast<std::size_t>(node)], node);
    });
  }
  for (std::size_t rank = 0; rank < node_of_.size(); ++rank) {
    rank_of_[static_cast<std::size_t>(node_of_[rank])] = static_cast<std::uint32_t>(rank);
  }
  const GpuCount largest = capacity.empty() ? 0 : std::max(0, std::ranges::max(capacity));
  bucket_count_ = static_cast<std::size_t>(std::min(largest, most_bucketed)) + 1;
  buckets_ = RankSets(bucket_count_, capacity.size());
  is_filled_.resize(bucket_count_ / 64 + 1);
  for (std::size_t node = 0; node < capacity.size(); ++node)
    insert(static_cast<std::int32_t>(node));
}

VODA_INLINE void FreeNodes::insert(std::int32_t node) {
  const std::uint32_t rank = rank_of_[static_cast<std::size_t>(node)];
  if (free(node) > most_bucketed) {
    large_.emplace(free(node), rank);
    return;
  }
  const auto at = static_cast<std::size_t>(std::max(0, free(node)));
  buckets_.insert(at, rank);
  is_filled_[at / 64] |= std::uint64_t{1} << (at % 64);
}

VODA_INLINE void FreeNodes::erase(std::int32_t node) {
  const std::uint32_t rank = rank_of_[static_cast<std::size_t>(node)];
  if (free(node) > most_bucketed) {
    large_.erase({free(node), rank});
    return;
  }
  const auto at = static_cast<std::size_t>(std::max(0, free(node)));
  buckets_.erase(at, rank);
  if (buckets_.empty(at))
    is_filled_[at / 64] &= ~(std::uint64_t{1} << (at % 64));
}

VODA_INLINE void FreeNodes::take(std::int32_t node, GpuCount gpus) {
  erase(node);
  free_[static_cast<std::size_t>(node)] -= gpus;
  insert(node);
}

VODA_INLINE std::size_t FreeNodes::next_bucket(std::size_t gpus) const {
  for (std::size_t word = gpus / 64; word < is_filled_.size(); ++word) {
    const std::uint64_t from =
        word == gpus / 64 ? ~std::uint64_t{0} << (gpus % 64) : ~std::uint64_t{0};
    if (const std::uint64_t bits = is_filled_[word] & from; bits != 0)
      return word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
  }
  return no_bucket;
}

VODA_INLINE GpuCount FreeNodes::most_free() const {
  if (!large_.empty())
    return large_.rbegin()->first;
  for (std::size_t word = is_filled_.size(); word-- > 0;) {
    if (is_filled_[word] != 0)
      return static_cast<GpuCount>(word * 64 + 63) - std::countl_zero(is_filled_[word]);
  }
  return 0;
}

VODA_INLINE std::int32_t FreeNodes::tightest(GpuCount gpus,
                                             const std::vector<NodeIndex>* eligible) const {
  if (eligible == nullptr) {
    const std::size_t at =
        gpus > most_bucketed ? no_bucket : next_bucket(static_cast<std::size_t>(gpus));
    if (at != no_bucket)
      return node_of_[buckets_.first(at)];
    const auto found = large_.lower_bound({gpus, 0});
    return found == large_.end() ? no_node : node_of_[found->second];
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
  GpuCount most = eligible == nullptr ? most_free() : 0;
  if (eligible != nullptr) {
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
  for (auto last = large_.end(); last != large_.begin() && nodes.size() < end;) {
    const auto first = large_.lower_bound({std::prev(last)->first, 0});
    for (auto next = first; next != last && nodes.size() < end; ++next)
      nodes.push_back(node_of_[next->second]);
    last = first;
  }
  for (std::size_t at = bucket_count_; at-- > 0 && nodes.size() < end;) {
    if ((is_filled_[at / 64] >> (at % 64) & 1U) == 0)
      continue;
    for (auto rank = buckets_.next(at, 0); rank >= 0 && nodes.size() < end;
         rank = buckets_.next(at, static_cast<std::size_t>(rank) + 1))
      nodes.push_back(node_of_[static_cast<std::size_t>(rank)]);
  }
}

}  // namespace voda::placers_detail

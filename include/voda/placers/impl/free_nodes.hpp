#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"

namespace voda::placers_detail {

/// A set of small numbers that finds its smallest member in O(size / 4096).
class RankSet {
 public:
  explicit RankSet(std::size_t size)
      : words_((size + 63) / 64), summary_((words_.size() + 63) / 64) {}

  void insert(std::size_t rank) {
    words_[rank / 64] |= bit(rank);
    summary_[rank / 4096] |= bit(rank / 64);
    ++count_;
  }

  void erase(std::size_t rank) {
    words_[rank / 64] &= ~bit(rank);
    if (words_[rank / 64] == 0)
      summary_[rank / 4096] &= ~bit(rank / 64);
    --count_;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// The smallest member that is at least `rank`, or -1.
  [[nodiscard]] std::int64_t next(std::size_t rank) const {
    std::size_t word = rank / 64;
    if (word >= words_.size())
      return -1;
    std::uint64_t bits = words_[word] & (~std::uint64_t{0} << (rank % 64));
    while (bits == 0 && ++word < words_.size())
      bits = words_[word];
    if (bits == 0)
      return -1;
    return static_cast<std::int64_t>(word * 64) + std::countr_zero(bits);
  }

  /// The smallest member; the set must not be empty.
  [[nodiscard]] std::size_t first() const {
    std::size_t block = 0;
    while (summary_[block] == 0)
      ++block;
    const std::size_t word =
        block * 64 + static_cast<std::size_t>(std::countr_zero(summary_[block]));
    return word * 64 + static_cast<std::size_t>(std::countr_zero(words_[word]));
  }

 private:
  [[nodiscard]] static std::uint64_t bit(std::size_t at) { return std::uint64_t{1} << (at % 64); }

  std::vector<std::uint64_t> words_{};
  std::vector<std::uint64_t> summary_{};
  std::size_t count_ = 0;
};

/// No node.
inline constexpr std::int32_t no_node = -1;

/// The nodes in buckets by free GPUs. Ties in every question: the smaller node first, then the order of the nodes.
class FreeNodes {
 public:
  /// Empty nodes of these sizes.
  explicit FreeNodes(std::span<const GpuCount> capacity);

  [[nodiscard]] GpuCount free(std::int32_t node) const {
    return free_[static_cast<std::size_t>(node)];
  }

  /// Free GPUs of all nodes.
  [[nodiscard]] std::span<const GpuCount> all() const { return free_; }

  /// Takes GPUs of a node; a negative number gives back.
  void take(std::int32_t node, GpuCount gpus);

  /// The node with the fewest free GPUs that are at least `gpus`, or no_node. `eligible` null: among all.
  [[nodiscard]] std::int32_t tightest(GpuCount gpus, const std::vector<NodeIndex>* eligible) const;

  /// The node with room for most workers of so many GPUs, of these the one with fewest free GPUs; no_node without room.
  [[nodiscard]] std::int32_t emptiest(GpuCount gpus_per_worker,
                                      const std::vector<NodeIndex>* eligible) const;

  /// Appends up to `count` nodes, those with most free GPUs first.
  void append_emptiest(std::size_t count, std::vector<std::int32_t>& nodes) const;

 private:
  using Buckets = std::map<GpuCount, RankSet>;

  void insert(std::int32_t node, GpuCount free);

  [[nodiscard]] std::int32_t first_of(const RankSet& set) const { return node_of_[set.first()]; }

  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const {
    return rank_of_[static_cast<std::size_t>(a)] < rank_of_[static_cast<std::size_t>(b)];
  }

  std::vector<GpuCount> free_{};
  std::vector<std::int32_t> node_of_{};   // by rank
  std::vector<std::uint32_t> rank_of_{};  // by node
  Buckets buckets_{};                     // by free GPUs, none empty
  std::vector<RankSet> spare_{};          // emptied buckets, to be used again
};

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/free_nodes_inl.hpp"
#endif

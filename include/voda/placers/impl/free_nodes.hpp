#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"

namespace voda::placers_detail {

/// Sets of small numbers, all in one array, that find their smallest members in O(size / 4096).
class RankSets {
 public:
  RankSets() = default;

  /// `sets` empty sets of numbers below `size`.
  RankSets(std::size_t sets, std::size_t size)
      : words_per_set_((size + 63) / 64),
        blocks_per_set_((words_per_set_ + 63) / 64),
        words_(sets * words_per_set_),
        blocks_(sets * blocks_per_set_),
        count_(sets) {}

  void insert(std::size_t set, std::size_t rank) {
    words_[set * words_per_set_ + rank / 64] |= bit(rank);
    blocks_[set * blocks_per_set_ + rank / 4096] |= bit(rank / 64);
    ++count_[set];
  }

  void erase(std::size_t set, std::size_t rank) {
    std::uint64_t& word = words_[set * words_per_set_ + rank / 64];
    word &= ~bit(rank);
    if (word == 0)
      blocks_[set * blocks_per_set_ + rank / 4096] &= ~bit(rank / 64);
    --count_[set];
  }

  [[nodiscard]] bool empty(std::size_t set) const { return count_[set] == 0; }

  /// The smallest member that is at least `rank`, or -1.
  [[nodiscard]] std::int64_t next(std::size_t set, std::size_t rank) const {
    const std::uint64_t* words = &words_[set * words_per_set_];
    std::size_t word = rank / 64;
    if (word >= words_per_set_)
      return -1;
    std::uint64_t bits = words[word] & (~std::uint64_t{0} << (rank % 64));
    while (bits == 0 && ++word < words_per_set_)
      bits = words[word];
    if (bits == 0)
      return -1;
    return static_cast<std::int64_t>(word * 64) + std::countr_zero(bits);
  }

  /// The smallest member of a set that is not empty.
  [[nodiscard]] std::size_t first(std::size_t set) const {
    std::size_t block = 0;
    while (blocks_[set * blocks_per_set_ + block] == 0)
      ++block;
    const std::size_t word =
        block * 64 +
        static_cast<std::size_t>(std::countr_zero(blocks_[set * blocks_per_set_ + block]));
    return word * 64 +
           static_cast<std::size_t>(std::countr_zero(words_[set * words_per_set_ + word]));
  }

 private:
  [[nodiscard]] static std::uint64_t bit(std::size_t at) { return std::uint64_t{1} << (at % 64); }

  std::size_t words_per_set_ = 0;
  std::size_t blocks_per_set_ = 0;
  std::vector<std::uint64_t> words_{};
  std::vector<std::uint64_t> blocks_{};  // a bit per word that is not 0
  std::vector<std::uint32_t> count_{};
};

/// No node.
inline constexpr std::int32_t no_node = -1;

/// The nodes in buckets by free GPUs. Ties in every question: the smaller node first, then the order of the nodes.
class FreeNodes {
 public:
  /// Empty nodes of these sizes.
  explicit FreeNodes(std::span<const GpuCount> capacity) : FreeNodes(capacity, capacity) {}

  /// Nodes of these sizes with so many free GPUs.
  FreeNodes(std::span<const GpuCount> capacity, std::span<const GpuCount> free);

  [[nodiscard]] GpuCount free(std::int32_t node) const {
    return free_[static_cast<std::size_t>(node)];
  }

  /// Free GPUs of all nodes.
  [[nodiscard]] std::span<const GpuCount> all() const { return free_; }

  /// Free GPUs of the emptiest node, at least 0.
  [[nodiscard]] GpuCount most_free() const;

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
  /// Nodes with more free GPUs than this have no bucket of their own.
  static constexpr GpuCount most_bucketed = 255;
  static constexpr std::size_t no_bucket = SIZE_MAX;

  void insert(std::int32_t node);
  void erase(std::int32_t node);

  /// The first bucket from `gpus` on that holds a node, or no_bucket.
  [[nodiscard]] std::size_t next_bucket(std::size_t gpus) const;

  [[nodiscard]] bool is_before(std::int32_t a, std::int32_t b) const {
    return rank_of_[static_cast<std::size_t>(a)] < rank_of_[static_cast<std::size_t>(b)];
  }

  std::vector<GpuCount> free_{};
  std::vector<std::int32_t> node_of_{};   // by rank
  std::vector<std::uint32_t> rank_of_{};  // by node
  std::size_t bucket_count_ = 0;
  RankSets buckets_{};                                    // by free GPUs; 0: none, or overfilled
  std::vector<std::uint64_t> is_filled_{};                // a bit per bucket
  std::set<std::pair<GpuCount, std::uint32_t>> large_{};  // (free, rank) beyond the buckets
};

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/free_nodes_inl.hpp"
#endif

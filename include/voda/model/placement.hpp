#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/indexed_vector.hpp"

namespace voda {

/// True when two jobs' workers run on the same nodes, number by number.
[[nodiscard]] inline bool same_nodes(std::span<const NodeIndex> a, std::span<const NodeIndex> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

/// Which nodes hold the workers: worker i of job j runs on placement[j][i]. All workers lie in one array.
class Placement {
 public:
  Placement() = default;

  /// A placement of nobody, for `jobs` slots.
  explicit Placement(std::size_t jobs) : ranges_(jobs) {}

  /// Number of job slots.
  [[nodiscard]] std::size_t size() const noexcept { return ranges_.size(); }

  /// The node of each worker of a job, by worker number; empty for a job without workers or beyond the last slot.
  [[nodiscard]] std::span<const NodeIndex> operator[](JobIndex job) const {
    const Range range = ranges_.contains(job) ? ranges_[job] : Range{};
    return {nodes_.data() + range.begin, range.count};
  }

  /// Makes it `jobs` slots: new ones hold nobody, the workers of those beyond are removed.
  void resize(std::size_t jobs) {
    for (std::size_t slot = jobs; slot < size(); ++slot)
      workers_ -= ranges_.items()[slot].count;
    ranges_.resize(jobs);
  }

  /// Makes room for workers to be set without allocating.
  void reserve(std::size_t workers) { nodes_.reserve(workers); }

  /// Replaces the workers of a job; O(workers), amortised. `nodes` may alias this placement.
  void set(JobIndex job, std::span<const NodeIndex> nodes);

  /// Removes all workers of a job.
  void clear(JobIndex job) { set(job, {}); }

  /// Keeps only the workers 0 .. count - 1 of a job; nothing happens when it has fewer.
  void truncate(JobIndex job, std::size_t count);

  /// Replaces every node by its new position.
  void renumber(const IndexedVector<NodeIndex, NodeIndex>& new_position);

  /// Number of workers of all jobs.
  [[nodiscard]] std::size_t workers() const noexcept { return workers_; }

  /// Equal nodes for every worker of every job; slots without workers at the end do not matter.
  bool operator==(const Placement& other) const;

 private:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
    std::uint32_t room = 0;
  };

  [[nodiscard]] bool is_inside(std::span<const NodeIndex> nodes) const;
  void append(JobIndex job, std::span<const NodeIndex> nodes);
  void compact();

  IndexedVector<JobIndex, Range> ranges_{};
  std::vector<NodeIndex> nodes_{};
  std::size_t workers_ = 0;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/placement_inl.hpp"
#endif

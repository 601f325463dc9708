#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/row_kernels.hpp"

namespace voda::assignment_detail {

/// Members 0 .. size - 1 with a distance each, smallest first, ties to the lower number.
///
/// A flat array with the smallest of each block: with vectors, looking through that is faster than
/// keeping a heap in order.
template <class Work>
class PathQueue final {
 public:
  explicit PathQueue(int size)
      : distance_(padded(size), infinite<Work>()),
        smallest_(padded(block_count(size)), infinite<Work>()) {}

  void clear() {
    for (const std::size_t block : used_) {
      std::fill_n(distance_.begin() + static_cast<std::ptrdiff_t>(block * scan_block),
                  scan_block,
                  infinite<Work>());
      smallest_[block] = infinite<Work>();
    }
    used_.clear();
    first_ = infinite<Work>();
  }

  /// Infinite when nothing is left.
  [[nodiscard]] Work first_distance() const { return first_; }

  /// Adds a member or shortens its distance.
  void push(int member, Work distance) {
    const auto at = static_cast<std::size_t>(member);
    distance_[at] = distance;
    Work& smallest = smallest_[at / scan_block];
    if (distance < smallest) {
      if (!(smallest < infinite<Work>())) {
        used_.push_back(at / scan_block);
      }
      smallest = distance;
      first_ = std::min(first_, distance);
    }
  }

  /// Takes out a member at the first distance.
  int pop() {
    std::size_t block = 0;
    while (first_ < smallest_[block]) {
      ++block;
    }
    std::size_t at = block * scan_block;
    while (first_ < distance_[at]) {
      ++at;
    }
    distance_[at] = infinite<Work>();
    smallest_[block] = smallest_of(distance_.data() + block * scan_block, 1);
    if (first_ < smallest_[block]) {
      first_ = smallest_of(smallest_.data(), static_cast<int>(smallest_.size() / scan_block));
    }
    return static_cast<int>(at);
  }

 private:
  std::vector<Work> distance_{};
  std::vector<Work> smallest_{};  // of each block
  std::vector<std::size_t> used_{};
  Work first_ = infinite<Work>();
};

}  // namespace voda::assignment_detail

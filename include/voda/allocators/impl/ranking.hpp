#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "voda/model/ids.hpp"

namespace voda::allocators_detail {

/// Sorts what is nearly sorted by insertion, and anything else by std::sort once that moved too much.
/// `less` must be a strict total order, so that both give the same.
template <class T, class Less>
void sort_from_nearly_sorted(std::vector<T>& items, Less less) {
  std::size_t moves_left = 8 * items.size();
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (!less(items[i], items[i - 1]))
      continue;
    const auto from = items.begin() + static_cast<std::ptrdiff_t>(i);
    const auto to = std::upper_bound(items.begin(), from, items[i], less);
    const auto moves = static_cast<std::size_t>(from - to);
    if (moves > moves_left) {
      std::sort(items.begin(), items.end(), less);
      return;
    }
    moves_left -= moves;
    T moved = std::move(items[i]);
    std::move_backward(to, from, from + 1);
    *to = std::move(moved);
  }
}

/// Jobs by (key, arrival) ascending. Keys change little from one decision to the next, so each ranking starts from the order
/// of the last one.
template <class Key>
class Ranking {
 public:
  struct Entry {
    Key key{};
    std::uint32_t arrival = 0;  ///< position in arrival order
    JobIndex job{};

    [[nodiscard]] bool operator<(const Entry& other) const {
      if (key < other.key)
        return true;
      if (other.key < key)
        return false;
      return arrival < other.arrival;
    }
  };

  /// `key_of(job, arrival)` is called once per job of `arrival_order`, in that order; `slots` is above every job index.
  /// O(J) and a sort of what moved.
  template <class KeyOf>
  std::span<const Entry> rank(std::span<const JobIndex> arrival_order,
                              std::size_t slots,
                              KeyOf key_of) {
    unranked_.clear();
    unranked_.reserve(arrival_order.size());
    for (const JobIndex job : arrival_order) {
      const auto arrival = static_cast<std::uint32_t>(unranked_.size());
      unranked_.push_back({.key = key_of(job, arrival), .arrival = arrival, .job = job});
    }
    const auto less = [](const Entry& a, const Entry& b) { return a < b; };
    if (ranked_.empty()) {
      ranked_.swap(unranked_);
      std::sort(ranked_.begin(), ranked_.end(), less);
    } else {
      start_from_last_order(slots);
      sort_from_nearly_sorted(ranked_, less);
    }
    return ranked_;
  }

 private:
  /// Moves the unranked entries into the order of the last ranking, newcomers last.
  void start_from_last_order(std::size_t slots) {
    constexpr std::uint32_t none = UINT32_MAX;
    arrival_of_.assign(slots, none);
    for (const Entry& entry : unranked_)
      arrival_of_[position(entry.job)] = entry.arrival;
    std::size_t kept = 0;
    for (const Entry& before : ranked_) {
      const std::size_t slot = position(before.job);
      if (slot >= slots || arrival_of_[slot] == none)
        continue;
      ranked_[kept++] = unranked_[std::exchange(arrival_of_[slot], none)];
    }
    ranked_.resize(kept);
    for (const Entry& entry : unranked_) {
      if (arrival_of_[position(entry.job)] != none)
        ranked_.push_back(entry);
    }
  }

  std::vector<Entry> ranked_{};
  std::vector<Entry> unranked_{};
  std::vector<std::uint32_t> arrival_of_{};
};

}  // namespace voda::allocators_detail

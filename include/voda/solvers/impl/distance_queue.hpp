#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace voda::sparse_assignment_detail {

/// Columns by distance, smallest first, ties to the lower index. Entries are never removed early:
/// the caller skips stale ones.
template <class Work>
class HeapQueue final {
 public:
  struct Entry {
    Work distance = 0;
    int column = 0;
  };

  void clear() { heap_.clear(); }

  void push(Work distance, int column) {
    heap_.push_back({distance, column});
    std::push_heap(heap_.begin(), heap_.end(), comes_later);
  }

  [[nodiscard]] bool is_empty() const { return heap_.empty(); }

  Entry pop() {
    std::pop_heap(heap_.begin(), heap_.end(), comes_later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    return entry;
  }

 private:
  static bool comes_later(const Entry& a, const Entry& b) {
    return b.distance < a.distance || (!(a.distance < b.distance) && b.column < a.column);
  }

  std::vector<Entry> heap_{};
};

/// The same for whole distances up to a small limit that never fall below the last one popped; ties
/// to the last pushed.
template <class Work>
class BucketQueue final {
 public:
  using Entry = typename HeapQueue<Work>::Entry;

  explicit BucketQueue(Work limit) : buckets_(static_cast<std::size_t>(limit) + 1) {}

  void clear() {
    for (std::size_t k = next_; size_ > 0; ++k) {
      size_ -= buckets_[k].size();
      buckets_[k].clear();
    }
    next_ = 0;
  }

  void push(Work distance, int column) {
    buckets_[static_cast<std::size_t>(distance)].push_back(column);
    ++size_;
  }

  [[nodiscard]] bool is_empty() const { return size_ == 0; }

  Entry pop() {
    while (buckets_[next_].empty()) {
      ++next_;
    }
    const int column = buckets_[next_].back();
    buckets_[next_].pop_back();
    --size_;
    return {static_cast<Work>(next_), column};
  }

 private:
  std::vector<std::vector<int>> buckets_{};
  std::size_t next_ = 0;
  std::size_t size_ = 0;
};

}  // namespace voda::sparse_assignment_detail

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "voda/allocators/impl/afs_l_columns.hpp"
#include "voda/allocators/impl/serving.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// The contest of AFS-L: contestants in arrival order, and the champions of the last fold.
class AfsContest {
 public:
  /// Lets everybody begin without GPUs.
  void begin(const AllocationProblem& problem, std::string_view policy) {
    columns_ = problem.columns.get();
    compared_before_ = keys_.compared();
    entries_.clear();
    for (const JobIndex job : *problem.arrival_order) {
      const double work = problem.remaining_work(job, policy);
      const GpuCount first = next_size(columns_->sizes[job], 0);
      if (first <= problem.capacity && columns_->speedup[job](first) > 0)
        entries_.push_back({.job = job, .next = first, .work = work});
    }
    rebuild();
  }

  [[nodiscard]] bool empty() const { return live_ == 0; }

  /// How many keys were compared with a champion since begin().
  [[nodiscard]] std::int64_t compared() const { return keys_.compared() - compared_before_; }

  /// The winner's position: champions before it are those of the last fold, for nothing before them changed.
  [[nodiscard]] std::size_t winner() {
    if (champions_.empty())
      champions_.push_back(first_live());
    while (true) {
      const std::size_t champion = champions_.back();
      const std::size_t next = keys_.first_that_beats(keys_[champion], searched_);
      if (next == keys_.end())
        return champion;
      champions_.push_back(next);
      searched_ = next + 1;
    }
  }

  [[nodiscard]] JobIndex job_at(std::size_t at) const { return entries_[at].job; }

  /// Moves the winner of the last fold to its next size and returns the cost.
  GpuCount advance(std::size_t at, Allocation& gpus) {
    Entry& entry = entries_[at];
    const GpuCount cost = entry.next - entry.size;
    entry.size = entry.next;
    entry.next = next_size(columns_->sizes[entry.job], entry.size);
    gpus[entry.job] = entry.size;
    champions_.pop_back();
    const SpeedupCurve& speed = columns_->speedup[entry.job];
    const bool is_faster = entry.next != 0 && speed(entry.next) > speed(entry.size);
    if (is_faster) {
      keys_.set(at, key_of(entry));
      dearest_ = std::max(dearest_, entry.next - entry.size);
    } else {
      leave(at);
    }
    searched_ = at;
    if (live_ * 2 < entries_.size())
      rebuild();
    return cost;
  }

  /// Contestants whose step costs more than `left` leave.
  void drop_dear(GpuCount left) {
    if (dearest_ <= left)
      return;
    for (Entry& entry : entries_) {
      if (entry.next - entry.size > left)
        entry.next = 0;
    }
    rebuild();
  }

 private:
  struct Entry {
    JobIndex job{};
    GpuCount size = 0;
    GpuCount next = 0;  // 0: left the contest
    double work = 0;
  };

  /// Forgets those who left, and the champions.
  void rebuild() {
    std::erase_if(entries_, [](const Entry& entry) { return entry.next == 0; });
    live_ = entries_.size();
    champions_.clear();
    searched_ = 0;
    dearest_ = 0;
    keys_.resize(live_);
    for (std::size_t at = 0; at < live_; ++at) {
      keys_.set(at, key_of(entries_[at]));
      dearest_ = std::max(dearest_, entries_[at].next - entries_[at].size);
    }
  }

  void leave(std::size_t at) {
    entries_[at].next = 0;
    keys_.set(at, AfsKey{});
    --live_;
  }

  [[nodiscard]] std::size_t first_live() {
    std::size_t at = searched_;
    while (entries_[at].next == 0)
      ++at;
    searched_ = at + 1;
    return at;
  }

  [[nodiscard]] AfsKey key_of(const Entry& entry) const {
    const SpeedupCurve& speed = columns_->speedup[entry.job];
    const double here = speed(entry.size);
    const double there = speed(entry.next);
    const auto cost = static_cast<double>(entry.next - entry.size);
    AfsKey key{.as_long = (there - here) / (cost * there)};
    if (entry.size == 0) {
      key.as_short = -remaining_time(*columns_, entry.job, entry.work, entry.next);
    } else {
      key.length = remaining_time(*columns_, entry.job, entry.work, entry.size);
      key.as_short = (there - here) / (cost * here);
    }
    return key;
  }

  const JobColumns* columns_ = nullptr;
  std::vector<Entry> entries_{};
  AfsColumns keys_{};
  std::size_t live_ = 0;
  std::int64_t compared_before_ = 0;
  std::vector<std::size_t> champions_{};  // positions, ascending; each beat the one before
  std::size_t searched_ = 0;              // challengers before it were tried
  GpuCount dearest_ = 0;                  // an upper bound of the cost of any step
};

}  // namespace voda::allocators_detail

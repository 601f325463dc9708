#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "voda/allocators/impl/serving.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// The contestants of AFS-L in arrival order, as columns of what a pair test reads.
class AfsContest {
 public:
  AfsContest(const AllocationProblem& problem, std::string_view policy)
      : columns_(problem.columns.get()) {
    for (const JobIndex job : *problem.arrival_order) {
      const double work = problem.remaining_work(job, policy);
      Entry entry{.job = job, .work = work};
      entry.next = next_size(columns_->sizes[job], 0);
      if (entry.next > problem.capacity || !(columns_->speedup[job](entry.next) > 0))
        continue;
      append(entry);
    }
    champion_at_.assign(blocks() + 1, 0);
  }

  [[nodiscard]] bool empty() const { return entries_.empty(); }

  /// Folds the contestants and returns the winner's position.
  [[nodiscard]] std::size_t winner() {
    std::size_t block = first_stale_ / block_size;
    std::size_t champion = block == 0 ? 0 : champion_at_[block];
    for (; block < blocks(); ++block) {
      champion_at_[block] = champion;
      const std::size_t begin = std::max<std::size_t>(block * block_size, 1);
      const std::size_t end = std::min((block + 1) * block_size, entries_.size());
      champion = fold(champion, begin, end);
    }
    return champion;
  }

  /// Moves a contestant to its next size and returns the cost.
  GpuCount advance(std::size_t at, Allocation& gpus) {
    Entry& entry = entries_[at];
    const GpuCount cost = entry.next - entry.size;
    entry.size = entry.next;
    entry.next = next_size(columns_->sizes[entry.job], entry.size);
    gpus[entry.job] = entry.size;
    first_stale_ = at;
    const bool is_faster = entry.next != 0 && columns_->speedup[entry.job](entry.next) >
                                                  columns_->speedup[entry.job](entry.size);
    if (is_faster) {
      write(at);
    } else {
      remove_if([at](std::size_t position, const Entry&) { return position == at; }, at);
    }
    return cost;
  }

  /// Contestants whose step costs more than `left` leave.
  void drop_dear(GpuCount left) {
    if (dearest_ <= left)
      return;
    remove_if([left](std::size_t, const Entry& entry) { return entry.next - entry.size > left; },
              0);
    dearest_ = left;
  }

 private:
  struct Entry {
    JobIndex job{};
    GpuCount size = 0;
    GpuCount next = 0;
    double work = 0;
  };

  static constexpr std::size_t block_size = 64;
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  [[nodiscard]] std::size_t blocks() const {
    return (entries_.size() + block_size - 1) / block_size;
  }

  void append(const Entry& entry) {
    entries_.push_back(entry);
    length_.push_back(0);
    gain_as_short_.push_back(0);
    gain_as_long_.push_back(0);
    write(entries_.size() - 1);
  }

  /// Computes the columns of one contestant. Without GPUs its length is infinite, and `gain_as_short` holds -R(m), so that
  /// of two such jobs the one with the larger value wins.
  void write(std::size_t at) {
    const Entry& entry = entries_[at];
    const SpeedupCurve& speed = columns_->speedup[entry.job];
    const double here = speed(entry.size);
    const double there = speed(entry.next);
    const auto cost = static_cast<double>(entry.next - entry.size);
    dearest_ = std::max(dearest_, entry.next - entry.size);
    gain_as_long_[at] = (there - here) / (cost * there);
    length_[at] =
        entry.size == 0 ? infinite : remaining_time(*columns_, entry.job, entry.work, entry.size);
    gain_as_short_[at] = entry.size == 0
                             ? -remaining_time(*columns_, entry.job, entry.work, entry.next)
                             : (there - here) / (cost * here);
  }

  /// True when challenger `b` beats champion `a`.
  [[nodiscard]] bool beats(std::size_t b, std::size_t a) const {
    if (length_[a] == infinite && length_[b] == infinite)
      return gain_as_short_[b] >= gain_as_short_[a];
    if (length_[b] <= length_[a])
      return gain_as_short_[b] > gain_as_long_[a];
    return !(gain_as_short_[a] > gain_as_long_[b]);
  }

  /// True when anybody in [begin, end) beats the champion; no branches, so that compilers vectorise it.
  [[nodiscard]] bool any_beats(std::size_t champion, std::size_t begin, std::size_t end) const {
    const double length = length_[champion];
    const double as_short = gain_as_short_[champion];
    const double as_long = gain_as_long_[champion];
    unsigned hits = 0;
    if (length == infinite) {
      for (std::size_t b = begin; b < end; ++b) {
        const bool wins_waiting = gain_as_short_[b] >= as_short;
        const bool wins_holding = gain_as_short_[b] > as_long;
        hits |= static_cast<unsigned>(length_[b] == infinite ? wins_waiting : wins_holding);
      }
      return hits != 0;
    }
    for (std::size_t b = begin; b < end; ++b) {
      const bool wins_as_short = gain_as_short_[b] > as_long;
      const bool wins_as_long = !(as_short > gain_as_long_[b]);
      hits |= static_cast<unsigned>(length_[b] <= length ? wins_as_short : wins_as_long);
    }
    return hits != 0;
  }

  [[nodiscard]] std::size_t fold(std::size_t champion, std::size_t begin, std::size_t end) const {
    if (begin >= end || !any_beats(champion, begin, end))
      return champion;
    for (std::size_t b = begin; b < end; ++b) {
      if (beats(b, champion))
        champion = b;
    }
    return champion;
  }

  template <class Leaves>
  void remove_if(Leaves leaves, std::size_t from) {
    std::size_t kept = from;
    for (std::size_t at = from; at < entries_.size(); ++at) {
      if (leaves(at, entries_[at])) {
        first_stale_ = std::min(first_stale_, kept);
        continue;
      }
      entries_[kept] = entries_[at];
      length_[kept] = length_[at];
      gain_as_short_[kept] = gain_as_short_[at];
      gain_as_long_[kept] = gain_as_long_[at];
      ++kept;
    }
    entries_.resize(kept);
  }

  const JobColumns* columns_;
  std::vector<Entry> entries_{};
  std::vector<double> length_{};            // R at the present size; infinite without GPUs
  std::vector<double> gain_as_short_{};     // (S(next) - S(n)) / (d * S(n)); -R(m) without GPUs
  std::vector<double> gain_as_long_{};      // (S(next) - S(n)) / (d * S(next))
  std::vector<std::size_t> champion_at_{};  // who enters each block
  std::size_t first_stale_ = 0;             // contestants before it are as in the last fold
  GpuCount dearest_ = 0;                    // an upper bound of the cost of any step
};

}  // namespace voda::allocators_detail

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/allocators/impl/curve_cache.hpp"
#include "voda/allocators/impl/growth_path.hpp"
#include "voda/allocators/impl/growth_walk.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// Hands out GPUs step by step to the largest gain per GPU, then to the smaller cost, then to the job that was added first.
///
/// Steps above a gain at which all of them fit are taken at once, whatever their order; a heap of offers hands out the rest.
/// An offer stays an upper bound while less and less is left; only a job whose offer became too dear looks at every size
/// that it can still afford.
class Expansion {
 public:
  /// `columns` must outlive the run.
  void begin(const JobColumns& columns, std::size_t jobs) {
    columns_ = &columns;
    paths_.begin(columns.size());
    walks_.clear();
    walks_.reserve(jobs);
    searches_ = false;
    effort_ = 0;
  }

  /// Lets a job that holds `size` GPUs take part.
  void add(JobIndex job, GpuCount size) {
    const SpeedupCurve& speed = columns_->speedup[job];
    const AllowedSizes& sizes = columns_->sizes[job];
    GrowthWalk walk(job, speed, sizes, size);
    if (walk.searches())
      walk.follow(
          paths_.of(job, speed, sizes, size, [&] { return growth_path(speed, sizes, size); }));
    searches_ = searches_ || walk.searches();
    walks_.push_back(walk);
  }

  /// Grows the jobs by at most `left` GPUs together and writes their sizes; returns its effort, see AllocationDecision.
  [[nodiscard]] std::int64_t run(GpuCount left, Allocation& gpus) {
    left_ = left;
    if (left_ > few_steps && !searches_)
      take_steep_steps();
    if (left_ > 0)
      serve_one_by_one();
    for (const GrowthWalk& walk : walks_)
      gpus[walk.job()] = walk.size();
    return effort_;
  }

 private:
  /// What is handed out by the heap alone.
  static constexpr GpuCount few_steps = 64;

  struct Offer {
    double gain = 0;
    GpuCount cost = 0;
    std::uint32_t rank = 0;  // in the order of adding
  };

  /// A walk as it is after the steps of a trial.
  struct Moved {
    std::uint32_t rank = 0;
    double gain = 0;
    GrowthWalk walk;
  };

  /// True when `b` is served first; the order of a max-heap.
  [[nodiscard]] static bool is_served_later(const Offer& a, const Offer& b) {
    if (a.gain < b.gain || b.gain < a.gain)
      return a.gain < b.gain;
    if (a.cost != b.cost)
      return a.cost > b.cost;
    return a.rank > b.rank;
  }

  /// Lowers a gain above which all steps fit, halving the distance to one at which they do not, until few are left.
  void take_steep_steps() {
    gains_.clear();
    for (const GrowthWalk& walk : walks_)
      gains_.push_back(walk.offer(left_, effort_).gain);
    const GpuCount enough = few_steps + static_cast<GpuCount>(walks_.size() / 16);
    constexpr int most_failures = 12;
    double too_low = 0;
    for (int failures = 0; left_ > enough && failures < most_failures && !gains_.empty();) {
      const double highest = *std::ranges::max_element(gains_);
      const double middle = too_low + (highest - too_low) / 2;
      if (!(middle < highest))
        return;
      if (!take_above(middle)) {
        too_low = middle;
        ++failures;
      }
    }
  }

  /// Takes all steps of a larger gain if they fit, none otherwise.
  [[nodiscard]] bool take_above(double gain) {
    moved_.clear();
    GpuCount left = left_;
    for (std::uint32_t rank = 0; rank < walks_.size(); ++rank) {
      if (!(gains_[rank] > gain))
        continue;
      GrowthWalk walk = walks_[rank];
      GrowthOffer next = walk.offer(left, effort_);
      for (; next.gain > gain; next = walk.offer(left, effort_)) {
        if (next.count > left / next.cost)
          return false;
        left -= next.count * next.cost;
        walk.take(next, next.count);
      }
      moved_.push_back({.rank = rank, .gain = next.gain, .walk = walk});
    }
    for (const Moved& moved : moved_) {
      walks_[moved.rank] = moved.walk;
      gains_[moved.rank] = moved.gain;
    }
    left_ = left;
    return true;
  }

  void serve_one_by_one() {
    heap_.clear();
    heap_.reserve(walks_.size());
    for (std::uint32_t rank = 0; rank < walks_.size(); ++rank) {
      const GrowthOffer offer = walks_[rank].offer(left_, effort_);
      if (offer.cost > 0)
        heap_.push_back({.gain = offer.gain, .cost = offer.cost, .rank = rank});
    }
    std::ranges::make_heap(heap_, is_served_later);
    while (left_ > 0 && !heap_.empty()) {
      const std::uint32_t rank = heap_.front().rank;
      GrowthWalk& walk = walks_[rank];
      if (heap_.front().cost <= left_) {
        take_equal_steps(walk);
      } else {
        walk.search();
      }
      const GrowthOffer next = walk.offer(left_, effort_);
      replace_front({.gain = next.gain, .cost = next.cost, .rank = rank});
    }
  }

  /// Nobody else comes between equal steps of one job.
  void take_equal_steps(GrowthWalk& walk) {
    const GrowthOffer offer = walk.offer(left_, effort_);
    const GpuCount count = std::min(offer.count, left_ / offer.cost);
    walk.take(offer, count);
    left_ -= count * offer.cost;
  }

  /// Puts the offer in the place of the first one, or nothing when it costs nothing.
  void replace_front(const Offer& offer) {
    if (offer.cost == 0) {
      std::ranges::pop_heap(heap_, is_served_later);
      heap_.pop_back();
      return;
    }
    std::size_t hole = 0;
    for (std::size_t child = 1; child < heap_.size(); child = 2 * hole + 1) {
      if (child + 1 < heap_.size() && is_served_later(heap_[child], heap_[child + 1]))
        ++child;
      ++effort_;
      if (!is_served_later(offer, heap_[child]))
        break;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = offer;
  }

  const JobColumns* columns_ = nullptr;
  CurveCache<GrowthPath> paths_{};
  std::vector<GrowthWalk> walks_{};
  bool searches_ = false;
  GpuCount left_ = 0;
  std::int64_t effort_ = 0;
  std::vector<double> gains_{};  // of the next step of each
  std::vector<Moved> moved_{};
  std::vector<Offer> heap_{};
};

}  // namespace voda::allocators_detail

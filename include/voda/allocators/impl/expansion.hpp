#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/allocators/impl/curve_cache.hpp"
#include "voda/allocators/impl/growth_path.hpp"
#include "voda/allocators/impl/tiresias_queues.hpp"

namespace voda::elastic_tiresias_detail {

using allocators_detail::GrowthPath;

/// Hands out GPUs step by step to the largest gain, then to the smaller cost, then in Tiresias order.
///
/// A job offers the best step of its path. It stays an upper bound while less and less is left; only a job whose offer
/// became too dear looks at every size that it can still afford.
class Expansion {
 public:
  using Order = std::span<const allocators_detail::TiresiasQueues::Entry>;

  /// Grows the jobs of `order` for which `takes_part` holds, by at most `left` GPUs together.
  template <class TakesPart>
  void run(const JobColumns& columns,
           Order order,
           Allocation& gpus,
           GpuCount left,
           TakesPart takes_part) {
    if (left <= 0)
      return;
    columns_ = &columns;
    order_ = order;
    gpus_ = &gpus;
    left_ = left;
    heap_.clear();
    paths_.begin(columns.size());
    walks_.assign(order.size(), Walk{});
    for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
      const JobIndex job = order[rank].job;
      if (!takes_part(job))
        continue;
      walks_[rank].path = &path_of(job);
      if (const Offer first = next_offer(rank); first.cost > 0)
        heap_.push_back(first);
    }
    std::ranges::make_heap(heap_, is_served_later);
    serve();
  }

 private:
  /// The next step of a job; cost 0: none.
  struct Offer {
    double gain = 0;
    GpuCount cost = 0;
    std::uint32_t rank = 0;  // in Tiresias order
  };

  /// How far a job has come on its path.
  struct Walk {
    const GrowthPath* path = nullptr;  // null: it looks at every size
    std::uint32_t run = 0;
  };

  /// True when `b` is served first; the order of a max-heap.
  [[nodiscard]] static bool is_served_later(const Offer& a, const Offer& b) {
    if (a.gain < b.gain || b.gain < a.gain)
      return a.gain < b.gain;
    if (a.cost != b.cost)
      return a.cost > b.cost;
    return a.rank > b.rank;
  }

  [[nodiscard]] const GrowthPath& path_of(JobIndex job) {
    const SpeedupCurve& speed = columns_->speedup[job];
    const AllowedSizes& sizes = columns_->sizes[job];
    const GpuCount from = (*gpus_)[job];
    return paths_.of(job, speed, sizes, from, [&] {
      return allocators_detail::growth_path(speed, sizes, from);
    });
  }

  void serve() {
    while (left_ > 0 && !heap_.empty()) {
      const Offer best = heap_.front();
      if (best.cost <= left_) {
        take(best);
      } else {
        walks_[best.rank].path = nullptr;
      }
      replace_front(next_offer(best.rank));
    }
  }

  [[nodiscard]] GpuCount& size_of(std::uint32_t rank) { return (*gpus_)[order_[rank].job]; }

  /// Takes as many equal steps as there are: nobody else comes between them.
  void take(const Offer& best) {
    Walk& walk = walks_[best.rank];
    GpuCount steps = 1;
    if (walk.path != nullptr) {
      const GpuCount offered = walk.path->runs[walk.run].count;
      steps = std::min(offered, left_ / best.cost);
      if (steps == offered) {
        ++walk.run;
      } else {
        walk.path = nullptr;
      }
    }
    size_of(best.rank) += steps * best.cost;
    left_ -= steps * best.cost;
  }

  [[nodiscard]] Offer next_offer(std::uint32_t rank) {
    Walk& walk = walks_[rank];
    if (walk.path == nullptr || !walk.path->is_known) {
      walk.path = nullptr;
      return best_affordable(rank);
    }
    if (walk.run == walk.path->runs.size())
      return {};
    const auto& next = walk.path->runs[walk.run];
    return {.gain = next.gain, .cost = next.cost, .rank = rank};
  }

  /// The best step among those that cost at most what is left.
  [[nodiscard]] Offer best_affordable(std::uint32_t rank) {
    const AllowedSizes& sizes = columns_->sizes[order_[rank].job];
    const SpeedupCurve& speed = columns_->speedup[order_[rank].job];
    const GpuCount size = size_of(rank);
    Offer best{.rank = rank};
    const double base = speed(size);
    for (GpuCount next = next_size(sizes, size); next != 0 && next - size <= left_;
         next = next_size(sizes, next)) {
      const double gain = (speed(next) - base) / (next - size);
      if (gain > best.gain)
        best = {.gain = gain, .cost = next - size, .rank = rank};
      if (speed.is_linear() || next >= speed.flat_from())
        break;
    }
    return best;
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
      if (!is_served_later(offer, heap_[child]))
        break;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = offer;
  }

  const JobColumns* columns_ = nullptr;
  Order order_{};
  Allocation* gpus_ = nullptr;
  GpuCount left_ = 0;
  std::vector<Walk> walks_{};
  allocators_detail::CurveCache<GrowthPath> paths_{};
  std::vector<Offer> heap_{};
};

}  // namespace voda::elastic_tiresias_detail

#pragma once

#include <cstdint>

#include "voda/allocators/impl/growth_path.hpp"
#include "voda/model/allowed_sizes.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/speedup_curve.hpp"

namespace voda::allocators_detail {

/// `count` steps of equal cost and gain that a job can take next; cost 0: none.
struct GrowthOffer {
  double gain = 0;  ///< (S(n') - S(n)) / (n' - n)
  GpuCount cost = 0;
  GpuCount count = 0;
};

/// A job on its way through its sizes, each time by the largest gain, then by the smaller cost. Unless it searches, its
/// gains never rise and do not depend on what is left.
class GrowthWalk {
 public:
  /// Refers to all that it is given. Searches until it is told where its steps are.
  GrowthWalk(JobIndex job, const SpeedupCurve& speed, const AllowedSizes& sizes, GpuCount size)
      : speed_(&speed), sizes_(&sizes), job_(job), size_(size) {
    if (sizes.step > 0 && !speed.is_linear() && sizes.max <= speed.concave_to()) {
      way_ = Way::every_size;
      last_ = largest_size(sizes, sizes.max);
    }
  }

  [[nodiscard]] JobIndex job() const { return job_; }

  [[nodiscard]] GpuCount size() const { return size_; }

  [[nodiscard]] bool searches() const { return way_ == Way::search; }

  void follow(const GrowthPath& path) {
    if (path.is_known) {
      way_ = Way::path;
      path_ = &path;
    }
  }

  /// From now on, looks for the best among the sizes that are affordable.
  void search() { way_ = Way::search; }

  /// `left`: the most that a step may cost, read only when it searches. Adds the sizes that it looks at to `effort`.
  [[nodiscard]] GrowthOffer offer(GpuCount left, std::int64_t& effort) const {
    if (way_ == Way::search)
      return best_affordable(left, effort);
    ++effort;
    return way_ == Way::every_size ? next_size_offer() : next_run();
  }

  /// Takes the first `count` steps of its offer.
  void take(const GrowthOffer& offer, GpuCount count) {
    size_ += offer.cost * count;
    if (way_ != Way::path)
      return;
    if (count == offer.count) {
      ++run_;
      taken_ = 0;
    } else {
      taken_ += count;
    }
  }

 private:
  enum class Way : std::uint8_t {
    every_size,  // the curve is concave, so the best step leads to the next size
    path,
    search
  };

  [[nodiscard]] GrowthOffer next_size_offer() const {
    if (size_ >= last_)
      return {};
    const GpuCount cost = size_ == 0 ? sizes_->min : sizes_->step;
    const double gain = ((*speed_)(size_ + cost) - (*speed_)(size_)) / cost;
    return gain > 0 ? GrowthOffer{.gain = gain, .cost = cost, .count = 1} : GrowthOffer{};
  }

  [[nodiscard]] GrowthOffer next_run() const {
    if (run_ == path_->runs.size())
      return {};
    const GrowthRun& run = path_->runs[run_];
    return {.gain = run.gain, .cost = run.cost, .count = run.count - taken_};
  }

  [[nodiscard]] GrowthOffer best_affordable(GpuCount left, std::int64_t& effort) const {
    GrowthOffer best;
    const double base = (*speed_)(size_);
    for (GpuCount next = next_size(*sizes_, size_); next != 0 && next - size_ <= left;
         next = next_size(*sizes_, next)) {
      ++effort;
      const double gain = ((*speed_)(next)-base) / (next - size_);
      if (gain > best.gain)
        best = {.gain = gain, .cost = next - size_, .count = 1};
      if (speed_->is_linear() || next >= speed_->flat_from())
        break;
    }
    return best;
  }

  const SpeedupCurve* speed_ = nullptr;
  const AllowedSizes* sizes_ = nullptr;
  const GrowthPath* path_ = nullptr;
  JobIndex job_{};
  GpuCount size_ = 0;
  GpuCount last_ = 0;
  std::uint32_t run_ = 0;
  GpuCount taken_ = 0;  // steps of that run
  Way way_ = Way::search;
};

}  // namespace voda::allocators_detail

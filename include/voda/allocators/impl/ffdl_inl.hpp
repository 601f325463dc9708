#pragma once

#include "voda/allocators/ffdl.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "voda/allocators/impl/curve_cache.hpp"
#include "voda/allocators/impl/serving.hpp"
#include "voda/allocators/impl/session.hpp"
#include "voda/solvers/knapsack.hpp"

namespace voda {
namespace ffdl_detail {

/// `count` steps of equal gain.
struct Run {
  std::int64_t gain = 0;
  GpuCount count = 0;
};

/// The sizes of a job that can be part of an optimal answer: each faster than all smaller ones.
struct Choices {
  std::vector<GpuCount> sizes{};
  std::vector<std::int64_t> units{};  // S(size) in units of 2^-24
  std::vector<Run> runs{};            // the gains of the concave part
  GpuCount step = 0;                  // from the first size to the second
  GpuCount concave_steps = 0;         // how many equal steps there are before a gain rises

  void find_runs() {
    if (sizes.size() < 2)
      return;
    step = sizes[1] - sizes[0];
    for (std::size_t i = 1; i < sizes.size() && sizes[i] - sizes[i - 1] == step; ++i) {
      const std::int64_t gain = units[i] - units[i - 1];
      if (!runs.empty() && gain > runs.back().gain)
        return;
      if (runs.empty() || gain < runs.back().gain)
        runs.push_back({.gain = gain});
      ++runs.back().count;
      ++concave_steps;
    }
  }

  /// How many sizes cost at most `slack` more than the first.
  [[nodiscard]] std::size_t affordable(GpuCount slack) const {
    const std::int64_t most = std::int64_t{sizes.front()} + slack;
    return static_cast<std::size_t>(std::ranges::upper_bound(sizes, most) - sizes.begin());
  }
};

/// All useful sizes up to minimum + reach; a curve is flat from flat_from() on, so none lies beyond.
[[nodiscard]] inline Choices choices_of(const SpeedupCurve& speed,
                                        const AllowedSizes& allowed,
                                        GpuCount reach) {
  Choices result;
  for (GpuCount size = allowed.min; size != 0 && size - allowed.min <= reach;
       size = next_size(allowed, size)) {
    const std::int64_t units = speed.units(size);
    if (result.units.empty() || units > result.units.back()) {
      result.sizes.push_back(size);
      result.units.push_back(units);
    }
    if (!speed.is_linear() && size >= speed.flat_from())
      break;
  }
  result.find_runs();
  return result;
}

/// A job that is admitted, and how far it can grow.
struct Admitted {
  JobIndex job{};
  const Choices* choices = nullptr;
  std::size_t sizes = 0;  // affordable ones
};

/// The next run of equal steps that a job offers.
struct Offer {
  std::int64_t gain = 0;
  std::uint32_t index = 0;  // among the admitted
};

/// The order of a max-heap: the larger gain first, then the earlier job.
[[nodiscard]] inline bool is_served_later(const Offer& a, const Offer& b) {
  return a.gain != b.gain ? a.gain < b.gain : a.index > b.index;
}

class Workspace {
 public:
  void decide(const FfdlOptions& /*options*/,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    allocators_detail::clear(problem, decision);
    admit(problem);
    bool can_grow = false;
    for (const Admitted& one : admitted_)
      can_grow = can_grow || one.sizes > 1;
    const GpuCount step = common_concave_step();
    if (!can_grow || step > 0) {
      solve_concave(step, decision.gpus);
    } else {
      solve_any(problem.capacity, decision.gpus);
    }
  }

 private:
  void admit(const AllocationProblem& problem) {
    const JobColumns& columns = *problem.columns;
    cache_.begin(columns.size());
    admitted_.clear();
    slack_ = problem.capacity;
    for (const JobIndex job : *problem.arrival_order) {
      const GpuCount minimum = columns.sizes[job].min;
      if (minimum > slack_)
        continue;
      slack_ -= minimum;
      admitted_.push_back({.job = job});
    }
    constexpr GpuCount largest_shared =
        1 << 20;  // beyond it, no size that nobody can afford is listed
    const GpuCount reach = problem.capacity <= largest_shared ? problem.capacity : slack_;
    for (Admitted& one : admitted_) {
      const SpeedupCurve& speed = columns.speedup[one.job];
      const AllowedSizes& allowed = columns.sizes[one.job];
      one.choices = &cache_.of(
          one.job, speed, allowed, reach, [&] { return choices_of(speed, allowed, reach); });
      one.sizes = one.choices->affordable(slack_);
    }
  }

  /// The common step of all jobs that can grow, when their curves are concave in it; 0 otherwise.
  [[nodiscard]] GpuCount common_concave_step() const {
    GpuCount step = 0;
    for (const Admitted& one : admitted_) {
      if (one.sizes < 2)
        continue;
      if (step == 0)
        step = one.choices->step;
      const bool is_concave = one.sizes - 1 <= static_cast<std::size_t>(one.choices->concave_steps);
      if (one.choices->step != step || !is_concave)
        return 0;
    }
    return step;
  }

  /// Each step to the largest gain; a run of equal gains goes to one job before others get theirs.
  void solve_concave(GpuCount step, Allocation& gpus) {
    std::int64_t budget = step > 0 ? slack_ / step : 0;
    heap_.clear();
    next_run_.assign(admitted_.size(), 0);
    for (std::uint32_t index = 0; index < admitted_.size(); ++index) {
      const Admitted& one = admitted_[index];
      gpus[one.job] = one.choices->sizes.front();
      if (one.sizes > 1)
        heap_.push_back({.gain = one.choices->runs.front().gain, .index = index});
    }
    std::ranges::make_heap(heap_, is_served_later);
    while (budget > 0 && !heap_.empty()) {
      const Offer best = heap_.front();
      const Admitted& one = admitted_[best.index];
      const GpuCount held = (gpus[one.job] - one.choices->sizes.front()) / step;
      const auto most = static_cast<GpuCount>(one.sizes - 1) - held;
      const GpuCount offered = std::min(one.choices->runs[next_run_[best.index]].count, most);
      const auto taken = static_cast<GpuCount>(std::min<std::int64_t>(offered, budget));
      gpus[one.job] += taken * step;
      budget -= taken;
      std::ranges::pop_heap(heap_, is_served_later);
      heap_.pop_back();
      if (budget == 0 || taken == most)
        continue;
      const std::size_t run = ++next_run_[best.index];
      heap_.push_back({.gain = one.choices->runs[run].gain, .index = best.index});
      std::ranges::push_heap(heap_, is_served_later);
    }
  }

  void solve_any(GpuCount capacity, Allocation& gpus) {
    class_begin_.assign(1, 0);
    options_.clear();
    for (const Admitted& one : admitted_) {
      for (std::size_t i = 0; i < one.sizes; ++i)
        options_.push_back({.cost = one.choices->sizes[i], .gain = one.choices->units[i]});
      class_begin_.push_back(static_cast<int>(options_.size()));
    }
    const auto result = solvers::solve_knapsack(class_begin_, options_, capacity);
    VODA_ASSERT(result.status == solvers::Status::optimal, "admitted minimums fit");
    for (std::size_t i = 0; i < admitted_.size(); ++i) {
      const auto option = static_cast<std::size_t>(result.option_of_class[i]);
      gpus[admitted_[i].job] = admitted_[i].choices->sizes[option];
    }
  }

  allocators_detail::CurveCache<Choices> cache_{};
  std::vector<Admitted> admitted_{};  // in arrival order
  GpuCount slack_ = 0;                // what the minimums leave
  std::vector<Offer> heap_{};
  std::vector<std::size_t> next_run_{};
  std::vector<int> class_begin_{};
  std::vector<solvers::KnapsackOption> options_{};
};

}  // namespace ffdl_detail

VODA_INLINE AllocationDecision Ffdl::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<ffdl_detail::Workspace>(FfdlOptions{}, problem);
}

VODA_INLINE std::unique_ptr<AllocatorSession> Ffdl::session() const {
  return allocators_detail::make_session<ffdl_detail::Workspace>(FfdlOptions{});
}

}  // namespace voda

#pragma once

#include "voda/allocators/ffdl.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <vector>

#include "voda/allocators/impl/curve_cache.hpp"
#include "voda/allocators/impl/expansion.hpp"
#include "voda/allocators/impl/explaining.hpp"
#include "voda/allocators/impl/session.hpp"
#include "voda/solvers/knapsack.hpp"

namespace voda {
namespace ffdl_detail {

/// The sizes of a job that can be part of an optimal answer: each faster than all smaller ones.
struct Choices {
  std::vector<GpuCount> sizes{};
  std::vector<std::int64_t> units{};  // S(size) in units of 2^-24
  GpuCount step = 0;                  // from the first size to the second
  GpuCount concave_steps = 0;         // how many equal steps there are before a gain rises

  void find_concave_part() {
    if (sizes.size() < 2)
      return;
    step = sizes[1] - sizes[0];
    std::int64_t gain = units[1] - units[0];
    for (std::size_t i = 1; i < sizes.size() && sizes[i] - sizes[i - 1] == step; ++i) {
      const std::int64_t next = units[i] - units[i - 1];
      if (next > gain)
        return;
      gain = next;
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
  result.find_concave_part();
  return result;
}

/// A job that is admitted.
struct Admitted {
  JobIndex job{};
  const Choices* choices = nullptr;  // null: not listed, for the curve is known to be concave
};

/// Speeds of all jobs together in units of 2^-24.
[[nodiscard]] inline std::int64_t total_speed(const AllocationProblem& problem,
                                              const AllocationDecision& decision) {
  std::int64_t total = 0;
  for (const JobIndex job : *problem.arrival_order)
    total += problem.columns->speedup[job].units(decision.gpus[job]);
  return total;
}

/// The contest of the other jobs that were admitted for what one of them leaves when it holds `gpus`.
[[nodiscard]] inline AllocationProblem without(const AllocationProblem& problem,
                                               const AllocationDecision& decision,
                                               JobIndex job,
                                               GpuCount gpus) {
  AllocationProblem others = problem;
  auto order = std::make_shared<std::vector<JobIndex>>();
  for (const JobIndex other : *problem.arrival_order) {
    if (other != job && decision.gpus[other] > 0)
      order->push_back(other);
  }
  others.arrival_order = std::move(order);
  others.capacity = problem.capacity - gpus;
  return others;
}

/// What the smallest faster size of an admitted job would cost.
[[nodiscard]] inline Reason why_no_more(const Ffdl& policy,
                                        const AllocationProblem& problem,
                                        const AllocationDecision& decision,
                                        JobIndex job) {
  namespace detail = allocators_detail;
  const JobColumns& columns = *problem.columns;
  const GpuCount from = decision.gpus[job];
  const GpuCount to = next_faster_size(columns, job, from);
  GpuCount left = problem.capacity - from;  // beside the minimums of the others
  for (const JobIndex other : *problem.arrival_order)
    left -= other != job && decision.gpus[other] > 0 ? columns.sizes[other].min : 0;
  if (to == 0 || to - from > left)
    return bound_of(problem, left, LooksAt::any_speed, job, from);
  const AllocationProblem others = without(problem, decision, job, to);
  const std::int64_t best = total_speed(others, policy.allocate(others));
  const std::int64_t loss = total_speed(problem, decision) - best - columns.speedup[job].units(to);
  const std::vector<Fact> sizes{detail::gpu_fact("to", to), detail::gpu_fact("from", from)};
  if (loss <= 0)
    return {.code = ReasonCode::saves_gpus, .facts = sizes};
  Reason result{.code = ReasonCode::costs_total_speed, .facts = sizes};
  result.facts.emplace_back("loss", static_cast<double>(loss) / SpeedupCurve::units_per_speed);
  return result;
}

class Workspace {
 public:
  void decide(const FfdlOptions& /*options*/,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    allocators_detail::clear(problem, decision);
    columns_ = problem.columns.get();
    admit(problem);
    if (has_common_concave_step()) {
      decision.effort = solve_concave(decision.gpus);
    } else {
      decision.effort = solve_any(problem.capacity, decision.gpus);
    }
  }

 private:
  void admit(const AllocationProblem& problem) {
    cache_.begin(columns_->size());
    admitted_.clear();
    admitted_.reserve(problem.arrival_order->size());
    slack_ = problem.capacity;
    for (const JobIndex job : *problem.arrival_order) {
      const GpuCount minimum = columns_->sizes[job].min;
      if (minimum > slack_)
        continue;
      slack_ -= minimum;
      admitted_.push_back({.job = job});
    }
    constexpr GpuCount largest_shared =
        1 << 20;  // beyond it, no size that nobody can afford is listed
    reach_ = problem.capacity <= largest_shared ? problem.capacity : slack_;
  }

  void list_choices(Admitted& one) {
    const SpeedupCurve& speed = columns_->speedup[one.job];
    const AllowedSizes& allowed = columns_->sizes[one.job];
    one.choices = &cache_.of(
        one.job, speed, allowed, reach_, [&] { return choices_of(speed, allowed, reach_); });
  }

  /// True when all jobs that can grow do so in equal steps, along concave curves.
  [[nodiscard]] bool has_common_concave_step() {
    step_ = 0;
    for (Admitted& one : admitted_) {
      const GpuCount step = concave_step(one);
      if (step == 0)
        continue;
      if (step < 0 || (step_ > 0 && step != step_))
        return false;
      step_ = step;
    }
    return true;
  }

  /// The step of a job along its concave curve; 0 when it cannot grow, -1 when the curve is another.
  [[nodiscard]] GpuCount concave_step(Admitted& one) {
    const AllowedSizes& allowed = columns_->sizes[one.job];
    const SpeedupCurve& speed = columns_->speedup[one.job];
    if (allowed.step > 0 && allowed.max <= speed.concave_to()) {
      const GpuCount next = next_size(allowed, allowed.min);
      const bool grows =
          next != 0 && next - allowed.min <= slack_ && speed(next) > speed(allowed.min);
      return grows ? allowed.step : 0;
    }
    list_choices(one);
    const std::size_t affordable = one.choices->affordable(slack_);
    if (affordable < 2)
      return 0;
    const bool is_concave = affordable - 1 <= static_cast<std::size_t>(one.choices->concave_steps);
    return is_concave ? one.choices->step : -1;
  }

  /// Each step to the largest gain; of equals, to the job that was submitted first.
  [[nodiscard]] std::int64_t solve_concave(Allocation& gpus) {
    for (const Admitted& one : admitted_)
      gpus[one.job] = columns_->sizes[one.job].min;
    if (step_ == 0)
      return 0;
    expansion_.begin(*columns_, admitted_.size());
    for (const Admitted& one : admitted_)
      expansion_.add(one.job, gpus[one.job]);
    return expansion_.run(slack_ / step_ * step_, gpus);
  }

  [[nodiscard]] std::int64_t solve_any(GpuCount capacity, Allocation& gpus) {
    class_begin_.assign(1, 0);
    options_.clear();
    for (Admitted& one : admitted_) {
      if (one.choices == nullptr)
        list_choices(one);
      const std::size_t affordable = one.choices->affordable(slack_);
      for (std::size_t i = 0; i < affordable; ++i)
        options_.push_back({.cost = one.choices->sizes[i], .gain = one.choices->units[i]});
      class_begin_.push_back(static_cast<int>(options_.size()));
    }
    const auto& result = knapsack_.solve(class_begin_, options_, capacity);
    VODA_ASSERT(result.status == solvers::Status::optimal, "admitted minimums fit");
    for (std::size_t i = 0; i < admitted_.size(); ++i) {
      const auto option = static_cast<std::size_t>(result.option_of_class[i]);
      gpus[admitted_[i].job] = admitted_[i].choices->sizes[option];
    }
    return std::ssize(options_);
  }

  const JobColumns* columns_ = nullptr;
  allocators_detail::CurveCache<Choices> cache_{};
  std::vector<Admitted> admitted_{};  // in arrival order
  GpuCount slack_ = 0;                // what the minimums leave
  GpuCount reach_ = 0;                // sizes up to minimum + reach are listed
  GpuCount step_ = 0;                 // of all jobs that can grow
  allocators_detail::Expansion expansion_{};
  std::vector<int> class_begin_{};
  std::vector<solvers::KnapsackOption> options_{};
  solvers::KnapsackSolver knapsack_{};
};

}  // namespace ffdl_detail

VODA_INLINE AllocationDecision Ffdl::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<ffdl_detail::Workspace>(FfdlOptions{}, problem);
}

VODA_INLINE Explanation Ffdl::explain(const AllocationProblem& problem,
                                      const AllocationDecision& decision,
                                      JobIndex job) const {
  namespace detail = allocators_detail;
  const JobColumns& columns = *problem.columns;
  const GpuCount minimum = columns.sizes[job].min;
  Explanation result = detail::begin_explanation(decision, job);
  const detail::Turn turn =
      detail::turn_of(*problem.arrival_order, job, problem.capacity, [&](JobIndex other) {
        return decision.gpus[other] > 0 ? columns.sizes[other].min : 0;
      });
  result.rank = turn.rank;
  result.keys = {{"submitted", columns.submitted[job]}};
  if (result.gpus == 0) {
    result.reasons.push_back(cost_bound(problem, turn.left, 0, minimum));
    if (result.reasons.back().code == ReasonCode::no_capacity)
      result.reasons.back().code = ReasonCode::not_admitted;
    return result;
  }
  detail::append_started(minimum, turn.left, result);
  append_growth(problem, minimum, result.gpus, result);
  result.reasons.push_back(ffdl_detail::why_no_more(*this, problem, decision, job));
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> Ffdl::session() const {
  return allocators_detail::make_session<ffdl_detail::Workspace>(FfdlOptions{});
}

}  // namespace voda

#pragma once

#include "voda/allocators/ffdl.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "voda/allocators/impl/serving.hpp"
#include "voda/solvers/knapsack.hpp"
#include "voda/solvers/marginal_gain.hpp"

namespace voda {
namespace ffdl_detail {

/// The sizes of an admitted job that can be part of an optimal answer: each faster than all smaller ones.
struct Choices {
  JobIndex job{};
  std::vector<GpuCount> sizes{};
  std::vector<std::int64_t> units{};  // S(size) in units of 2^-24

  /// True when every size is `step` above the one before and gains never rise; one size always is.
  [[nodiscard]] bool is_concave(GpuCount step) const {
    for (std::size_t i = 1; i < sizes.size(); ++i) {
      if (sizes[i] - sizes[i - 1] != step)
        return false;
      if (i > 1 && units[i] - units[i - 1] > units[i - 1] - units[i - 2])
        return false;
    }
    return true;
  }
};

[[nodiscard]] inline std::vector<JobIndex> admit(const AllocationProblem& problem,
                                                 GpuCount& slack) {
  std::vector<JobIndex> admitted;
  slack = problem.capacity;
  for (const JobIndex job : *problem.arrival_order) {
    const GpuCount minimum = problem.columns->sizes[job].min;
    if (minimum > slack)
      continue;
    slack -= minimum;
    admitted.push_back(job);
  }
  return admitted;
}

/// All useful sizes up to minimum + slack; a curve is flat from flat_from() on, so none lies beyond.
[[nodiscard]] inline Choices choices_of(const JobColumns& columns, JobIndex job, GpuCount slack) {
  const AllowedSizes& allowed = columns.sizes[job];
  const SpeedupCurve& speed = columns.speedup[job];
  Choices result{.job = job};
  for (GpuCount size = allowed.min; size != 0 && size - allowed.min <= slack;
       size = next_size(allowed, size)) {
    const std::int64_t units = speed.units(size);
    if (result.units.empty() || units > result.units.back()) {
      result.sizes.push_back(size);
      result.units.push_back(units);
    }
    if (!speed.is_linear() && size >= speed.flat_from())
      break;
  }
  return result;
}

/// The common step of all jobs that can grow, when their curves are concave in it; 0 otherwise.
[[nodiscard]] inline GpuCount common_concave_step(std::span<const Choices> choices) {
  GpuCount step = 0;
  for (const Choices& choice : choices) {
    if (choice.sizes.size() < 2)
      continue;
    if (step == 0)
      step = choice.sizes[1] - choice.sizes[0];
    if (!choice.is_concave(step))
      return 0;
  }
  return step;
}

inline void solve_concave(std::span<const Choices> choices, GpuCount budget, Allocation& gpus) {
  std::vector<std::int32_t> limits;
  for (const Choices& choice : choices) {
    limits.push_back(static_cast<std::int32_t>(choice.sizes.size()) - 1);
  }
  const std::vector<std::int32_t> none(choices.size(), 0);
  const auto gain = [choices](std::size_t item, std::int32_t step) {
    const auto& units = choices[item].units;
    const auto at = static_cast<std::size_t>(step);
    return units[at + 1] - units[at];
  };
  const auto steps = solvers::add_by_marginal_gain(none, limits, budget, gain);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    gpus[choices[i].job] = choices[i].sizes[static_cast<std::size_t>(steps[i])];
  }
}

inline void solve_any(std::span<const Choices> choices, GpuCount capacity, Allocation& gpus) {
  std::vector<int> class_begin{0};
  std::vector<solvers::KnapsackOption> options;
  for (const Choices& choice : choices) {
    for (std::size_t i = 0; i < choice.sizes.size(); ++i) {
      options.push_back({.cost = choice.sizes[i], .gain = choice.units[i]});
    }
    class_begin.push_back(static_cast<int>(options.size()));
  }
  const auto result = solvers::solve_knapsack(class_begin, options, capacity);
  VODA_ASSERT(result.status == solvers::Status::optimal, "admitted minimums fit");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    gpus[choices[i].job] = choices[i].sizes[static_cast<std::size_t>(result.option_of_class[i])];
  }
}

}  // namespace ffdl_detail

VODA_INLINE AllocationDecision Ffdl::allocate(const AllocationProblem& problem) const {
  AllocationDecision decision = allocators_detail::empty_decision(problem);
  GpuCount slack = 0;
  const auto admitted = ffdl_detail::admit(problem, slack);
  std::vector<ffdl_detail::Choices> choices;
  choices.reserve(admitted.size());
  for (const JobIndex job : admitted) {
    choices.push_back(ffdl_detail::choices_of(*problem.columns, job, slack));
  }
  const bool can_grow =
      std::ranges::any_of(choices, [](const auto& c) { return c.sizes.size() > 1; });
  const GpuCount step = ffdl_detail::common_concave_step(choices);
  if (!can_grow || step > 0) {
    ffdl_detail::solve_concave(choices, step > 0 ? slack / step : 0, decision.gpus);
  } else {
    ffdl_detail::solve_any(choices, problem.capacity, decision.gpus);
  }
  return decision;
}

}  // namespace voda

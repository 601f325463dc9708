#pragma once

#include "voda/policy/reasons.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace reasons_detail {

[[nodiscard]] inline Reason end_of_sizes(const AllowedSizes& sizes, GpuCount size) {
  if (size == sizes.max)
    return {.code = ReasonCode::at_maximum, .facts = {{"maximum", std::int64_t{size}}}};
  return {.code = ReasonCode::no_larger_size,
          .facts = {{"gpus", std::int64_t{size}}, {"maximum", std::int64_t{sizes.max}}}};
}

/// The step is not faster.
[[nodiscard]] inline Reason slow_step(GpuCount from, GpuCount to) {
  if (from == 0)
    return {.code = ReasonCode::no_progress, .facts = {{"gpus", std::int64_t{to}}}};
  return {.code = ReasonCode::no_gain,
          .facts = {{"from", std::int64_t{from}}, {"to", std::int64_t{to}}}};
}

}  // namespace reasons_detail

VODA_INLINE GpuCount next_faster_size(const JobColumns& columns, JobIndex job, GpuCount size) {
  const AllowedSizes& sizes = columns.sizes[job];
  const SpeedupCurve& speed = columns.speedup[job];
  for (GpuCount next = next_size(sizes, size); next != 0; next = next_size(sizes, next)) {
    if (speed(next) > speed(size))
      return next;
    if (!speed.is_linear() && next >= speed.flat_from())
      return 0;
  }
  return 0;
}

VODA_INLINE Reason cost_bound(const AllocationProblem& problem,
                              GpuCount left,
                              GpuCount from,
                              GpuCount to) {
  if (to > problem.capacity) {
    return {.code = ReasonCode::exceeds_pool,
            .facts = {{"needed", std::int64_t{to}}, {"capacity", std::int64_t{problem.capacity}}}};
  }
  if (to - from > left) {
    return {.code = ReasonCode::no_capacity,
            .facts = {{"needed", std::int64_t{to - from}}, {"free", std::int64_t{left}}}};
  }
  return {.code = ReasonCode::policy_choice, .facts = {{"free", std::int64_t{left}}}};
}

VODA_INLINE Reason bound_of(const AllocationProblem& problem,
                            GpuCount left,
                            LooksAt looks_at,
                            JobIndex job,
                            GpuCount size) {
  namespace detail = reasons_detail;
  const AllowedSizes& sizes = problem.columns->sizes[job];
  const SpeedupCurve& speed = problem.columns->speedup[job];
  const GpuCount next = next_size(sizes, size);
  if (next == 0)
    return detail::end_of_sizes(sizes, size);
  GpuCount to = next;
  if (looks_at == LooksAt::any_speed)
    to = next_faster_size(*problem.columns, job, size);
  if (looks_at == LooksAt::next_speed && !(speed(next) > speed(size)))
    to = 0;
  return to == 0 ? detail::slow_step(size, next) : cost_bound(problem, left, size, to);
}

VODA_INLINE void check_contestant(std::span<const JobIndex> arrival_order, JobIndex job) {
  if (std::ranges::find(arrival_order, job) == arrival_order.end()) {
    throw InvalidInput(
        fmt::format("job slot {}: takes no part in the problem; expected one of its {} jobs",
                    position(job),
                    arrival_order.size()));
  }
}

VODA_INLINE GpuCount left_over(const AllocationProblem& problem,
                               const AllocationDecision& decision) {
  GpuCount left = problem.capacity;
  for (const JobIndex job : *problem.arrival_order)
    left -= decision.gpus[job];
  return left;
}

VODA_INLINE void append_bound(const AllocationProblem& problem,
                              GpuCount left,
                              LooksAt looks_at,
                              Explanation& explanation) {
  explanation.reasons.push_back(
      bound_of(problem, left, looks_at, explanation.job, explanation.gpus));
}

VODA_INLINE void append_growth(const AllocationProblem& problem,
                               GpuCount from,
                               GpuCount to,
                               Explanation& explanation) {
  constexpr int most_steps = 16;
  const AllowedSizes& sizes = problem.columns->sizes[explanation.job];
  const SpeedupCurve& speed = problem.columns->speedup[explanation.job];
  const auto are_equal = [](double a, double b) {
    return std::abs(a - b) <=
           2 * SpeedupCurve::smallest_speed;  // as interpolated speeds are rounded
  };
  const auto gain = [&speed](GpuCount a, GpuCount b) { return (speed(b) - speed(a)) / (b - a); };
  for (int steps = 1; from < to; ++steps) {
    GpuCount end = next_size(sizes, from);
    const double first_gain = gain(from, end);
    for (GpuCount next = next_size(sizes, end); end < to && are_equal(gain(end, next), first_gain);
         next = next_size(sizes, end))
      end = next;
    if (steps == most_steps)
      end = to;
    explanation.reasons.push_back(
        {.code = ReasonCode::grew,
         .facts = {
             {"from", std::int64_t{from}}, {"to", std::int64_t{end}}, {"gain", gain(from, end)}}});
    from = end;
  }
}

VODA_INLINE Explanation Allocator::explain(const AllocationProblem& problem,
                                           const AllocationDecision& decision,
                                           JobIndex job) const {
  Explanation result{.job = job, .gpus = decision.gpus[job]};
  append_bound(problem, left_over(problem, decision), LooksAt::sizes, result);
  return result;
}

}  // namespace voda

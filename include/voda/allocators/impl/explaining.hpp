#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "voda/allocators/impl/growth.hpp"
#include "voda/allocators/impl/serving.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/reasons.hpp"

namespace voda::allocators_detail {

/// The turn of a job in a walk over all of them.
struct Turn {
  Rank rank{};
  GpuCount left = 0;  // GPUs that earlier jobs left
};

/// `given(job)` is what the walk gave an earlier job.
template <class Order, class Given>
[[nodiscard]] Turn turn_of(const Order& order, JobIndex job, GpuCount capacity, Given given) {
  Turn turn{.rank = {.place = 1, .of = order.size()}, .left = capacity};
  for (const auto& entry : order) {
    if (job_of(entry) == job)
      break;
    turn.left -= given(job_of(entry));
    ++turn.rank.place;
  }
  return turn;
}

/// What a walk that is over gave.
[[nodiscard]] inline auto gpus_of(const AllocationDecision& decision) {
  return [&decision](JobIndex job) { return decision.gpus[job]; };
}

[[nodiscard]] inline Explanation begin_explanation(const AllocationDecision& decision,
                                                   JobIndex job) {
  return {.job = job, .gpus = decision.gpus[job]};
}

inline void append(Explanation& explanation, ReasonCode code, std::vector<Fact> facts = {}) {
  explanation.reasons.push_back({.code = code, .facts = std::move(facts)});
}

[[nodiscard]] inline Fact gpu_fact(std::string name, GpuCount gpus) {
  return {std::move(name), std::int64_t{gpus}};
}

inline void append_started(GpuCount gpus, GpuCount left, Explanation& explanation) {
  append(explanation, ReasonCode::started, {gpu_fact("gpus", gpus), gpu_fact("free", left)});
}

/// What one size or nothing means for a job whose turn came with `left` GPUs.
inline void append_rigid(const AllocationProblem& problem,
                         RigidSize size,
                         GpuCount left,
                         Explanation& explanation) {
  const JobColumns& columns = *problem.columns;
  const JobIndex job = explanation.job;
  const GpuCount wanted = rigid_size(columns, job, size);
  if (wanted == 0) {
    append(explanation,
           ReasonCode::above_cap,
           {gpu_fact("needed", columns.requested[job]), gpu_fact("cap", columns.sizes[job].max)});
  } else if (explanation.gpus == 0) {
    explanation.reasons.push_back(cost_bound(problem, left, 0, wanted));
  } else {
    append_started(wanted, left, explanation);
    append(explanation, ReasonCode::rigid, {gpu_fact("gpus", wanted)});
  }
}

/// Elastic-FIFO and Elastic-SRJF in their order.
template <class Order>
void explain_elastic(const AllocationProblem& problem,
                     const AllocationDecision& decision,
                     const Order& order,
                     Growth growth,
                     Explanation& explanation) {
  const JobColumns& columns = *problem.columns;
  const JobIndex job = explanation.job;
  const GpuCount minimum = columns.sizes[job].min;
  const bool is_one_pass = growth == Growth::in_order;
  const Turn turn = turn_of(order, job, problem.capacity, [&](JobIndex other) {
    return is_one_pass || decision.gpus[other] == 0 ? decision.gpus[other]
                                                    : columns.sizes[other].min;
  });
  explanation.rank = turn.rank;
  if (is_one_pass && explanation.gpus > 0) {
    append(explanation,
           ReasonCode::chosen,
           {gpu_fact("gpus", explanation.gpus), gpu_fact("free", turn.left)});
    append_bound(problem, turn.left - explanation.gpus, LooksAt::any_speed, explanation);
    return;
  }
  if (explanation.gpus == 0) {
    append_bound(
        problem, turn.left, is_one_pass ? LooksAt::any_speed : LooksAt::next_speed, explanation);
    return;
  }
  append_started(minimum, turn.left, explanation);
  append_growth(problem, minimum, explanation.gpus, explanation);
  append_bound(problem, left_over(problem, decision), LooksAt::next_speed, explanation);
}

}  // namespace voda::allocators_detail

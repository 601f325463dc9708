#pragma once

#include <cstdint>
#include <span>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/explanation.hpp"

// What policies say again and again when they explain a size; for policies of your own too.

namespace voda {

/// Throws InvalidInput that names the slot when `job` is no contestant.
void check_contestant(std::span<const JobIndex> arrival_order, JobIndex job);

/// GPUs that a decision leaves to nobody.
[[nodiscard]] GpuCount left_over(const AllocationProblem& problem,
                                 const AllocationDecision& decision);

/// What a policy considers before it lets a job grow.
enum class LooksAt : std::uint8_t {
  sizes,       // allowed sizes and free GPUs
  next_speed,  // also whether the next allowed size is faster
  any_speed    // also whether any larger size is faster
};

/// The smallest allowed size above `size` that is faster; 0 when none is. O(sizes up to the flat part of the curve).
[[nodiscard]] GpuCount next_faster_size(const JobColumns& columns, JobIndex job, GpuCount size);

/// Why a step from one size to a larger one was not made that a policy wanted: there are not so many GPUs, or not so many
/// `left`.
[[nodiscard]] Reason cost_bound(const AllocationProblem& problem,
                                GpuCount left,
                                GpuCount from,
                                GpuCount to);

/// Why a job has no more than `size` GPUs: the next allowed size, or with LooksAt::any_speed the smallest faster one, does not
/// exist, is not faster, or costs more than `left`, what was free in the end or at its turn.
[[nodiscard]] Reason bound_of(
    const AllocationProblem& problem, GpuCount left, LooksAt looks_at, JobIndex job, GpuCount size);

/// Appends bound_of() the size that is explained.
void append_bound(const AllocationProblem& problem,
                  GpuCount left,
                  LooksAt looks_at,
                  Explanation& explanation);

/// Appends the steps from one size to another, neighbours of equal gain per GPU as one; at most 16, the last one for all
/// that remain.
void append_growth(const AllocationProblem& problem,
                   GpuCount from,
                   GpuCount to,
                   Explanation& explanation);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/reasons_inl.hpp"
#endif

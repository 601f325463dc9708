#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "voda/config.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/explanation.hpp"
#include "voda/policy/placer.hpp"
#include "voda/policy/registry.hpp"

namespace voda {

/// How far to look for a change that would help. Each step of a search is one decision of the policy.
struct ExplainBounds {
  GpuCount more_gpus = 128;  // added to the pool
  int own_sizes = 64;        // values tried for each of its minimum, request and maximum
  std::size_t holders = 64;  // other jobs taken away, one at a time
  std::size_t reviews = 8;   // instants at which the policy asked to decide again
  int option_values = 16;    // values tried for each option
  int more_nodes = 8;        // added to the pool
};

/// The policy in its table, so that its options can be tried; `options` are those that it runs with.
struct NamedPolicy {
  using Wrap = std::function<std::shared_ptr<const Allocator>(std::shared_ptr<const Allocator>)>;

  const Registry<Allocator>::Entry* entry = nullptr;
  Options options{};
  Wrap wrap{};  // what is around it; empty for nothing
};

/// Why `job`, a contestant, holds what `decision`, the answer of `allocator` to `problem`, gives it: the policy's own
/// reasons, the fewest jobs that hold what it lacks, and for each kind of change the smallest one within the bounds after
/// which the policy would give it more (for a job without GPUs: any). Each was found by deciding again, so it is exact.
///
/// Sizes and numbers of GPUs are tried in order of their distance and option values of their factor; of the holders, those
/// that have what the job lacks, the smallest and latest first, then the others, the largest first. Options are tried when `policy` is not null. Throws InvalidInput when the job is no
/// contestant, and what the policy throws.
[[nodiscard]] Explanation explain_size(const Allocator& allocator,
                                       const AllocationProblem& problem,
                                       const AllocationDecision& decision,
                                       JobIndex job,
                                       const ExplainBounds& bounds = {},
                                       const NamedPolicy* policy = nullptr);

/// Why the workers of `job`, a contestant, are where `decision`, the answer of `placer` to `problem`, puts them, or nowhere:
/// the placer's reasons, and the fewest empty nodes, and the one other job to take away (those on its nodes first, then by
/// arrival; at most `bounds.holders`), with which it would have a place, or fewer nodes. For a job on the fewest nodes that
/// could hold it nothing is tried. Each was found by placing again. Throws InvalidInput when the job
/// is no contestant, and what the placer throws.
[[nodiscard]] PlaceExplanation explain_place(const Placer& placer,
                                             const PlacementProblem& problem,
                                             const PlacementDecision& decision,
                                             JobIndex job,
                                             const ExplainBounds& bounds = {});

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/policy/impl/explain_inl.hpp"
#endif

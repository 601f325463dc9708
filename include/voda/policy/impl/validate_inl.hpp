#pragma once

#include "voda/policy/validate.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace validate_detail {

inline void check_count(const JobColumns& columns, JobIndex job, GpuCount gpus) {
  const AllowedSizes& sizes = columns.sizes[job];
  if (!is_allowed(sizes, gpus)) {
    throw InvalidDecision(
        fmt::format("job '{}': {} is not an allowed size; expected 0 or a size from {} to {}",
                    columns.id[job].value,
                    counted(gpus, "GPU"),
                    sizes.min,
                    sizes.max));
  }
}

inline void check_resets(const AllocationProblem& problem,
                         const AllocationDecision& decision,
                         const std::vector<std::uint8_t>& takes_part) {
  for (const JobIndex job : decision.resets) {
    if (position(job) >= takes_part.size() || takes_part[position(job)] == 0) {
      throw InvalidDecision(
          fmt::format("resets: slot {} holds no job of the problem", position(job)));
    }
  }
  if (decision.review_at && *decision.review_at <= problem.now) {
    throw InvalidDecision(fmt::format("review_at: {} s is not after now, {} s",
                                      to_seconds(*decision.review_at),
                                      to_seconds(problem.now)));
  }
}

/// Throws when a worker of a job is on a node that it may not use.
inline void check_nodes_of(const PlacementProblem& problem,
                           JobIndex job,
                           std::span<const NodeIndex> workers) {
  const auto& jobs = *problem.jobs;
  const auto& eligible = jobs.eligible[job];
  for (const NodeIndex node : workers) {
    if (position(node) >= problem.nodes->size() || problem.nodes->usable_gpus(node) == 0) {
      throw InvalidDecision(
          fmt::format("job '{}': a worker on position {}, which is no usable node",
                      jobs.id[job].value,
                      position(node)));
    }
    if (eligible && !std::ranges::binary_search(*eligible, node)) {
      throw InvalidDecision(fmt::format("job '{}': a worker on node '{}', which is not eligible",
                                        jobs.id[job].value,
                                        problem.nodes->id[node].value));
    }
  }
}

/// Adds the GPUs of a job's workers by node; false: one is beyond the last node.
inline bool add_load(std::span<const NodeIndex> workers,
                     GpuCount gpus_per_worker,
                     std::vector<std::int64_t>& used) {
  for (const NodeIndex node : workers) {
    if (position(node) >= used.size())
      return false;
    used[position(node)] += gpus_per_worker;
  }
  return true;
}

/// Throws when a node holds more than it has; first when a job is where it may not be.
inline void check_load(const PlacementProblem& problem,
                       const Placement& placement,
                       std::span<const std::int64_t> used) {
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto node = IndexedVector<NodeIndex, int>::index_of(i);
    const GpuCount usable = problem.nodes->usable_gpus(node);
    if (used[i] <= usable)
      continue;
    for (const JobIndex job : *problem.arrival_order)
      check_nodes_of(problem, job, placement[job]);
    throw InvalidDecision(fmt::format(
        "node '{}': {} GPUs used; it has {}", problem.nodes->id[node].value, used[i], usable));
  }
}

}  // namespace validate_detail

VODA_INLINE void validate(const AllocationProblem& problem, const AllocationDecision& decision) {
  const JobColumns& columns = *problem.columns;
  if (decision.gpus.size() != columns.size()) {
    throw InvalidDecision(fmt::format(
        "{} counts for {} slots; expected one per slot", decision.gpus.size(), columns.size()));
  }
  std::vector<std::uint8_t> takes_part(columns.size(), 0);
  std::int64_t sum = 0;
  for (const JobIndex job : *problem.arrival_order) {
    validate_detail::check_count(columns, job, decision.gpus[job]);
    takes_part[position(job)] = 1;
    sum += decision.gpus[job];
  }
  for (std::size_t slot = 0; slot < takes_part.size(); ++slot) {
    const GpuCount gpus = decision.gpus[Allocation::index_of(slot)];
    if (takes_part[slot] == 0 && gpus != 0) {
      throw InvalidDecision(
          fmt::format("slot {}: {} for no job; expected 0", slot, counted(gpus, "GPU")));
    }
  }
  if (sum > problem.capacity) {
    throw InvalidDecision(fmt::format("{} GPUs given out; the pool has {}", sum, problem.capacity));
  }
  validate_detail::check_resets(problem, decision, takes_part);
}

VODA_INLINE void check(const PlacementProblem& problem) {
  const JobColumns& jobs = *problem.jobs;
  if (problem.allocation.size() != jobs.size()) {
    throw InvalidInput(fmt::format("allocation: {} counts for {} slots; expected one per slot",
                                   problem.allocation.size(),
                                   jobs.size()));
  }
  std::int64_t workers = 0;
  for (const JobIndex job : *problem.arrival_order) {
    const GpuCount gpus = problem.allocation[job];
    if (gpus < 0 || gpus % jobs.sizes[job].gpus_per_worker != 0) {
      throw InvalidInput(
          fmt::format("job '{}': allocation {}; expected a multiple of gpus_per_worker {}",
                      jobs.id[job].value,
                      gpus,
                      jobs.sizes[job].gpus_per_worker));
    }
    workers += gpus / jobs.sizes[job].gpus_per_worker;
  }
  if (workers > most_placed_workers) {
    throw InvalidInput(fmt::format(
        "allocation: {} workers; expected at most {} to place", workers, most_placed_workers));
  }
}

VODA_INLINE void validate(const PlacementProblem& problem, const PlacementDecision& decision) {
  const JobColumns& jobs = *problem.jobs;
  std::vector<std::int64_t> used(problem.nodes->size(), 0);
  std::vector<std::uint8_t> is_unplaced(jobs.size(), 0);
  for (const Unplaced& unplaced : decision.unplaced) {
    if (position(unplaced.job) >= is_unplaced.size()) {
      throw InvalidDecision(fmt::format("unplaced: slot {} holds no job", position(unplaced.job)));
    }
    is_unplaced[position(unplaced.job)] = 1;
  }
  std::size_t workers_seen = 0;
  for (const JobIndex job : *problem.arrival_order) {
    const auto workers = decision.placement[job];
    const std::int64_t held =
        static_cast<std::int64_t>(workers.size()) * jobs.sizes[job].gpus_per_worker;
    const std::int64_t wanted = is_unplaced[position(job)] != 0 ? 0 : problem.allocation[job];
    if (held != wanted) {
      throw InvalidDecision(fmt::format(
          "job '{}': {} placed; expected {}", jobs.id[job].value, counted(held, "GPU"), wanted));
    }
    workers_seen += workers.size();
    const bool is_inside =
        validate_detail::add_load(workers, jobs.sizes[job].gpus_per_worker, used);
    if (!is_inside || jobs.eligible[job] != nullptr)
      validate_detail::check_nodes_of(problem, job, workers);
  }
  if (workers_seen != decision.placement.workers()) {
    throw InvalidDecision(fmt::format("{} workers placed for no job of the problem",
                                      decision.placement.workers() - workers_seen));
  }
  validate_detail::check_load(problem, decision.placement, used);
}

}  // namespace voda

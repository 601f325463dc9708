#pragma once

#include "voda/placers/cost.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/placers/impl/situation.hpp"
#include "voda/placers/impl/span_bounds.hpp"

namespace voda {
namespace placers_detail {

/// Counts different numbers; `values` is scratch.
inline std::int64_t count_different(std::vector<std::int32_t>& values) {
  if (values.size() == 1)
    return 1;
  std::ranges::sort(values);
  const auto rest = std::ranges::unique(values);
  return rest.begin() - values.begin();
}

/// Adds what changed for the survivors of one job.
inline void add_moves(const PlacementProblem& problem,
                      const Situation& situation,
                      std::size_t job,
                      std::span<const NodeIndex> after,
                      PlacementCost& cost) {
  const Contender& contender = situation.jobs[job];
  const std::size_t survivors =
      std::min(static_cast<std::size_t>(contender.survivors), after.size());
  const auto before = problem.current[contender.slot].first(survivors);
  if (same_nodes(before, after.first(survivors)))
    return;
  for (std::size_t worker = 0; worker < survivors; ++worker) {
    if (before[worker] == after[worker])
      continue;
    const bool is_forced = situation.must_leave[contender.first_survivor + worker] != 0;
    ++(is_forced ? cost.forced : cost.moved);
  }
}

/// How many different `of(node)` each job uses beyond `fewest(job)`, summed.
template <class Of, class Fewest>
std::int64_t sum_excess(const Situation& situation,
                        const Placement& placement,
                        Of of,
                        Fewest fewest) {
  std::int64_t excess = 0;
  std::vector<std::int32_t> used;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const auto nodes = placement[situation.jobs[job].slot];
    if (nodes.empty())
      continue;
    used.clear();
    for (const NodeIndex node : nodes) {
      const std::int32_t next = of(position(node));
      if (used.empty() || used.back() != next)
        used.push_back(next);
    }
    excess += count_different(used) - fewest(job);
  }
  return excess;
}

/// Counts the excess domains of every topology level.
inline void add_excess_by_level(const PlacementProblem& problem,
                                const Situation& situation,
                                const Placement& placement,
                                PlacementCost& cost) {
  for (const auto& domain_of_node : read_domains(*problem.nodes)) {
    SpanBounds bounds(domain_of_node);
    cost.excess_by_level.push_back(sum_excess(
        situation,
        placement,
        [&](std::size_t node) { return domain_of_node[node]; },
        [&](std::size_t job) { return bounds.fewest(situation, job); }));
  }
}

}  // namespace placers_detail

VODA_INLINE PlacementCost placement_cost(const PlacementProblem& problem,
                                         const Placement& placement) {
  const auto situation = placers_detail::read_situation(problem);
  PlacementCost cost;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    placers_detail::add_moves(problem, situation, job, placement[situation.jobs[job].slot], cost);
  }
  cost.excess_span = placers_detail::sum_excess(
      situation,
      placement,
      [](std::size_t node) { return static_cast<std::int32_t>(node); },
      [&](std::size_t job) { return situation.fewest_nodes[job]; });
  placers_detail::add_excess_by_level(problem, situation, placement, cost);
  return cost;
}

}  // namespace voda

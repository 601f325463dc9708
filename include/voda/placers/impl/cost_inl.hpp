#pragma once

#include "voda/placers/cost.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/placers/impl/placement_answer.hpp"
#include "voda/placers/impl/situation.hpp"
#include "voda/placers/impl/span_bounds.hpp"

namespace voda {
namespace placers_detail {

/// Counts different numbers; `values` is scratch.
inline std::int64_t count_different(std::vector<std::int32_t>& values) {
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
  const auto before = problem.current[contender.slot];
  const std::size_t survivors =
      std::min(static_cast<std::size_t>(contender.survivors), after.size());
  for (std::size_t worker = 0; worker < survivors; ++worker) {
    if (before[worker] == after[worker])
      continue;
    const bool is_forced = situation.must_leave[contender.first_survivor + worker] != 0;
    ++(is_forced ? cost.forced : cost.moved);
  }
}

/// Adds the domains used beyond the fewest, over all jobs, at one level; nodes when `domain_of_node` is empty.
inline std::int64_t sum_excess(const Situation& situation,
                               const Placement& placement,
                               const std::vector<std::int32_t>& domain_of_node) {
  SpanBounds bounds(domain_of_node);
  std::int64_t excess = 0;
  std::vector<std::int32_t> used;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const auto nodes = placement[situation.jobs[job].slot];
    if (nodes.empty())
      continue;
    used.clear();
    for (const NodeIndex node : nodes) {
      used.push_back(domain_of_node.empty() ? static_cast<std::int32_t>(position(node))
                                            : domain_of_node[position(node)]);
    }
    excess += count_different(used) - bounds.fewest(situation, job);
  }
  return excess;
}

VODA_INLINE PlacementCost cost_of(const PlacementProblem& problem,
                                  const Situation& situation,
                                  const Placement& placement) {
  PlacementCost cost;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    add_moves(problem, situation, job, placement[situation.jobs[job].slot], cost);
  }
  cost.excess_span = sum_excess(situation, placement, {});
  for (const auto& domain_of_node : read_domains(*problem.nodes)) {
    cost.excess_by_level.push_back(sum_excess(situation, placement, domain_of_node));
  }
  return cost;
}

}  // namespace placers_detail

VODA_INLINE PlacementCost placement_cost(const PlacementProblem& problem,
                                         const Placement& placement) {
  return placers_detail::cost_of(problem, placers_detail::read_situation(problem), placement);
}

}  // namespace voda

#pragma once

#include "voda/placers/spread.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/placement_answer.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda {
namespace placers_detail {

/// A node that a job may use, with the places it has for workers of the job.
struct SpreadNode {
  std::int32_t node = 0;
  std::int32_t room = 0;
  std::int32_t survivors = 0;
};

inline std::vector<SpreadNode> usable_nodes(const Situation& situation,
                                            const Layout& layout,
                                            std::size_t job) {
  std::vector<SpreadNode> nodes;
  const GpuCount per_worker = situation.jobs[job].gpus_per_worker;
  for (std::size_t i = 0; i < situation.capacity.size(); ++i) {
    const auto node = static_cast<std::int32_t>(i);
    const std::int32_t room = layout.free(node) / per_worker;
    if (room == 0 || !situation.may_use(job, node))
      continue;
    nodes.push_back({.node = node, .room = room, .survivors = situation.home_workers(job, node)});
  }
  return nodes;
}

/// The smallest number of workers per node at which all find a place; they must fit.
inline std::int32_t lowest_level(const std::vector<SpreadNode>& nodes, std::int32_t workers) {
  std::int32_t low = 1;
  std::int32_t high = workers;
  while (low < high) {
    const std::int32_t level = low + (high - low) / 2;
    std::int64_t held = 0;
    for (const SpreadNode& node : nodes)
      held += std::min(level, node.room);
    if (held >= workers) {
      high = level;
    } else {
      low = level + 1;
    }
  }
  return low;
}

/// Fills all nodes to one below the level and then the best ones by one more.
inline void spread_job(const Situation& situation,
                       std::size_t job,
                       std::vector<SpreadNode> nodes,
                       Layout& layout) {
  std::int32_t rest = situation.jobs[job].workers;
  const std::int32_t level = lowest_level(nodes, rest);
  const auto key = [&](const SpreadNode& node) {
    return std::tuple(node.survivors < level,
                      -layout.free(node.node),
                      situation.capacity[static_cast<std::size_t>(node.node)],
                      node.node);
  };
  std::ranges::sort(nodes, {}, key);
  for (const SpreadNode& node : nodes)
    rest -= std::min(level - 1, node.room);
  for (const SpreadNode& node : nodes) {
    const bool takes_one_more = rest > 0 && node.room >= level;
    rest -= takes_one_more ? 1 : 0;
    layout.add(
        situation, job, node.node, std::min(level - 1, node.room) + (takes_one_more ? 1 : 0));
  }
}

inline Unplaced refuse_to_spread(const Situation& situation,
                                 const Layout& layout,
                                 std::size_t job,
                                 std::int64_t room) {
  const Contender& contender = situation.jobs[job];
  std::int64_t free = 0;
  for (std::size_t i = 0; i < situation.capacity.size(); ++i) {
    const auto node = static_cast<std::int32_t>(i);
    if (situation.may_use(job, node))
      free += layout.free(node);
  }
  const bool is_full = free < std::int64_t{contender.workers} * contender.gpus_per_worker;
  return {.job = contender.slot,
          .reason = is_full ? UnplacedReason::no_capacity : UnplacedReason::fragmentation,
          .free_gpus = static_cast<GpuCount>(free),
          .placeable_gpus = static_cast<GpuCount>(room * contender.gpus_per_worker)};
}

/// Jobs by worker size descending, then arrival.
inline std::vector<std::size_t> placing_order(const Situation& situation) {
  std::vector<std::size_t> order(situation.jobs.size());
  for (std::size_t job = 0; job < order.size(); ++job)
    order[job] = job;
  std::ranges::sort(order, {}, [&situation](std::size_t job) {
    return std::pair(-situation.jobs[job].gpus_per_worker, job);
  });
  return order;
}

}  // namespace placers_detail

VODA_INLINE PlacementDecision Spread::place(const PlacementProblem& problem) const {
  const auto situation = placers_detail::read_situation(problem);
  placers_detail::Draft draft{.layout = placers_detail::Layout(situation)};
  for (const std::size_t job : placers_detail::placing_order(situation)) {
    auto nodes = placers_detail::usable_nodes(situation, draft.layout, job);
    std::int64_t room = 0;
    for (const auto& node : nodes)
      room += node.room;
    if (room >= situation.jobs[job].workers) {
      placers_detail::spread_job(situation, job, std::move(nodes), draft.layout);
    } else {
      draft.unplaced.push_back(
          placers_detail::refuse_to_spread(situation, draft.layout, job, room));
    }
  }
  std::ranges::sort(draft.unplaced, [&](const Unplaced& a, const Unplaced& b) {
    return arrives_before(*problem.jobs, a.job, b.job);
  });
  return placers_detail::answer(problem, situation, draft);
}

VODA_INLINE std::vector<Reason> Spread::explain(const PlacementProblem& problem,
                                                const PlacementDecision& decision,
                                                JobIndex job) const {
  auto result = Placer::explain(problem, decision, job);
  result.insert(result.begin(), {.code = ReasonCode::spreads, .facts = {}});
  return result;
}

}  // namespace voda

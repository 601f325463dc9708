#include "command_line/placement_answer.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "command_line/snapshot_state.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

Json placement_json(const Snapshot& snapshot,
                    const ClusterState& state,
                    std::span<const PlacementDecision> decisions) {
  Json result = Json::object();
  const auto locations = locations_of(snapshot, state);
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const auto& [pool, job] = locations[i];
    const auto workers = decisions[pool].placement[job];
    if (workers.empty())
      continue;
    append(result,
           snapshot.jobs[i].job.id.value,
           gpus_by_node_json(state.pools()[pool], job, workers));
  }
  return result;
}

Json workers_json(const Snapshot& snapshot,
                  const ClusterState& state,
                  std::span<const PlacementDecision> decisions) {
  Json result = Json::object();
  const auto locations = locations_of(snapshot, state);
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const auto& [pool, job] = locations[i];
    const auto workers = decisions[pool].placement[job];
    if (workers.empty())
      continue;
    Json nodes = Json::array();
    for (const NodeIndex node : workers)
      nodes.push_back(state.pools()[pool].nodes().id[node].value);
    append(result, snapshot.jobs[i].job.id.value, std::move(nodes));
  }
  return result;
}

Json unplaced_json(const Snapshot& snapshot,
                   const ClusterState& state,
                   std::span<const PlacementDecision> decisions,
                   UnplacedReasons reasons) {
  for (std::size_t pool = 0; pool < decisions.size(); ++pool) {
    for (const Unplaced& failed : decisions[pool].unplaced) {
      reasons.insert_or_assign(std::pair(pool, failed.job),
                               reason_text(failed.reason, failed.free_gpus, failed.placeable_gpus));
    }
  }
  Json result = Json::object();
  const auto locations = locations_of(snapshot, state);
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const auto found = reasons.find({locations[i].pool, locations[i].job});
    if (found != reasons.end())
      append(result, snapshot.jobs[i].job.id.value, found->second);
  }
  return result;
}

Json cost_json(std::span<const PlacementDecision> decisions) {
  PlacementCost sum;
  for (const PlacementDecision& decision : decisions) {
    const PlacementCost& cost = decision.cost;
    sum.excess_span += cost.excess_span;
    sum.moved += cost.moved;
    sum.forced += cost.forced;
    if (sum.excess_by_level.size() < cost.excess_by_level.size()) {
      sum.excess_by_level.resize(cost.excess_by_level.size());
    }
    for (std::size_t level = 0; level < cost.excess_by_level.size(); ++level) {
      sum.excess_by_level[level] += cost.excess_by_level[level];
    }
  }
  return {{"excess_span", sum.excess_span},
          {"moved", sum.moved},
          {"forced", sum.forced},
          {"excess_by_level", sum.excess_by_level}};
}

Json bound_json(std::span<const PlacementDecision> decisions) {
  PlacementBound sum;
  for (const PlacementDecision& decision : decisions) {
    sum.excess_span += decision.bound.excess_span;
    sum.moved += decision.bound.moved;
  }
  return {{"excess_span", sum.excess_span}, {"moved", sum.moved}};
}

}  // namespace

Json gpus_by_node_json(const PoolState& pool,
                       JobIndex job,
                       std::span<const NodeIndex> node_of_worker) {
  std::map<NodeIndex, GpuCount> gpus;
  for (const NodeIndex node : node_of_worker)
    gpus[node] += pool.jobs().sizes[job].gpus_per_worker;
  Json result = Json::object();
  for (const auto& [node, count] : gpus)
    append(result, pool.nodes().id[node].value, count);
  return result;
}

std::string placement_note(const Json& answer) {
  const Json& cost = answer.at("cost");
  const Json& bound = answer.at("bound");
  return fmt::format(
      "excess span {} (at least {}), moved workers {} (at least {}), forced moves {}",
      cost.at("excess_span").dump(),
      bound.at("excess_span").dump(),
      cost.at("moved").dump(),
      bound.at("moved").dump(),
      cost.at("forced").dump());
}

std::string reason_text(UnplacedReason reason, GpuCount free_gpus, GpuCount placeable_gpus) {
  const std::string free = counted(free_gpus, "GPU") + (free_gpus == 1 ? " is" : " are");
  switch (reason) {
    case UnplacedReason::no_capacity:
      return fmt::format("no capacity: {} free on nodes that it may use", free);
    case UnplacedReason::fragmentation:
      break;
  }
  if (placeable_gpus == 0) {
    return fmt::format("fragmentation: {} free, but split: none of its sizes fits", free);
  }
  return fmt::format(
      "fragmentation: {} free but split, at most {} of them would do", free, placeable_gpus);
}

void require_nodes(const Snapshot& snapshot) {
  if (!snapshot.nodes.empty() || snapshot.total_gpus() == 0)
    return;
  throw InvalidInput(fmt::format("gpus: {}, but no nodes; expected nodes to place workers on",
                                 snapshot.total_gpus()));
}

void append_placement(Json& answer,
                      const Snapshot& snapshot,
                      const ClusterState& state,
                      std::span<const PlacementDecision> decision_of_pool,
                      WorkerDetail detail,
                      const UnplacedReasons& further_unplaced) {
  append(answer, "placement", placement_json(snapshot, state, decision_of_pool));
  if (detail == WorkerDetail::listed)
    append(answer, "workers", workers_json(snapshot, state, decision_of_pool));
  append(answer, "unplaced", unplaced_json(snapshot, state, decision_of_pool, further_unplaced));
  append(answer, "cost", cost_json(decision_of_pool));
  append(answer, "bound", bound_json(decision_of_pool));
}

}  // namespace voda::command_line

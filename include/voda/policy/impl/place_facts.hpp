#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "voda/policy/explanation.hpp"
#include "voda/policy/placer.hpp"

namespace voda::place_detail {

[[nodiscard]] inline std::set<NodeIndex> nodes_of(std::span<const NodeIndex> workers) {
  return {workers.begin(), workers.end()};
}

[[nodiscard]] inline Fact count_fact(std::string name, std::size_t count) {
  return {std::move(name), static_cast<std::int64_t>(count)};
}

/// What can be said of the place of a job whatever the placer. All must outlive it.
class PlaceFacts {
 public:
  PlaceFacts(const PlacementProblem& problem, const PlacementDecision& decision, JobIndex job)
      : problem_(&problem),
        decision_(&decision),
        job_(job),
        per_worker_(problem.jobs->sizes[job].gpus_per_worker) {}

  void append_refusal(const Unplaced& failed, std::vector<Reason>& reasons) const {
    const Fact needed{"needed", std::int64_t{problem_->allocation[job_]}};
    const Fact free{"free", std::int64_t{failed.free_gpus}};
    if (failed.reason == UnplacedReason::no_capacity) {
      reasons.push_back({.code = ReasonCode::no_room, .facts = {needed, free}});
      return;
    }
    reasons.push_back({.code = ReasonCode::split_room,
                       .facts = {needed,
                                 {"per_worker", std::int64_t{per_worker_}},
                                 free,
                                 {"placeable", std::int64_t{failed.placeable_gpus}}}});
    append_gaps(reasons);
  }

  /// On how many nodes it is, and how many could hold it.
  void append_span(std::vector<Reason>& reasons) const {
    const auto nodes = nodes_of(workers());
    if (nodes.empty())
      return;
    const std::size_t fewest = fewest_nodes();
    if (nodes.size() == 1) {
      reasons.push_back({.code = ReasonCode::on_one_node,
                         .facts = {{"node", problem_->nodes->id[*nodes.begin()].value}}});
    } else if (nodes.size() <= fewest) {
      reasons.push_back(
          {.code = ReasonCode::on_fewest_nodes, .facts = {count_fact("nodes", nodes.size())}});
    } else {
      reasons.push_back(
          {.code = ReasonCode::on_more_nodes,
           .facts = {count_fact("nodes", nodes.size()), count_fact("fewest", fewest)}});
    }
  }

  /// How many workers stay, move, must move and start.
  void append_workers(std::vector<Reason>& reasons) const {
    const auto after = workers();
    const auto before = survivors();
    std::size_t stay = 0;
    std::size_t must_move = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      stay += before[i] == after[i] ? 1 : 0;
      must_move += before[i] != after[i] && !may_use(before[i]) ? 1 : 0;
    }
    const auto append = [&](ReasonCode code, std::size_t count) {
      if (count > 0)
        reasons.push_back({code, {count_fact("workers", count)}});
    };
    append(ReasonCode::stays, stay);
    append(ReasonCode::must_move, must_move);
    append(ReasonCode::moves, before.size() - stay - must_move);
    append(ReasonCode::starts, after.size() - before.size());
  }

  /// What moves that need not be are good for.
  void append_moves(std::vector<Reason>& reasons) const {
    const auto after = workers();
    const auto before = survivors();
    const auto from = nodes_of(before);
    const auto to = nodes_of(after);
    const bool all_survive = before.size() == after.size();
    if (all_survive && to.size() < from.size())
      reasons.push_back({.code = ReasonCode::gathered,
                         .facts = {count_fact("from", from.size()), count_fact("to", to.size())}});
    for (const NodeIndex node : from) {
      if (workers_on(after, node) >= workers_on(before, node) || !may_use(node))
        continue;
      if (const auto gained = who_gains_room(node)) {
        reasons.push_back({.code = ReasonCode::made_room,
                           .facts = {{"node", problem_->nodes->id[node].value}, {"job", *gained}}});
      }
    }
  }

  /// The fewest nodes that could hold it if they were empty.
  [[nodiscard]] std::size_t fewest_nodes() const {
    std::vector<GpuCount> rooms;
    for (std::size_t i = 0; i < problem_->nodes->size(); ++i) {
      const auto node = IndexedVector<NodeIndex, NodeId>::index_of(i);
      if (may_use(node))
        rooms.push_back(problem_->nodes->usable_gpus(node) / per_worker_);
    }
    std::ranges::sort(rooms, std::greater<>{});
    std::int64_t missing = problem_->allocation[job_] / per_worker_;
    std::size_t nodes = 0;
    while (missing > 0 && nodes < rooms.size() && rooms[nodes] > 0)
      missing -= rooms[nodes++];
    return nodes;
  }

  [[nodiscard]] std::size_t nodes() const { return nodes_of(workers()).size(); }

 private:
  [[nodiscard]] std::span<const NodeIndex> workers() const { return decision_->placement[job_]; }

  [[nodiscard]] std::span<const NodeIndex> survivors() const {
    const auto before = problem_->current[job_];
    return before.first(std::min(before.size(), workers().size()));
  }

  [[nodiscard]] bool may_use(NodeIndex node) const {
    const auto& eligible = problem_->jobs->eligible[job_];
    return problem_->nodes->usable_gpus(node) >= per_worker_ &&
           (eligible == nullptr || std::ranges::binary_search(*eligible, node));
  }

  [[nodiscard]] static std::int64_t workers_on(std::span<const NodeIndex> workers, NodeIndex node) {
    return std::ranges::count(workers, node);
  }

  /// The other job that has most GPUs more on a node than before, the earliest of equals.
  [[nodiscard]] std::optional<JobIndex> who_gains_room(NodeIndex node) const {
    std::optional<JobIndex> result;
    std::int64_t most = 0;
    for (const JobIndex other : *problem_->arrival_order) {
      if (other == job_)
        continue;
      const std::int64_t gain = (workers_on(decision_->placement[other], node) -
                                 workers_on(problem_->current[other], node)) *
                                problem_->jobs->sizes[other].gpus_per_worker;
      if (gain > most) {
        most = gain;
        result = other;
      }
    }
    return result;
  }

  /// How the GPUs that stay free lie on its nodes.
  void append_gaps(std::vector<Reason>& reasons) const {
    IndexedVector<NodeIndex, GpuCount> free;
    for (std::size_t i = 0; i < problem_->nodes->size(); ++i)
      free.push_back(problem_->nodes->usable_gpus(IndexedVector<NodeIndex, NodeId>::index_of(i)));
    for (const JobIndex other : *problem_->arrival_order) {
      for (const NodeIndex node : decision_->placement[other])
        free[node] -= problem_->jobs->sizes[other].gpus_per_worker;
    }
    std::int64_t sum = 0;
    std::size_t nodes = 0;
    GpuCount largest = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
      const auto node = IndexedVector<NodeIndex, GpuCount>::index_of(i);
      const auto& eligible = problem_->jobs->eligible[job_];
      if (free[node] <= 0 || (eligible != nullptr && !std::ranges::binary_search(*eligible, node)))
        continue;
      sum += free[node];
      ++nodes;
      largest = std::max(largest, free[node]);
    }
    if (nodes > 0) {
      reasons.push_back(
          {.code = ReasonCode::free_gaps,
           .facts = {
               {"free", sum}, count_fact("nodes", nodes), {"largest", std::int64_t{largest}}}});
    }
  }

  const PlacementProblem* problem_ = nullptr;
  const PlacementDecision* decision_ = nullptr;
  JobIndex job_{};
  GpuCount per_worker_ = 1;
};

}  // namespace voda::place_detail

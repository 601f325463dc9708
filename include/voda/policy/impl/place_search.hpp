#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "voda/policy/explain.hpp"
#include "voda/policy/impl/place_facts.hpp"

namespace voda::explain_detail {

/// Places changed problems until the job gets a place, or one on fewer nodes.
class PlaceSearch {
 public:
  /// All must outlive the search.
  PlaceSearch(const Placer& placer,
              const PlacementProblem& problem,
              const PlacementDecision& decision,
              JobIndex job)
      : placer_(&placer),
        problem_(&problem),
        decision_(&decision),
        job_(job),
        nodes_(place_detail::PlaceFacts(problem, decision, job).nodes()) {}

  /// False for a job that asks for nothing or is on the fewest nodes.
  [[nodiscard]] bool can_improve() const {
    return problem_->allocation[job_] > 0 &&
           (nodes_ == 0 ||
            nodes_ > place_detail::PlaceFacts(*problem_, *decision_, job_).fewest_nodes());
  }

  [[nodiscard]] Change more_nodes(int most) const {
    GpuCount largest = 0;
    for (std::size_t i = 0; i < problem_->nodes->size(); ++i)
      largest = std::max(
          largest, problem_->nodes->usable_gpus(IndexedVector<NodeIndex, NodeId>::index_of(i)));
    auto nodes = std::make_shared<NodeColumns>(*problem_->nodes);
    auto jobs = std::make_shared<JobColumns>(*problem_->jobs);
    PlacementProblem changed = *problem_;
    changed.nodes = nodes;
    changed.jobs = jobs;
    for (int more = 1; more <= most && largest > 0; ++more) {
      const NodeIndex added = nodes->push_back({.gpus = largest});
      if (auto& eligible = jobs->eligible[job_]; eligible != nullptr) {
        auto longer = std::make_shared<std::vector<NodeIndex>>(*eligible);
        longer->push_back(added);
        eligible = std::move(longer);
      }
      if (const auto better = helps(changed)) {
        return {.kind = ChangeKind::more_nodes,
                .facts = {{"more", std::int64_t{more}}, {"node_gpus", std::int64_t{largest}}},
                .gpus = problem_->allocation[job_],
                .nodes = better};
      }
    }
    return {.kind = ChangeKind::more_nodes};
  }

  /// Tries the jobs on its nodes first.
  [[nodiscard]] Change neighbour_gone(std::size_t most) const {
    const auto own = place_detail::nodes_of(decision_->placement[job_]);
    std::vector<JobIndex> others;
    for (const bool shares_node : {true, false}) {
      for (const JobIndex other : *problem_->arrival_order) {
        const auto nodes = decision_->placement[other];
        const bool is_near =
            std::ranges::any_of(nodes, [&own](NodeIndex node) { return own.contains(node); });
        if (other != job_ && !nodes.empty() && is_near == shares_node)
          others.push_back(other);
      }
    }
    others.resize(std::min(others.size(), most));
    for (const JobIndex other : others) {
      PlacementProblem changed = *problem_;
      auto order = std::make_shared<std::vector<JobIndex>>(*problem_->arrival_order);
      std::erase(*order, other);
      changed.arrival_order = std::move(order);
      changed.allocation[other] = 0;
      changed.current.clear(other);
      if (const auto better = helps(changed)) {
        return {.kind = ChangeKind::holder_gone,
                .facts = {{"job", other}},
                .gpus = problem_->allocation[job_],
                .nodes = better};
      }
    }
    return {.kind = ChangeKind::holder_gone};
  }

 private:
  /// On how many nodes it would be, when that is better than now.
  [[nodiscard]] std::optional<std::size_t> helps(const PlacementProblem& changed) const {
    const std::size_t nodes =
        place_detail::nodes_of(placer_->place(changed).placement[job_]).size();
    return nodes > 0 && (nodes_ == 0 || nodes < nodes_) ? std::optional(nodes) : std::nullopt;
  }

  const Placer* placer_ = nullptr;
  const PlacementProblem* problem_ = nullptr;
  const PlacementDecision* decision_ = nullptr;
  JobIndex job_{};
  std::size_t nodes_ = 0;
};

}  // namespace voda::explain_detail

#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "voda/model/job.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/node.hpp"
#include "voda/model/node_columns.hpp"
#include "voda/policy/placer.hpp"

namespace voda::test {

/// What a test says about one job of a placement problem.
struct PlacedJob {
  std::string id{};
  GpuCount gpus = 0;  // its allocation
  std::vector<std::string>
      current{};  // node of each surviving worker; names without a node are lost nodes
  GpuCount gpus_per_worker = 1;
  std::vector<std::string> eligible{};  // empty: every node
};

/// Builds placement problems from names. Jobs arrive in the order in which they are added.
class PlacementBuilder {
 public:
  /// Adds a schedulable node.
  PlacementBuilder& node(std::string name, GpuCount gpus, std::vector<std::string> domains = {}) {
    return node(Node{.id = {std::move(name)}, .gpus = gpus, .domains = std::move(domains)});
  }

  PlacementBuilder& node(const Node& node) {
    index_of_[node.id.value] = nodes_.push_back(node);
    return *this;
  }

  /// Adds a node that is being drained.
  PlacementBuilder& cordoned(std::string name, GpuCount gpus) {
    return node(Node{.id = {std::move(name)}, .gpus = gpus, .schedulable = false});
  }

  PlacementBuilder& job(PlacedJob job) {
    jobs_.push_back(std::move(job));
    return *this;
  }

  /// `slot_of[i]`: the slot of the i-th job added; empty: in the order added.
  [[nodiscard]] PlacementProblem build(std::vector<std::size_t> slot_of = {}) {
    if (slot_of.empty()) {
      for (std::size_t i = 0; i < jobs_.size(); ++i)
        slot_of.push_back(i);
    }
    std::size_t slots = 0;
    for (const std::size_t slot : slot_of)
      slots = std::max(slots, slot + 1);
    for (const PlacedJob& job : jobs_)
      add_lost_nodes(job);
    JobColumns columns;
    columns.resize(slots);
    PlacementProblem problem{.allocation = Allocation(slots, 0), .current = Placement(slots)};
    std::vector<JobIndex> arrival_order;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      const auto slot = Allocation::index_of(slot_of[i]);
      columns.set(
          slot, job_of(jobs_[i], i), static_cast<GpuCount>(jobs_[i].current.size()), TimePoint{});
      columns.eligible[slot] = eligible_of(jobs_[i]);
      arrival_order.push_back(slot);
      problem.allocation[slot] = jobs_[i].gpus;
      problem.current.set(slot, indices(jobs_[i].current));
    }
    problem.nodes = std::make_shared<const NodeColumns>(nodes_);
    problem.jobs = std::make_shared<const JobColumns>(std::move(columns));
    problem.arrival_order = std::make_shared<const std::vector<JobIndex>>(std::move(arrival_order));
    return problem;
  }

 private:
  void add_lost_nodes(const PlacedJob& job) {
    for (const std::string& name : job.current) {
      if (index_of_.contains(name))
        continue;
      node(Node{.id = {name}, .gpus = 0});
      nodes_.state[index_of_[name]] = NodeState::lost;
    }
  }

  [[nodiscard]] static Job job_of(const PlacedJob& job, std::size_t arrival) {
    Job result;
    result.id = {job.id};
    result.submitted = TimePoint(std::chrono::seconds(static_cast<std::int64_t>(arrival)));
    result.spec.min_gpus = job.gpus_per_worker;
    result.spec.requested_gpus = job.gpus_per_worker;
    result.spec.max_gpus = 1 << 20;
    result.spec.gpus_per_worker = job.gpus_per_worker;
    return result;
  }

  [[nodiscard]] std::vector<NodeIndex> indices(const std::vector<std::string>& names) const {
    std::vector<NodeIndex> result;
    for (const std::string& name : names)
      result.push_back(index_of_.at(name));
    return result;
  }

  [[nodiscard]] EligibleNodes eligible_of(const PlacedJob& job) const {
    if (job.eligible.empty())
      return nullptr;
    auto nodes = indices(job.eligible);
    std::ranges::sort(nodes);
    return std::make_shared<const std::vector<NodeIndex>>(std::move(nodes));
  }

  NodeColumns nodes_{};
  std::map<std::string, NodeIndex> index_of_{};
  std::vector<PlacedJob> jobs_{};
};

/// The node names of a job's workers, by worker number.
[[nodiscard]] inline std::vector<std::string> nodes_of(const PlacementProblem& problem,
                                                       const Placement& placement,
                                                       std::size_t arrival) {
  std::vector<std::string> names;
  for (const NodeIndex node : placement[(*problem.arrival_order)[arrival]]) {
    names.push_back(problem.nodes->id[node].value);
  }
  return names;
}

/// The same problem one decision later, when `placement` runs and nothing else has changed.
[[nodiscard]] inline PlacementProblem after(PlacementProblem problem, const Placement& placement) {
  problem.current = placement;
  return problem;
}

}  // namespace voda::test

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "voda/model/event.hpp"
#include "voda/model/job.hpp"
#include "voda/model/node.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::test {

/// An instant in whole seconds.
[[nodiscard]] inline TimePoint at(std::int64_t seconds) {
  return TimePoint(Duration(seconds * 1'000'000));
}

[[nodiscard]] inline Duration seconds(std::int64_t count) {
  return Duration(count * 1'000'000);
}

/// An elastic job of `work_s` seconds on one GPU with linear speedup, asking for its maximum.
[[nodiscard]] inline Job elastic_job(std::string id,
                                     std::int64_t submitted_s,
                                     GpuCount max_gpus,
                                     double work_s) {
  return {.id = {std::move(id)},
          .submitted = at(submitted_s),
          .spec = {.min_gpus = 1, .requested_gpus = max_gpus, .max_gpus = max_gpus},
          .work = RemainingWork{.left_s = work_s}};
}

/// A rigid job of `work_s` seconds on one GPU with linear speedup.
[[nodiscard]] inline Job rigid_job(std::string id,
                                   std::int64_t submitted_s,
                                   GpuCount gpus,
                                   double work_s) {
  Job job = elastic_job(std::move(id), submitted_s, gpus, work_s);
  job.spec.min_gpus = gpus;
  return job;
}

[[nodiscard]] inline Node node(std::string id, GpuCount gpus, std::string gpu_type = "") {
  return {.id = {std::move(id)}, .gpu_type = std::move(gpu_type), .gpus = gpus};
}

template <class Body>
[[nodiscard]] Event event(std::int64_t seconds, Body body) {
  return {.at = at(seconds), .body = std::move(body)};
}

/// Nodes n0, n1, ... of so many GPUs.
[[nodiscard]] inline ClusterState cluster(const std::vector<GpuCount>& nodes) {
  ClusterState state;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    state.apply(event(0, NodeJoined{node("n" + std::to_string(i), nodes[i])}));
  return state;
}

[[nodiscard]] inline Job with_workers_of(Job job, GpuCount gpus_per_worker) {
  job.spec.gpus_per_worker = gpus_per_worker;
  return job;
}

/// Two nodes of four GPUs, the smallest cluster on which placement matters.
[[nodiscard]] inline ClusterState two_nodes_of_four(
    Observation observation = Observation::assumed) {
  ClusterState state(observation);
  state.apply(event(0, NodeJoined{node("n0", 4)}));
  state.apply(event(0, NodeJoined{node("n1", 4)}));
  return state;
}

/// The slot of a job that is known.
[[nodiscard]] inline JobIndex slot_of(const ClusterState& state, const std::string& id) {
  return state.find(JobId{id}).value().job;
}

/// The names of the nodes of a job's workers.
[[nodiscard]] inline std::vector<std::string> nodes_of(const ClusterState& state,
                                                       const std::string& id) {
  const JobLocation location = state.find(JobId{id}).value();
  const PoolState& pool = state.pools()[location.pool];
  std::vector<std::string> names;
  for (const NodeIndex node : pool.assigned()[location.job])
    names.push_back(pool.nodes().id[node].value);
  return names;
}

}  // namespace voda::test

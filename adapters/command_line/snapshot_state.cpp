#include "command_line/snapshot_state.hpp"

#include <cstdint>
#include <limits>
#include <variant>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda::command_line {
namespace {

/// One entry per worker; a node's GPUs must be whole workers.
std::vector<NodeId> workers_by_node(const SnapshotJob& job, const WorkerMap& gpus_by_node) {
  const GpuCount per_worker = job.job.spec.gpus_per_worker;
  std::vector<NodeId> result;
  for (const auto& [node, gpus] : gpus_by_node) {
    if (gpus % per_worker != 0) {
      throw InvalidInput(fmt::format(
          "job '{}': current: {} GPUs on node '{}'; expected a multiple of gpus_per_worker {}",
          job.job.id.value,
          gpus,
          node.value,
          per_worker));
    }
    result.insert(result.end(), static_cast<std::size_t>(gpus / per_worker), node);
  }
  return result;
}

JobSubmitted submission_of(const SnapshotJob& job) {
  JobSubmitted result{.job = job.job};
  if (const auto* gpus = std::get_if<GpuCount>(&job.current)) {
    result.held = *gpus;
    return result;
  }
  if (const auto* by_node = std::get_if<WorkerMap>(&job.current)) {
    result.node_of_worker = workers_by_node(job, *by_node);
  } else {
    result.node_of_worker = std::get<std::vector<NodeId>>(job.current);
  }
  const auto workers = static_cast<std::int64_t>(result.node_of_worker.size());
  const std::int64_t held = saturating_multiply(workers, job.job.spec.gpus_per_worker);
  constexpr std::int64_t most = std::numeric_limits<GpuCount>::max();
  if (held > most) {
    throw InvalidInput(fmt::format(
        "job '{}': current: {} GPUs; expected at most {}", job.job.id.value, held, most));
  }
  result.held = static_cast<GpuCount>(held);
  return result;
}

}  // namespace

ClusterState state_of(const Snapshot& snapshot) {
  ClusterState state;
  for (const Node& node : snapshot.nodes)
    state.apply({.at = snapshot.now, .body = NodeJoined{node}});
  if (snapshot.nodes.empty()) {
    const CapacityChanged capacity{.gpu_type = snapshot.gpu_types().front(),
                                   .gpus = snapshot.total_gpus()};
    state.apply({.at = snapshot.now, .body = capacity});
  }
  for (const SnapshotJob& job : snapshot.jobs) {
    state.apply({.at = snapshot.now, .body = submission_of(job)});
  }
  return state;
}

std::vector<JobLocation> locations_of(const Snapshot& snapshot, const ClusterState& state) {
  std::vector<JobLocation> result;
  result.reserve(snapshot.jobs.size());
  for (const SnapshotJob& job : snapshot.jobs)
    result.push_back(state.find(job.job.id).value());
  return result;
}

}  // namespace voda::command_line

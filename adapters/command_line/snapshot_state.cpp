#include "command_line/snapshot_state.hpp"

#include "voda/io/snapshot.hpp"

namespace voda::command_line {

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
    const JobSubmitted submission{
        .job = job.job, .held = gpus_held(job), .node_of_worker = node_of_worker(job)};
    state.apply({.at = snapshot.now, .body = submission});
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

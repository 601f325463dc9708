#pragma once

#include <span>
#include <string>
#include <vector>

#include "voda/io/snapshot.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::command_line {

/// The state of a cluster in which everything is as a snapshot says; throws InvalidInput.
[[nodiscard]] ClusterState state_of(const Snapshot& snapshot);

/// Where each job of the snapshot lives, in its order.
[[nodiscard]] std::vector<JobLocation> locations_of(const Snapshot& snapshot,
                                                    const ClusterState& state);

}  // namespace voda::command_line

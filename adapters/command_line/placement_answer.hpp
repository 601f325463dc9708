#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "command_line/json_text.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/policy/placer.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::command_line {

/// Whether the answer names the node of each worker besides the GPUs by node.
enum class WorkerDetail : std::uint8_t { omitted, listed };

/// Why jobs hold nothing, in words, by pool and slot.
using UnplacedReasons = std::map<std::pair<std::size_t, JobIndex>, std::string>;

/// Appends `placement`, `unplaced`, `cost` and `bound` (and `workers`) of one decision per pool to
/// `answer`. `further_unplaced` are jobs that were left out before the last placement was made.
void append_placement(Json& answer,
                      const Snapshot& snapshot,
                      const ClusterState& state,
                      std::span<const PlacementDecision> decision_of_pool,
                      WorkerDetail detail,
                      const UnplacedReasons& further_unplaced = {});

/// What a placement costs, and what none can undercut, as a line below a table.
[[nodiscard]] std::string placement_note(const Json& answer);

/// GPUs by node, in the order of the pool's nodes.
[[nodiscard]] Json gpus_by_node_json(const PoolState& pool,
                                     JobIndex job,
                                     std::span<const NodeIndex> node_of_worker);

/// Why a job could not be placed, for people; `placeable_gpus` would have fitted.
[[nodiscard]] std::string reason_text(UnplacedReason reason,
                                      GpuCount free_gpus,
                                      GpuCount placeable_gpus);

/// Throws InvalidInput for GPUs that are on no node, so that nothing can be placed on them.
void require_nodes(const Snapshot& snapshot);

}  // namespace voda::command_line

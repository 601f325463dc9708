#pragma once

#include <span>
#include <string>

#include "command_line/json_text.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::command_line {

/// One decision per pool as `gpus` in the snapshot's order, the earliest `review_at`, and `resets`
/// by ascending id.
[[nodiscard]] Json allocation_json(const Snapshot& snapshot,
                                   const ClusterState& state,
                                   std::span<const AllocationDecision> decision_of_pool);

/// When the policy wants to be asked again, as a line below a table.
[[nodiscard]] std::string review_note(const Json& answer);

}  // namespace voda::command_line

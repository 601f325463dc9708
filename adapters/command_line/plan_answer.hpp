#pragma once

#include <span>
#include <string>

#include "command_line/json_text.hpp"
#include "voda/scheduler/cluster_state.hpp"
#include "voda/scheduler/decision.hpp"

namespace voda::command_line {

/// One entry of a plan: the job, what happens to it, what it holds before and after.
[[nodiscard]] Json action_json(const PoolState& pool, const Plan& plan, const Action& action);

/// A line for each pool whose plan changes something: `at`, `gpu_type`, `plan`.
[[nodiscard]] std::string plan_lines(const ClusterState& state, const Decision& decision);

}  // namespace voda::command_line

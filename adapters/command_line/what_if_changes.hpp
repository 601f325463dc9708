#pragma once

#include <string>
#include <vector>

#include "command_line/command.hpp"
#include "voda/model/event.hpp"
#include "voda/scheduler/cluster_state.hpp"

namespace voda::command_line {

/// What is to be different, as text.
struct WhatIfChanges {
  std::vector<std::string> add_nodes{};     // clusters as --cluster
  std::vector<std::string> remove_nodes{};  // ids
  std::vector<std::string> cordon{};        // ids
  std::vector<std::string> add_jobs{};      // JSON, as the jobs of a snapshot
  std::vector<std::string> remove_jobs{};   // ids
  std::vector<std::string> set_jobs{};      // ID:field=value,...
};

/// Adds the options for changes.
void add_change_options(CLI::App& app, WhatIfChanges& changes);

/// The changes as events at the instant of `state`, in the order: nodes and jobs that leave, jobs that change, nodes and jobs
/// that come. Throws UsageError that names the option.
[[nodiscard]] std::vector<Event> events_of(const WhatIfChanges& changes, const ClusterState& state);

}  // namespace voda::command_line

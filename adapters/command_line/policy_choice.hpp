#pragma once

#include <memory>
#include <string>

#include "voda/model/event.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/explain.hpp"
#include "voda/policy/placer.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace CLI {
class App;
}

namespace voda::command_line {

/// Adds `--policy`, whose default is what `policy` holds.
void add_policy_option(CLI::App& app, std::string& policy);

/// True when a pool has nodes, so that workers can be placed.
[[nodiscard]] bool has_nodes(const ClusterImage& state);

/// Who decides: what the options ask for, otherwise what a record or a snapshot names, otherwise elastic_fifo, and steady where
/// there are nodes.
[[nodiscard]] PolicyChanged deciding_policy(PolicyChanged named,
                                            const std::string& policy,
                                            const std::string& placer,
                                            bool has_nodes);

/// The policy that `--policy` asks for; throws UsageError that lists what is known.
[[nodiscard]] std::shared_ptr<const Allocator> choose_allocator(const PolicyTables& tables,
                                                                const std::string& text);

/// The same policy in its table, with its options; `tables` must outlive the result.
[[nodiscard]] NamedPolicy named_policy(const PolicyTables& tables, const std::string& text);

/// The placer that `--placer` asks for, null for `none`; throws UsageError that lists what is
/// known.
[[nodiscard]] std::shared_ptr<const Placer> choose_placer(const PolicyTables& tables,
                                                          const std::string& text);

}  // namespace voda::command_line

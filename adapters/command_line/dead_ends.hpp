#pragma once

#include <string>

#include "command_line/command.hpp"
#include "voda/io/snapshot.hpp"

namespace voda::command_line {

/// Warns on `context.err` about jobs whose nodes are not in the snapshot: a gpu_type that no node
/// has, `eligible` names that no node has, and jobs that no node at all may hold. All three are
/// allowed, as nodes come and go. `source` names the snapshot.
void warn_of_dead_ends(const Snapshot& snapshot, const std::string& source, const Context& context);

}  // namespace voda::command_line

#pragma once

#include <optional>
#include <string>

#include "command_line/command.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/simulator/trace.hpp"

namespace voda::command_line {

/// A moment of a cluster and what is known of its future.
struct WhatIfSource {
  ClusterImage state{};  // `policy` is empty where the source names none
  Trace later{};         // jobs that were submitted afterwards
  std::string name{};    // of the file, for messages
};

/// Reads a snapshot, or a record up to `at` (absent: to its end): the state after all events up to then, and the jobs that
/// were submitted later. Throws InvalidInput, and UsageError for `at` with a snapshot.
[[nodiscard]] WhatIfSource read_what_if_source(const std::string& path,
                                               const std::optional<TimePoint>& at,
                                               const Context& context);

}  // namespace voda::command_line

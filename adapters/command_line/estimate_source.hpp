#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line/command.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/simulator/wait_forecaster.hpp"

namespace voda::command_line {

/// How a record is learned from.
struct EstimateOptions {
  std::optional<TimePoint> at{};  // absent: the record's end
  std::int64_t learn = 0;         // at least 0: forecasts of every k-th job, no more than these
  std::int64_t futures = 20;      // > 0: of each forecast
  Duration memory{};              // > 0: of PastJobs
  ResizeCost resize_cost{};
  std::uint64_t seed = 0;
  std::string policy{};  // empty: as deciding_policy() says
  std::string placer{};
};

/// A moment of a cluster, and who foretells what comes.
struct EstimateSource {
  ClusterImage state{};  // `policy` says who decides
  WaitForecaster forecaster;
  bool has_past = false;
};

/// Reads a snapshot, or a record up to `at`, making forecasts on the way and following them; `-` is standard input. Throws
/// InvalidInput, and UsageError for `at` with a snapshot and for unknown policies.
[[nodiscard]] EstimateSource read_estimate_source(const std::string& path,
                                                  const EstimateOptions& options,
                                                  const Context& context);

}  // namespace voda::command_line

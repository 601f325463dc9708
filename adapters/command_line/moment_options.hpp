#pragma once

#include <optional>
#include <string>

#include "voda/model/units.hpp"
#include "voda/simulator/resize_cost.hpp"

namespace CLI {
class App;
}

namespace voda::command_line {

/// Which moment is looked at, and who decides from there on, as text.
struct MomentOptions {
  std::string path{};    // of a snapshot or a record
  std::string at{};      // empty: the end of a record
  std::string policy{};  // empty, as the placer: what deciding_policy() says
  std::string placer{};
  std::string resize_cost = "none";
};

/// Adds FILE, `--at`, `--policy`, `--placer` and `--resize-cost`.
void add_moment_options(CLI::App& app, MomentOptions& options);

/// What `--at` says; throws UsageError that names it.
[[nodiscard]] std::optional<TimePoint> moment_of(const MomentOptions& options);

/// What `--resize-cost` says; throws UsageError that names it.
[[nodiscard]] ResizeCost resize_cost_of(const MomentOptions& options);

}  // namespace voda::command_line

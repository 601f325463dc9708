#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// GPUs by node, for people and for records.
using WorkerMap = std::map<NodeId, GpuCount>;

/// What happens to a job in a plan, in the order in which a plan lists them.
enum class ActionKind : std::uint8_t { stop, resize, migrate, start };

/// The name of a kind as snapshots write it.
[[nodiscard]] constexpr std::string_view name_of(ActionKind kind) {
  switch (kind) {
    case ActionKind::stop:
      return "stop";
    case ActionKind::resize:
      return "resize";
    case ActionKind::migrate:
      return "migrate";
    case ActionKind::start:
      return "start";
  }
  return "";
}

/// One job whose size or place changes. Without placement, or while the place is unknown, the node lists are empty.
struct Action {
  JobIndex job{};
  GpuCount gpus_before = 0;
  GpuCount gpus_after = 0;
  std::vector<NodeIndex> before{};  // node of worker 0, 1, ...
  std::vector<NodeIndex> after{};

  /// Derived, so that no pair can contradict.
  [[nodiscard]] ActionKind kind() const noexcept {
    if (gpus_after == 0)
      return ActionKind::stop;
    if (gpus_before == 0)
      return ActionKind::start;
    return gpus_before == gpus_after ? ActionKind::migrate : ActionKind::resize;
  }

  bool operator==(const Action&) const = default;
};

/// The difference between what is assigned and what was decided, for one pool: stops, then resizes (shrinking ones
/// first), migrations and starts; in arrival order within each.
struct Plan {
  TimePoint decided_at{};
  std::vector<Action> actions{};
  bool operator==(const Plan&) const = default;
};

}  // namespace voda

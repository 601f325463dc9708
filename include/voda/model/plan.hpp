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

/// Some nodes in a row of Plan::nodes.
struct NodeRange {
  std::uint32_t begin = 0;
  std::uint32_t count = 0;
  bool operator==(const NodeRange&) const = default;
};

/// One job whose size or place changes. Where its workers are and will be: Plan::before(), Plan::after().
struct Action {
  JobIndex job{};
  GpuCount gpus_before = 0;
  GpuCount gpus_after = 0;
  NodeRange before{};
  NodeRange after{};

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
  std::vector<NodeIndex>
      nodes{};  // of all actions, so that a plan is two arrays however many actions it has

  /// The node of worker 0, 1, ... before an action of this plan; empty without placement, or while the place is unknown.
  [[nodiscard]] std::span<const NodeIndex> before(const Action& action) const {
    return at(action.before);
  }

  /// The same after it.
  [[nodiscard]] std::span<const NodeIndex> after(const Action& action) const {
    return at(action.after);
  }

  bool operator==(const Plan&) const = default;

 private:
  [[nodiscard]] std::span<const NodeIndex> at(NodeRange range) const {
    return std::span(nodes).subspan(range.begin, range.count);
  }
};

}  // namespace voda

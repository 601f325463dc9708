#pragma once

#include "voda/scheduler/diff.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace voda {

namespace diff_detail {

/// Where an action belongs in a plan: stops, shrinking and growing resizes, migrations, starts.
[[nodiscard]] inline std::size_t section_of(const Action& action) {
  switch (action.kind()) {
    case ActionKind::stop:
      return 0;
    case ActionKind::resize:
      return action.gpus_after < action.gpus_before ? 1 : 2;
    case ActionKind::migrate:
      return 3;
    case ActionKind::start:
      return 4;
  }
  return 0;
}

}  // namespace diff_detail

VODA_INLINE Plan diff(TimePoint now,
                      const PoolState& pool,
                      const Allocation& gpus,
                      const Placement* target) {
  Plan plan{.decided_at = now};
  std::array<std::vector<Action>, 5> sections;
  const auto keep = [&plan](std::span<const NodeIndex> nodes) {
    const NodeRange range{.begin = static_cast<std::uint32_t>(plan.nodes.size()),
                          .count = static_cast<std::uint32_t>(nodes.size())};
    plan.nodes.insert(plan.nodes.end(), nodes.begin(), nodes.end());
    return range;
  };
  for (const JobIndex job : pool.arrival_order()) {
    const auto before = pool.assigned()[job];
    const auto after = target == nullptr ? std::span<const NodeIndex>{} : (*target)[job];
    const GpuCount held = pool.jobs().current[job];
    const bool is_moved = target != nullptr && !before.empty() && !same_nodes(before, after);
    if (held == gpus[job] && !is_moved)
      continue;
    const Action action{.job = job,
                        .gpus_before = held,
                        .gpus_after = gpus[job],
                        .before = keep(before),
                        .after = keep(after)};
    sections[diff_detail::section_of(action)].push_back(action);
  }
  for (const auto& section : sections)
    plan.actions.insert(plan.actions.end(), section.begin(), section.end());
  return plan;
}

}  // namespace voda

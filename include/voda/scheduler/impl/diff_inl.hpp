#pragma once

#include "voda/scheduler/diff.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
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
  std::array<std::vector<Action>, 5> sections;
  for (const JobIndex job : pool.arrival_order()) {
    const auto before = pool.assigned()[job];
    const auto after = target == nullptr ? std::span<const NodeIndex>{} : (*target)[job];
    const GpuCount held = pool.jobs().current[job];
    const bool is_moved =
        target != nullptr && !before.empty() && !std::ranges::equal(before, after);
    if (held == gpus[job] && !is_moved)
      continue;
    Action action{.job = job,
                  .gpus_before = held,
                  .gpus_after = gpus[job],
                  .before = {before.begin(), before.end()},
                  .after = {after.begin(), after.end()}};
    sections[diff_detail::section_of(action)].push_back(std::move(action));
  }
  Plan plan{.decided_at = now};
  for (auto& section : sections) {
    std::ranges::move(section, std::back_inserter(plan.actions));
  }
  return plan;
}

}  // namespace voda

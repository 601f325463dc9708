#pragma once

#include "voda/placers/impl/recreate.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE void Recreator::clear_nodes(const Situation& situation,
                                        Layout& layout,
                                        std::span<const std::int32_t> nodes) {
  evicted_.clear();
  for (const std::int32_t node : nodes) {
    while (!layout.tenants(node).empty()) {
      const Tenant tenant = layout.tenants(node).front();
      layout.add(situation, static_cast<std::size_t>(tenant.job), node, -tenant.workers);
      auto found = std::ranges::find(evicted_, tenant.job, &Evicted::job);
      if (found == evicted_.end())
        found = evicted_.insert(found, {.job = tenant.job});
      found->workers += tenant.workers;
    }
  }
  std::ranges::sort(evicted_, {}, &Evicted::job);
}

/// Larger workers first; then in half of the cases roughly by size, else in any order.
VODA_INLINE void Recreator::shuffle(const Situation& situation, FixedSequence& sequence) {
  const bool roughly_by_size = sequence.next(2) == 0;
  for (Evicted& evicted : evicted_) {
    evicted.turn = roughly_by_size ? -4 * std::int64_t{evicted.workers} - sequence.next(8)
                                   : -std::int64_t{sequence.next(1024)};
  }
  std::ranges::sort(evicted_, {}, [&situation](const Evicted& evicted) {
    const GpuCount size = situation.jobs[static_cast<std::size_t>(evicted.job)].gpus_per_worker;
    return std::tuple(-size, evicted.turn, evicted.job);
  });
}

/// Puts workers on the best of the nodes until all have a place: cheapest, then tightest, give or take.
VODA_INLINE bool Recreator::put_back(const Situation& situation,
                                     Weights weights,
                                     Layout& layout,
                                     std::span<const std::int32_t> nodes,
                                     const Evicted& evicted,
                                     FixedSequence& sequence) const {
  const auto job = static_cast<std::size_t>(evicted.job);
  const GpuCount per_worker = situation.jobs[job].gpus_per_worker;
  for (std::int32_t rest = evicted.workers; rest > 0;) {
    std::int32_t best = no_node;
    std::int64_t best_cost = 0;
    for (const std::int32_t node : nodes) {
      const std::int32_t room = std::min(rest, layout.free(node) / per_worker);
      if (room == 0 || !situation.may_use(job, node))
        continue;
      const std::int32_t held = layout.workers(job, node);
      const std::int32_t home = situation.home_workers(job, node);
      const std::int64_t kept = std::min(home, held + room) - std::min(home, held);
      const std::int64_t nodes_used = (held == 0 ? 1 : 0) + (room < rest ? 1 : 0);
      const std::int64_t left = std::min<std::int64_t>(layout.free(node) - room * per_worker, 60);
      const std::int64_t cost = (weights.excess * nodes_used - weights.moved * kept) * 1024 +
                                16 * left - sequence.next(16);
      if (best != no_node && cost >= best_cost)
        continue;
      best = node;
      best_cost = cost;
    }
    if (best == no_node)
      return false;
    const std::int32_t placed = std::min(rest, layout.free(best) / per_worker);
    layout.add(situation, job, best, placed);
    rest -= placed;
  }
  return true;
}

VODA_INLINE bool Recreator::recreate(const Situation& situation,
                                     Weights weights,
                                     Layout& layout,
                                     std::span<const std::int32_t> nodes,
                                     FixedSequence& sequence) {
  clear_nodes(situation, layout, nodes);
  shuffle(situation, sequence);
  return std::ranges::all_of(evicted_, [&](const Evicted& evicted) {
    return put_back(situation, weights, layout, nodes, evicted, sequence);
  });
}

}  // namespace voda::placers_detail

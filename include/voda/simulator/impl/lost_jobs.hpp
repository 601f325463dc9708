#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"
#include "voda/scheduler/pool_state.hpp"

namespace voda::simulator_detail {

/// The jobs with a worker on a node.
[[nodiscard]] inline std::vector<JobIndex> jobs_placed_on(const NodeId& id, const PoolState& pool) {
  std::vector<JobIndex> result;
  const auto is_there = [&pool, &id](NodeIndex node) { return pool.nodes().id[node] == id; };
  std::ranges::copy_if(pool.arrival_order(), std::back_inserter(result), [&](JobIndex job) {
    return std::ranges::any_of(pool.assigned()[job], is_there);
  });
  return result;
}

/// Without a placer nobody knows who runs on a node. Jobs then count as packed: in arrival order onto the usable nodes in the
/// order of the cluster, each on the next GPUs; jobs for which `is_stopped` holds take no place.
///
/// Returns those on the GPUs from number `begin` to before `end`.
template <class IsStopped>
[[nodiscard]] std::vector<JobIndex> jobs_packed_on(std::int64_t begin,
                                                   std::int64_t end,
                                                   const PoolState& pool,
                                                   const IsStopped& is_stopped) {
  std::vector<JobIndex> result;
  std::int64_t at = 0;
  for (const JobIndex job : pool.arrival_order()) {
    const GpuCount gpus = pool.jobs().current[job];
    if (gpus == 0 || is_stopped(job))
      continue;
    if (at < end && at + gpus > begin)
      result.push_back(job);
    at += gpus;
  }
  return result;
}

}  // namespace voda::simulator_detail

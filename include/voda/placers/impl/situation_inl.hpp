#pragma once

#include "voda/placers/impl/situation.hpp"

#include "voda/config.hpp"
#include "voda/placers/impl/span_bounds.hpp"
#include "voda/policy/validate.hpp"

namespace voda::placers_detail {

/// Adds the jobs that want workers, without their homes.
inline void read_jobs(const PlacementProblem& problem, Situation& situation) {
  const JobColumns& columns = *problem.jobs;
  std::uint32_t first_survivor = 0;
  for (const JobIndex slot : *problem.arrival_order) {
    if (problem.allocation[slot] == 0)
      continue;
    const GpuCount per_worker = columns.sizes[slot].gpus_per_worker;
    const std::int32_t workers = problem.allocation[slot] / per_worker;
    const auto before = static_cast<std::int32_t>(problem.current[slot].size());
    const std::int32_t survivors = std::min(before, workers);
    situation.jobs.push_back({.slot = slot,
                              .workers = workers,
                              .gpus_per_worker = per_worker,
                              .survivors = survivors,
                              .first_survivor = first_survivor,
                              .eligible = columns.eligible[slot].get()});
    first_survivor += static_cast<std::uint32_t>(survivors);
  }
  situation.must_leave.assign(first_survivor, 0);
}

/// Marks survivors on nodes that cannot hold them any more; returns the GPUs of the others per node.
inline std::vector<std::int64_t> leave_unusable(const PlacementProblem& problem,
                                                Situation& situation) {
  std::vector<std::int64_t> load(situation.capacity.size(), 0);
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const Contender& contender = situation.jobs[job];
    const auto nodes = problem.current[contender.slot];
    for (std::int32_t worker = 0; worker < contender.survivors; ++worker) {
      const std::size_t node = position(nodes[static_cast<std::size_t>(worker)]);
      const bool stays = node < load.size() && situation.capacity[node] > 0 &&
                         situation.may_use(job, static_cast<std::int32_t>(node));
      if (stays)
        load[node] += contender.gpus_per_worker;
      if (!stays) {
        situation.must_leave[contender.first_survivor + static_cast<std::uint32_t>(worker)] = 1;
      }
    }
  }
  return load;
}

/// Where a node shrank below what is on it, the latest arrivals leave first, highest numbers first.
inline void leave_overfull(const PlacementProblem& problem,
                           Situation& situation,
                           std::vector<std::int64_t> load) {
  const auto is_overfull = [&](std::size_t node) { return load[node] > situation.capacity[node]; };
  bool any = false;
  for (std::size_t node = 0; node < load.size(); ++node)
    any = any || is_overfull(node);
  if (!any)
    return;
  for (std::size_t job = situation.jobs.size(); job-- > 0;) {
    const Contender& contender = situation.jobs[job];
    const auto nodes = problem.current[contender.slot];
    for (auto worker = static_cast<std::size_t>(contender.survivors); worker-- > 0;) {
      std::uint8_t& leaves = situation.must_leave[contender.first_survivor + worker];
      if (leaves != 0 || !is_overfull(position(nodes[worker])))
        continue;
      leaves = 1;
      load[position(nodes[worker])] -= contender.gpus_per_worker;
    }
  }
}

/// Collects the survivors that may stay, by job and node.
inline void read_homes(const PlacementProblem& problem, Situation& situation) {
  std::vector<std::int32_t> nodes;
  situation.home_begin.reserve(situation.jobs.size() + 1);
  situation.home_begin.push_back(0);
  for (const Contender& contender : situation.jobs) {
    nodes.clear();
    const auto current = problem.current[contender.slot];
    for (std::size_t worker = 0; worker < static_cast<std::size_t>(contender.survivors); ++worker) {
      if (situation.must_leave[contender.first_survivor + worker] != 0)
        continue;
      nodes.push_back(static_cast<std::int32_t>(position(current[worker])));
    }
    if (!std::ranges::is_sorted(nodes))
      std::ranges::sort(nodes);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (i == 0 || nodes[i] != nodes[i - 1])
        situation.homes.push_back({.node = nodes[i]});
      ++situation.homes.back().workers;
    }
    situation.home_begin.push_back(static_cast<std::uint32_t>(situation.homes.size()));
  }
}

VODA_INLINE Situation read_situation(const PlacementProblem& problem) {
  check(problem);
  Situation situation;
  const NodeColumns& nodes = *problem.nodes;
  situation.capacity.reserve(nodes.size());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    situation.capacity.push_back(
        nodes.usable_gpus(IndexedVector<NodeIndex, NodeId>::index_of(node)));
  }
  read_jobs(problem, situation);
  auto load = leave_unusable(problem, situation);
  leave_overfull(problem, situation, std::move(load));
  read_homes(problem, situation);
  SpanBounds bounds;
  situation.fewest_nodes.reserve(situation.jobs.size());
  for (std::size_t job = 0; job < situation.jobs.size(); ++job)
    situation.fewest_nodes.push_back(bounds.fewest(situation, job));
  return situation;
}

}  // namespace voda::placers_detail

#pragma once

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/scheduler/cluster_state.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::simulator_detail {

/// The image of a reported cluster as a simulator carries it on: what was decided runs.
[[nodiscard]] inline ClusterImage as_assumed(ClusterImage image) {
  const ClusterState state = ClusterState::from_image(image);
  image.observation = Observation::assumed;
  for (std::size_t pool = 0; pool < image.pools.size(); ++pool) {
    for (JobImage& job : image.pools[pool].jobs) {
      const PoolState& before = state.pools()[pool];
      const JobIndex slot = state.find(job.job.id).value().job;
      job.job = before.job(slot, image.now);
      job.clock = {.since_promotion = job.job.progress.since_promotion,
                   .counted_at = image.now,
                   .running = job.held};
      job.observed_node_of_worker.clear();
      job.span = PoolState::span_of(before.assigned()[slot]);
      if (job.job.work)
        job.job.work->rate = job.job.speedup.at_span(job.held, job.span);
    }
  }
  return image;
}

/// The state that a run begins with; throws InvalidInput when it contradicts itself.
[[nodiscard]] inline ClusterState starting_state(const SimulationOptions& options) {
  if (!options.start)
    return ClusterState{};
  const bool is_assumed = options.start->observation == Observation::assumed;
  return ClusterState::from_image(is_assumed ? *options.start : as_assumed(*options.start));
}

/// The nodes that a run begins with. Of lost ones a state keeps the name alone.
[[nodiscard]] inline std::vector<Node> starting_nodes(const SimulationOptions& options) {
  if (!options.start)
    return options.nodes;
  std::vector<Node> result;
  for (const PoolImage& pool : options.start->pools) {
    for (const NodeImage& image : pool.nodes) {
      if (!image.is_lost)
        result.push_back(image.node);
    }
  }
  return result;
}

/// When a run begins. Throws InvalidInput for options and jobs that do not fit a starting state.
[[nodiscard]] inline TimePoint starting_instant(const Trace& trace,
                                                const SimulationOptions& options) {
  if (!options.start)
    return trace.jobs.empty() ? TimePoint{} : trace.jobs.front().submitted;
  if (!options.nodes.empty()) {
    throw InvalidInput(
        fmt::format("nodes: {} beside a state to start from; expected none, the state has them",
                    options.nodes.size()));
  }
  const TimePoint now = options.start->now;
  if (!trace.jobs.empty() && trace.jobs.front().submitted < now) {
    const Job& job = trace.jobs.front();
    throw InvalidInput(fmt::format(
        "job '{}': submitted {} s; expected an instant not before the state to start from, {} s",
        job.id.value,
        to_seconds(job.submitted),
        to_seconds(now)));
  }
  return now;
}

}  // namespace voda::simulator_detail

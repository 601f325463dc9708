#pragma once

#include "voda/scheduler/cluster_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {

VODA_INLINE void ClusterState::apply(const Event& event) {
  if (event.at < now_) {
    throw InvalidInput(
        fmt::format("event at {} s; expected an instant not before the last one, {} s",
                    to_seconds(event.at),
                    to_seconds(now_)));
  }
  const TimePoint before = std::exchange(now_, event.at);
  const std::size_t pools = pools_.size();
  const std::string first_type = pools_.empty() ? "" : pools_[0].gpu_type();
  try {
    std::visit([this](const auto& body) { apply_body(body); }, event.body);
  } catch (...) {
    now_ = before;
    pools_.erase(pools_.begin() + static_cast<std::ptrdiff_t>(pools), pools_.end());
    if (!pools_.empty() && pools_[0].gpu_type() != first_type)
      pools_[0].rename(first_type);
    throw;
  }
}

VODA_INLINE std::optional<JobLocation> ClusterState::find(const JobId& id) const {
  const auto found = location_of_job_.find(id.value);
  if (found == location_of_job_.end())
    return std::nullopt;
  return found->second;
}

VODA_INLINE std::optional<std::size_t> ClusterState::find_pool(std::string_view gpu_type) const {
  const auto found = std::ranges::find(pools_, gpu_type, &PoolState::gpu_type);
  if (found == pools_.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - pools_.begin());
}

VODA_INLINE std::size_t ClusterState::pool_for(const JobSpec& spec, const JobId& job) const {
  if (const auto named = find_pool(spec.gpu_type))
    return *named;
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (pools_[i].has_gpus_of_its_own())
      candidates.push_back(i);
  }
  if (spec.gpu_type.empty() && candidates.size() == 1)
    return candidates.front();
  std::vector<std::string_view> names;
  names.reserve(candidates.size());
  for (const std::size_t pool : candidates)
    names.push_back(pools_[pool].gpu_type());
  throw InvalidInput(fmt::format("job '{}': gpu_type '{}'; expected one of the pools '{}'",
                                 job.value,
                                 spec.gpu_type,
                                 fmt::join(names, "', '")));
}

VODA_INLINE JobLocation ClusterState::locate(const JobId& id) const {
  if (const auto location = find(id))
    return *location;
  throw InvalidInput(
      fmt::format("job '{}': unknown; expected the id of a submitted job", id.value));
}

VODA_INLINE std::size_t ClusterState::pool_of_node(const NodeId& id) const {
  const auto found = pool_of_node_.find(id.value);
  if (found != pool_of_node_.end() && pools_[found->second].has_node(id))
    return found->second;
  throw InvalidInput(
      fmt::format("node '{}': unknown; expected the id of a node that joined", id.value));
}

VODA_INLINE std::size_t ClusterState::pool_or_new(const std::string& gpu_type) {
  if (const auto named = find_pool(gpu_type))
    return *named;
  if (pools_.size() == 1 && pools_[0].gpu_type().empty() && !pools_[0].has_gpus_of_its_own()) {
    pools_[0].rename(gpu_type);
    return 0;
  }
  pools_.emplace_back(gpu_type, observation_);
  return pools_.size() - 1;
}

VODA_INLINE std::size_t ClusterState::pool_or_new(const JobSpec& spec, const JobId& job) {
  const auto has_gpus = [](const PoolState& pool) { return pool.has_gpus_of_its_own(); };
  if (!spec.gpu_type.empty() || std::ranges::none_of(pools_, has_gpus))
    return pool_or_new(spec.gpu_type);
  return pool_for(spec, job);
}

VODA_INLINE void ClusterState::apply_body(const JobSubmitted& event) {
  check(event.job);
  if (location_of_job_.contains(event.job.id.value)) {
    throw InvalidInput(
        fmt::format("job '{}': submitted twice; expected a new id", event.job.id.value));
  }
  const std::size_t pool = pool_or_new(event.job.spec, event.job.id);
  const JobIndex job = pools_[pool].submit(event, now_);
  location_of_job_.emplace(event.job.id.value, JobLocation{.pool = pool, .job = job});
}

VODA_INLINE void ClusterState::apply_body(const JobFinished& event) {
  const JobLocation at = locate(event.job);
  pools_[at.pool].finish(at.job);
  location_of_job_.erase(event.job.value);
}

VODA_INLINE void ClusterState::apply_body(const JobChanged& event) {
  const JobLocation at = locate(event.job);
  if (event.spec.gpu_type != pools_[at.pool].spec(at.job).gpu_type) {
    throw InvalidInput(fmt::format("job '{}': gpu_type '{}'; expected '{}', it cannot change",
                                   event.job.value,
                                   event.spec.gpu_type,
                                   pools_[at.pool].spec(at.job).gpu_type));
  }
  pools_[at.pool].change(at.job, event.spec, now_);
}

VODA_INLINE void ClusterState::apply_body(const JobMeasured& event) {
  const JobLocation at = locate(event.job);
  pools_[at.pool].measure(at.job, event, now_);
}

VODA_INLINE void ClusterState::apply_body(const WorkersSeen& event) {
  const JobLocation at = locate(event.job);
  pools_[at.pool].see_workers(at.job, event.node_of_worker, now_);
}

VODA_INLINE void ClusterState::apply_body(const WorkerFailed& event) {
  const JobLocation at = locate(event.job);
  pools_[at.pool].lose_worker(at.job, event.node, now_);
}

VODA_INLINE void ClusterState::apply_body(const NodeJoined& event) {
  const NodeId& id = event.node.id;
  const auto found = pool_of_node_.find(id.value);
  if (found != pool_of_node_.end() && pools_[found->second].has_node(id)) {
    throw InvalidInput(fmt::format("node '{}': joined twice; expected a new id", id.value));
  }
  const std::size_t pool = pool_or_new(event.node.gpu_type);
  pools_[pool].join(event.node);
  pool_of_node_[id.value] = pool;
  adopt_untyped_jobs(pool);
}

VODA_INLINE void ClusterState::apply_body(const NodeChanged& event) {
  const std::size_t pool = pool_of_node(event.node.id);
  if (event.node.gpu_type != pools_[pool].gpu_type()) {
    throw InvalidInput(fmt::format("node '{}': gpu_type '{}'; expected '{}', it cannot change",
                                   event.node.id.value,
                                   event.node.gpu_type,
                                   pools_[pool].gpu_type()));
  }
  pools_[pool].change(event.node);
}

VODA_INLINE void ClusterState::apply_body(const NodeLeft& event) {
  pools_[pool_of_node(event.node)].leave(event.node);
}

VODA_INLINE void ClusterState::apply_body(const CapacityChanged& event) {
  const std::size_t pool = pool_or_new(event.gpu_type);
  pools_[pool].set_capacity(event.gpus);
  adopt_untyped_jobs(pool);
}

VODA_INLINE void ClusterState::adopt_untyped_jobs(std::size_t pool) {
  const auto waiting = find_pool("");
  if (!waiting || *waiting == pool || pools_[*waiting].has_gpus_of_its_own())
    return;
  PoolState& from = pools_[*waiting];
  const std::vector<JobIndex> jobs(from.arrival_order().begin(), from.arrival_order().end());
  for (const JobIndex job : jobs) {
    const JobId id = from.jobs().id[job];
    const JobIndex adopted = pools_[pool].restore(from.image(job));
    from.finish(job);
    location_of_job_[id.value] = {.pool = pool, .job = adopted};
  }
}

VODA_INLINE void ClusterState::apply_body(const PolicyChanged& event) {
  if (!event.allocator.empty())
    policy_.allocator = event.allocator;
  if (!event.placer.empty())
    policy_.placer = event.placer;
}

VODA_INLINE void ClusterState::apply_body(const Decided& event) {
  const auto pool = find_pool(event.gpu_type);
  if (!pool) {
    throw InvalidInput(
        fmt::format("decided: unknown pool '{}'; expected a known GPU type", event.gpu_type));
  }
  PoolState& state = pools_[*pool];
  AllocationDecision decision{.gpus = state.jobs().current, .review_at = event.review_at};
  Placement placement = state.assigned();
  for (const JobId& id : event.resets)
    decision.resets.push_back(locate(id).job);
  for (const Holding& holding : event.changed) {
    const JobIndex job = locate(holding.job).job;
    decision.gpus[job] = holding.gpus;
    placement.set(job, state.node_positions(holding.node_of_worker));
  }
  state.commit(now_, decision, &placement);
}

VODA_INLINE void ClusterState::commit(std::size_t pool,
                                      TimePoint now,
                                      const AllocationDecision& decision,
                                      const Placement* placement) {
  now_ = std::max(now_, now);
  pools_[pool].commit(now_, decision, placement);
}

VODA_INLINE ClusterImage ClusterState::image() const {
  ClusterImage result{.now = now_, .observation = observation_, .policy = policy_};
  for (const PoolState& pool : pools_)
    result.pools.push_back(pool.image());
  return result;
}

VODA_INLINE ClusterState ClusterState::from_image(const ClusterImage& image) {
  ClusterState result(image.observation);
  result.now_ = image.now;
  result.policy_ = image.policy;
  for (const PoolImage& pool : image.pools) {
    const std::size_t index = result.pools_.size();
    for (const NodeImage& node : pool.nodes) {
      const auto [entry, is_new] = result.pool_of_node_.emplace(node.node.id.value, index);
      if (!is_new && !node.is_lost)
        entry->second = index;
    }
    PoolState& state = result.pools_.emplace_back(pool.gpu_type, image.observation);
    state.restore(pool);
    for (const JobIndex job : state.arrival_order()) {
      const std::string& id = state.jobs().id[job].value;
      if (!result.location_of_job_.emplace(id, JobLocation{.pool = index, .job = job}).second) {
        throw InvalidInput(fmt::format("job '{}': twice in one image; expected unique ids", id));
      }
    }
  }
  return result;
}

}  // namespace voda

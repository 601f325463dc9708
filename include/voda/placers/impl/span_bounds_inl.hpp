#pragma once

#include "voda/placers/impl/span_bounds.hpp"

#include <functional>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE std::vector<std::vector<std::int32_t>> read_domains(const NodeColumns& nodes) {
  std::size_t depth = 0;
  for (const auto& path : nodes.domains)
    depth = std::max(depth, path.size());
  std::vector<std::vector<std::int32_t>> levels(depth, std::vector<std::int32_t>(nodes.size()));
  if (depth == 0)
    return levels;
  std::map<std::pair<std::int32_t, std::string>, std::int32_t> known;  // (outer domain, name)
  const std::vector<std::string>* previous = nullptr;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const auto& path = nodes.domains[IndexedVector<NodeIndex, int>::index_of(node)];
    const bool repeated = previous != nullptr && *previous == path;
    std::int32_t domain = -1;
    for (std::size_t outer = 0; outer < depth; ++outer) {
      std::int32_t& place = levels[depth - 1 - outer][node];
      if (!repeated && outer < path.size()) {
        domain = known.try_emplace({domain, path[outer]}, static_cast<std::int32_t>(known.size()))
                     .first->second;
      }
      place = repeated ? levels[depth - 1 - outer][node - 1] : domain;
    }
    previous = &path;
  }
  return levels;
}

VODA_INLINE std::vector<std::int64_t> SpanBounds::sum_largest(const Situation& situation,
                                                              std::size_t job) const {
  const GpuCount per_worker = situation.jobs[job].gpus_per_worker;
  std::vector<std::int64_t> room;
  std::map<std::int32_t, std::int64_t> room_of_domain;
  for (std::size_t node = 0; node < situation.capacity.size(); ++node) {
    const std::int64_t workers = situation.capacity[node] / per_worker;
    if (workers == 0 || !situation.may_use(job, static_cast<std::int32_t>(node)))
      continue;
    if (domain_of_node_.empty())
      room.push_back(workers);
    if (!domain_of_node_.empty())
      room_of_domain[domain_of_node_[node]] += workers;
  }
  for (const auto& [domain, workers] : room_of_domain)
    room.push_back(workers);
  std::ranges::sort(room, std::greater<>{});
  for (std::size_t i = 1; i < room.size(); ++i)
    room[i] += room[i - 1];
  return room;
}

VODA_INLINE const SpanBounds::Bounds& SpanBounds::bounds_for(const Situation& situation,
                                                             std::size_t job) {
  constexpr std::int64_t few_workers = 1024;
  const Key key{situation.jobs[job].gpus_per_worker, situation.jobs[job].eligible};
  if (last_ != nullptr && key == last_key_)
    return *last_;
  const auto [found, is_new] = bounds_.try_emplace(key);
  Bounds& bounds = found->second;
  if (is_new) {
    bounds.sums = sum_largest(situation, job);
    std::int32_t nodes = 0;
    for (const std::int64_t sum : bounds.sums) {
      ++nodes;
      bounds.small.resize(static_cast<std::size_t>(std::min(few_workers, sum)) + 1, nodes);
      if (sum >= few_workers)
        break;
    }
  }
  last_key_ = key;
  last_ = &bounds;
  return bounds;
}

VODA_INLINE std::int32_t SpanBounds::fewest(const Situation& situation, std::size_t job) {
  const Bounds& bounds = bounds_for(situation, job);
  const std::int32_t workers = situation.jobs[job].workers;
  if (static_cast<std::size_t>(workers) < bounds.small.size())
    return bounds.small[static_cast<std::size_t>(workers)];
  const auto enough = std::ranges::lower_bound(bounds.sums, workers);
  const auto count = static_cast<std::int32_t>(enough - bounds.sums.begin());
  return enough == bounds.sums.end() ? count : count + 1;
}

}  // namespace voda::placers_detail

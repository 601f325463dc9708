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
  if (domain_of_node_.empty()) {
    const auto* eligible = situation.jobs[job].eligible;
    room.reserve(eligible == nullptr ? situation.capacity.size() : eligible->size());
  }
  std::map<std::int32_t, std::int64_t> room_of_domain;
  situation.for_each_usable(job, [&](std::size_t node) {
    const std::int64_t workers = situation.capacity[node] / per_worker;
    if (workers == 0)
      return;
    if (domain_of_node_.empty())
      room.push_back(workers);
    else
      room_of_domain[domain_of_node_[node]] += workers;
  });
  for (const auto& [domain, workers] : room_of_domain)
    room.push_back(workers);
  if (!std::ranges::is_sorted(room, std::greater<>{}))
    std::ranges::sort(room, std::greater<>{});
  for (std::size_t i = 1; i < room.size(); ++i)
    room[i] += room[i - 1];
  return room;
}

/// True when nodes are counted, and the job may use all of them, equally large.
VODA_INLINE bool SpanBounds::are_equal(const Situation& situation, std::size_t job) const {
  const auto& capacity = situation.capacity;
  return domain_of_node_.empty() && situation.jobs[job].eligible == nullptr && !capacity.empty() &&
         std::ranges::adjacent_find(capacity, std::ranges::not_equal_to{}) == capacity.end();
}

VODA_INLINE const SpanBounds::Sums& SpanBounds::sums_for(const Situation& situation,
                                                         std::size_t job) {
  const Key key{situation.jobs[job].gpus_per_worker, situation.jobs[job].eligible};
  if (last_ != nullptr && key == last_key_)
    return *last_;
  const auto [found, is_new] = sums_.try_emplace(key);
  if (is_new) {
    auto& sums = found->second;
    if (are_equal(situation, job)) {
      sums.of_each = situation.capacity.front() / situation.jobs[job].gpus_per_worker;
      sums.count = sums.of_each > 0 ? static_cast<std::int32_t>(situation.capacity.size()) : 0;
    } else {
      sums.of_largest = sum_largest(situation, job);
      sums.count = static_cast<std::int32_t>(sums.of_largest.size());
      if (sums.count > 0 && sums.of_largest.back() == sums.count * sums.of_largest.front())
        sums = {.of_each = sums.of_largest.front(), .count = sums.count};
    }
  }
  last_key_ = key;
  last_ = &found->second;
  return *last_;
}

VODA_INLINE std::int32_t SpanBounds::fewest(const Situation& situation, std::size_t job) {
  const Sums& sums = sums_for(situation, job);
  const std::int32_t workers = situation.jobs[job].workers;
  if (workers <= sums.of_each)
    return 1;
  if (sums.of_each > 0)
    return static_cast<std::int32_t>(
        std::min<std::int64_t>(sums.count, (workers - 1) / sums.of_each + 1));
  const auto enough = std::ranges::lower_bound(sums.of_largest, workers);
  const auto count = static_cast<std::int32_t>(enough - sums.of_largest.begin());
  return std::min(sums.count, count + 1);
}

}  // namespace voda::placers_detail

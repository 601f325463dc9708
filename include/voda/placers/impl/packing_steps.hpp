#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "voda/placers/impl/free_nodes.hpp"
#include "voda/placers/impl/packing.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// Sorts jobs by a key of theirs, at least 1, descending; equal ones keep their order. Counts the keys where they are small.
template <class Key>
void sort_descending(std::vector<std::int32_t>& jobs, Key key) {
  std::int32_t largest = 0;
  bool is_sorted = true;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    largest = std::max(largest, key(jobs[i]));
    is_sorted = is_sorted && (i == 0 || key(jobs[i - 1]) >= key(jobs[i]));
  }
  if (is_sorted)
    return;
  const std::vector<std::int32_t> from = jobs;
  if (static_cast<std::size_t>(largest) > 4 * jobs.size() + 256) {
    std::vector<std::pair<std::int32_t, std::size_t>> keyed;
    keyed.reserve(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
      keyed.emplace_back(-key(from[i]), i);
    std::ranges::sort(keyed);
    for (std::size_t i = 0; i < from.size(); ++i)
      jobs[i] = from[keyed[i].second];
    return;
  }
  std::vector<std::uint32_t> begin(static_cast<std::size_t>(largest) + 1, 0);
  for (const std::int32_t job : from)
    ++begin[static_cast<std::size_t>(largest - key(job))];
  std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), 0U);
  for (const std::int32_t job : from)
    jobs[begin[static_cast<std::size_t>(largest - key(job))]++] = job;
}

/// Free GPUs and free places for workers.
struct Room {
  std::int64_t gpus = 0;
  std::int64_t workers = 0;
};

/// Why a job does not fit into this room.
inline Unplaced refusal(const Situation& situation, std::int32_t job, Room room) {
  const Contender& contender = situation.jobs[static_cast<std::size_t>(job)];
  const std::int64_t wanted = std::int64_t{contender.workers} * contender.gpus_per_worker;
  return {
      .job = contender.slot,
      .reason = room.gpus < wanted ? UnplacedReason::no_capacity : UnplacedReason::fragmentation,
      .free_gpus = static_cast<GpuCount>(room.gpus),
      .placeable_gpus = static_cast<GpuCount>(room.workers * contender.gpus_per_worker)};
}

/// Where the rest of a job goes first: the tightest node that holds it, else the emptiest one; no_node without room.
[[nodiscard]] inline std::int32_t next_node(const FreeNodes& free,
                                            const Contender& contender,
                                            std::int32_t rest) {
  const auto wanted = std::int64_t{rest} * contender.gpus_per_worker;
  std::int32_t node = no_node;
  if (wanted <= INT32_MAX)
    node = free.tightest(static_cast<GpuCount>(wanted), contender.eligible);
  return node != no_node ? node : free.emptiest(contender.gpus_per_worker, contender.eligible);
}

inline std::vector<Unplaced> in_arrival_order(
    std::vector<std::pair<std::int32_t, Unplaced>> refused) {
  std::ranges::sort(refused, {}, &std::pair<std::int32_t, Unplaced>::first);
  std::vector<Unplaced> result;
  result.reserve(refused.size());
  for (const auto& [job, unplaced] : refused)
    result.push_back(unplaced);
  return result;
}

/// The jobs that miss workers, by worker size descending, then arrival.
inline std::vector<std::int32_t> packing_order(const Situation& situation, Survivors survivors) {
  std::vector<std::int32_t> order;
  order.reserve(situation.jobs.size());
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    std::int32_t missing = situation.jobs[job].workers;
    for (const Piece& home : situation.home(job))
      missing -= survivors == Survivors::stay ? home.workers : 0;
    if (missing > 0)
      order.push_back(static_cast<std::int32_t>(job));
  }
  sort_descending(order, [&situation](std::int32_t job) {
    return situation.jobs[static_cast<std::size_t>(job)].gpus_per_worker;
  });
  return order;
}

/// Calls `pack_class` with the jobs of each worker size, the largest first, until it returns false.
template <class PackClass>
bool for_each_class(const Situation& situation,
                    std::span<const std::int32_t> order,
                    PackClass pack_class) {
  const auto size_of = [&situation](std::int32_t job) {
    return situation.jobs[static_cast<std::size_t>(job)].gpus_per_worker;
  };
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && size_of(order[end]) == size_of(order[begin]))
      ++end;
    if (!pack_class(order.subspan(begin, end - begin)))
      return false;
    begin = end;
  }
  return true;
}

}  // namespace voda::placers_detail

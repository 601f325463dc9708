#pragma once

#include "voda/placers/impl/situation.hpp"

#include "voda/config.hpp"
#include "voda/placers/impl/span_bounds.hpp"
#include "voda/policy/validate.hpp"

namespace voda::placers_detail {

/// Adds the jobs that want workers, without their homes.
inline void read_jobs(const PlacementProblem& problem, Situation& situation) {
  const JobColumns& columns = *problem.jobs;
  situation.jobs.resize(problem.arrival_order->size());
  situation.fewest_nodes.resize(problem.arrival_order->size());
  std::size_t count = 0;
  SpanBounds bounds;
  std::uint32_t first_survivor = 0;
  for (const JobIndex slot : *problem.arrival_order) {
    if (problem.allocation[slot] == 0)
      continue;
    const GpuCount per_worker = columns.sizes[slot].gpus_per_worker;
    const GpuCount gpus = problem.allocation[slot];
    const std::int32_t workers = per_worker == 1 ? gpus : gpus / per_worker;
    const auto before = static_cast<std::int32_t>(problem.current[slot].size());
    const std::int32_t survivors = std::min(before, workers);
    situation.jobs[count] = {.slot = slot,
                             .workers = workers,
                             .gpus_per_worker = per_worker,
                             .survivors = survivors,
                             .first_survivor = first_survivor,
                             .eligible = columns.eligible[slot].get()};
    first_survivor += static_cast<std::uint32_t>(survivors);
    situation.fewest_nodes[count] = bounds.fewest(situation, count);
    ++count;
  }
  situation.jobs.resize(count);
  situation.fewest_nodes.resize(count);
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

/// Puts the pieces of one job, from `begin` on, into the order of the nodes, one for each.
inline void sort_homes(std::vector<Piece>& homes, std::size_t begin) {
  if (homes.size() == begin)
    return;
  const auto first = homes.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, homes.end(), [](const Piece& a, const Piece& b) { return a.node < b.node; });
  auto last = first;
  for (auto next = first + 1; next < homes.end(); ++next) {
    if (next->node == last->node) {
      last->workers += next->workers;
    } else {
      *++last = *next;
    }
  }
  homes.erase(last + 1, homes.end());
}

/// Collects the survivors that may stay, by job and node.
inline void read_homes(const PlacementProblem& problem, Situation& situation) {
  situation.home_begin.push_back(0);
  for (const Contender& contender : situation.jobs) {
    const std::size_t begin = situation.homes.size();
    const auto current = problem.current[contender.slot];
    for (std::size_t worker = 0; worker < static_cast<std::size_t>(contender.survivors); ++worker) {
      if (situation.must_leave[contender.first_survivor + worker] == 0) {
        situation.homes.push_back(
            {.node = static_cast<std::int32_t>(position(current[worker])), .workers = 1});
      }
    }
    sort_homes(situation.homes, begin);
    situation.home_begin.push_back(static_cast<std::uint32_t>(situation.homes.size()));
  }
}

/// Appends the homes of one job when all its survivors may stay; false: somebody must leave.
inline bool append_homes(const PlacementProblem& problem,
                         const Contender& contender,
                         Situation& situation) {
  auto& homes = situation.homes;
  const std::size_t begin = homes.size();
  bool is_sorted = true;
  const auto survivors = static_cast<std::size_t>(contender.survivors);
  for (const NodeIndex index : problem.current[contender.slot].first(survivors)) {
    const auto node = static_cast<std::int32_t>(position(index));
    const bool is_first = homes.size() == begin;
    if (!is_first && homes.back().node == node) {
      ++homes.back().workers;
      continue;
    }
    const bool stays =
        position(index) < situation.capacity.size() && situation.capacity[position(index)] > 0 &&
        (contender.eligible == nullptr || std::ranges::binary_search(*contender.eligible, index));
    if (!stays)
      return false;
    is_sorted = is_sorted && (is_first || homes.back().node < node);
    homes.push_back({.node = node, .workers = 1});
  }
  if (!is_sorted)
    sort_homes(homes, begin);
  return true;
}

/// The same as read_homes() in one pass when nobody must leave; false, with no homes read, when somebody must.
inline bool read_homes_of_all(const PlacementProblem& problem, Situation& situation) {
  std::vector<std::int64_t> load(situation.capacity.size(), 0);
  situation.homes.reserve(2 * situation.jobs.size());
  situation.home_begin.reserve(situation.jobs.size() + 1);
  situation.home_begin.push_back(0);
  bool all_stay = true;
  for (const Contender& contender : situation.jobs) {
    std::size_t at = situation.homes.size();
    all_stay = append_homes(problem, contender, situation);
    if (!all_stay)
      break;
    for (; at < situation.homes.size(); ++at) {
      const Piece& home = situation.homes[at];
      load[static_cast<std::size_t>(home.node)] +=
          std::int64_t{home.workers} * contender.gpus_per_worker;
    }
    situation.home_begin.push_back(static_cast<std::uint32_t>(situation.homes.size()));
  }
  for (std::size_t node = 0; node < load.size(); ++node)
    all_stay = all_stay && load[node] <= situation.capacity[node];
  if (!all_stay) {
    situation.homes.clear();
    situation.home_begin.clear();
  }
  return all_stay;
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
  if (!read_homes_of_all(problem, situation)) {
    auto load = leave_unusable(problem, situation);
    leave_overfull(problem, situation, std::move(load));
    read_homes(problem, situation);
  }
  return situation;
}

}  // namespace voda::placers_detail

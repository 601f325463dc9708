#pragma once

#include "voda/placers/impl/packing.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "voda/config.hpp"

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

/// Packs the jobs of one worker size after those of the next larger one.
class Packer {
 public:
  Packer(const Situation& situation, Survivors survivors)
      : survivors_(survivors),
        layout_(survivors == Survivors::stay ? Layout::at_home(situation) : Layout(situation)),
        parent_(situation.capacity.size()) {}

  /// Packs jobs of equal worker size.
  void pack_class(const Situation& situation, std::span<const std::int32_t> by_arrival);

  [[nodiscard]] Draft finish() {
    std::ranges::sort(unplaced_, {}, &std::pair<std::int32_t, Unplaced>::first);
    Draft draft{.layout = std::move(layout_)};
    for (const auto& [job, unplaced] : unplaced_)
      draft.unplaced.push_back(unplaced);
    return draft;
  }

 private:
  /// How a search reached a node: one worker of `job` could come from node `from`.
  struct Step {
    std::int32_t from = no_node;
    std::int32_t job = 0;
    std::uint32_t search = 0;
  };

  /// Free GPUs and free places for workers.
  struct Room {
    std::int64_t gpus = 0;
    std::int64_t workers = 0;
  };

  void add(const Situation& situation, std::int32_t job, std::int32_t node, std::int32_t workers) {
    layout_.add(situation, static_cast<std::size_t>(job), node, workers);
  }

  [[nodiscard]] std::int32_t missing(const Situation& situation, std::int32_t job) const {
    std::int32_t result = situation.jobs[static_cast<std::size_t>(job)].workers;
    for (const Piece& piece : layout_.pieces(static_cast<std::size_t>(job)))
      result -= piece.workers;
    return result;
  }

  [[nodiscard]] Room room_for(const Contender& contender) const;
  void admit_by_count(const Situation& situation, std::span<const std::int32_t> by_arrival);
  void admit_by_trying(const Situation& situation, std::span<const std::int32_t> by_arrival);
  void refuse(const Situation& situation, std::int32_t job, Room room);
  void remove(const Situation& situation, std::int32_t job, std::int32_t keep_home);
  [[nodiscard]] std::int32_t place(const Situation& situation, std::int32_t job);
  [[nodiscard]] bool reroute_for(const Situation& situation, std::int32_t job);
  void follow(const Situation& situation, std::int32_t node, std::int32_t job);
  [[nodiscard]] std::int32_t movable(const Situation& situation,
                                     const Tenant& tenant,
                                     std::int32_t node) const;
  void reach(const Contender& contender,
             std::int32_t from,
             std::int32_t job,
             std::vector<std::int32_t>& queue);

  Survivors survivors_ = Survivors::leave;
  Layout layout_;
  std::vector<std::pair<std::int32_t, Unplaced>> unplaced_{};
  std::vector<std::uint8_t> is_refused_{};
  std::vector<Step> parent_{};
  std::uint32_t search_ = 0;
};

inline Packer::Room Packer::room_for(const Contender& contender) const {
  Room room;
  const auto count = [&](std::size_t node) {
    room.gpus += layout_.free_nodes().all()[node];
    room.workers += layout_.free_nodes().all()[node] / contender.gpus_per_worker;
  };
  if (contender.eligible == nullptr) {
    for (std::size_t node = 0; node < parent_.size(); ++node)
      count(node);
    return room;
  }
  for (const NodeIndex node : *contender.eligible) {
    if (position(node) < parent_.size())
      count(position(node));
  }
  return room;
}

inline void Packer::refuse(const Situation& situation, std::int32_t job, Room room) {
  const Contender& contender = situation.jobs[static_cast<std::size_t>(job)];
  const std::int64_t wanted = std::int64_t{contender.workers} * contender.gpus_per_worker;
  unplaced_.push_back(
      {job,
       {.job = contender.slot,
        .reason = room.gpus < wanted ? UnplacedReason::no_capacity : UnplacedReason::fragmentation,
        .free_gpus = static_cast<GpuCount>(room.gpus),
        .placeable_gpus = static_cast<GpuCount>(room.workers * contender.gpus_per_worker)}});
  is_refused_[static_cast<std::size_t>(job)] = 1;
}

/// Removes the workers of a job, but for survivors at home if `keep_home` is 1.
inline void Packer::remove(const Situation& situation, std::int32_t job, std::int32_t keep_home) {
  const auto pieces = layout_.pieces(static_cast<std::size_t>(job));
  const std::vector<Piece> all(pieces.begin(), pieces.end());
  for (const Piece& piece : all) {
    const std::int32_t kept =
        keep_home * situation.home_workers(static_cast<std::size_t>(job), piece.node);
    add(situation, job, piece.node, kept - piece.workers);
  }
}

/// Without restricted jobs a class fits if and only if its free places suffice: count them in arrival order.
inline void Packer::admit_by_count(const Situation& situation,
                                   std::span<const std::int32_t> by_arrival) {
  if (by_arrival.empty())
    return;
  const Contender& any = situation.jobs[static_cast<std::size_t>(by_arrival.front())];
  Room room = room_for(any);
  for (const std::int32_t job : by_arrival) {
    const std::int32_t wanted = missing(situation, job);
    if (wanted > room.workers) {
      const std::int64_t held = situation.jobs[static_cast<std::size_t>(job)].workers - wanted;
      refuse(situation,
             job,
             {.gpus = room.gpus + held * any.gpus_per_worker, .workers = room.workers + held});
      remove(situation, job, 0);
      room.gpus += held * any.gpus_per_worker;
      room.workers += held;
      continue;
    }
    room.workers -= wanted;
    room.gpus -= std::int64_t{wanted} * any.gpus_per_worker;
  }
}

/// With restricted jobs each is placed, rerouting the others, and taken back where that fails.
inline void Packer::admit_by_trying(const Situation& situation,
                                    std::span<const std::int32_t> by_arrival) {
  for (const std::int32_t job : by_arrival) {
    const Contender& contender = situation.jobs[static_cast<std::size_t>(job)];
    const std::int64_t held = contender.workers - missing(situation, job);
    const std::int64_t free_gpus = room_for(contender).gpus + held * contender.gpus_per_worker;
    const std::int32_t rest = place(situation, job);
    if (rest == 0)
      continue;
    const std::int64_t fitted =
        contender.workers - rest;  // rerouting may find more than was free at first
    refuse(situation,
           job,
           {.gpus = std::max(free_gpus, fitted * contender.gpus_per_worker), .workers = fitted});
    remove(situation, job, 0);
  }
  for (const std::int32_t job : by_arrival) {
    if (is_refused_[static_cast<std::size_t>(job)] != 0)
      continue;
    remove(situation, job, survivors_ == Survivors::stay ? 1 : 0);
  }
}

/// Places what is missing of a job; returns how many workers did not fit.
inline std::int32_t Packer::place(const Situation& situation, std::int32_t job) {
  const Contender& contender = situation.jobs[static_cast<std::size_t>(job)];
  const GpuCount per_worker = contender.gpus_per_worker;
  std::int32_t rest = missing(situation, job);
  while (rest > 0) {
    const auto wanted = std::int64_t{rest} * per_worker;
    std::int32_t node = no_node;
    if (wanted <= INT32_MAX) {
      node = layout_.free_nodes().tightest(static_cast<GpuCount>(wanted), contender.eligible);
    }
    if (node == no_node)
      node = layout_.free_nodes().emptiest(per_worker, contender.eligible);
    if (node == no_node)
      break;
    const std::int32_t placed = std::min(rest, layout_.free(node) / per_worker);
    add(situation, job, node, placed);
    rest -= placed;
  }
  while (rest > 0 && reroute_for(situation, job))
    --rest;
  return rest;
}

inline std::int32_t Packer::movable(const Situation& situation,
                                    const Tenant& tenant,
                                    std::int32_t node) const {
  if (survivors_ == Survivors::leave)
    return tenant.workers;
  return tenant.workers - situation.home_workers(static_cast<std::size_t>(tenant.job), node);
}

/// Appends the nodes that a worker of `job` could go to and that this search has not seen.
inline void Packer::reach(const Contender& contender,
                          std::int32_t from,
                          std::int32_t job,
                          std::vector<std::int32_t>& queue) {
  const auto visit = [&](std::size_t node) {
    if (node >= parent_.size() || parent_[node].search == search_)
      return;
    parent_[node] = {.from = from, .job = job, .search = search_};
    queue.push_back(static_cast<std::int32_t>(node));
  };
  if (contender.eligible == nullptr) {
    for (std::size_t node = 0; node < parent_.size(); ++node)
      visit(node);
    return;
  }
  for (const NodeIndex node : *contender.eligible)
    visit(position(node));
}

/// Moves one worker along each step that led to a free place, so that `job` gets one on the first node.
inline void Packer::follow(const Situation& situation, std::int32_t node, std::int32_t job) {
  for (Step step = parent_[static_cast<std::size_t>(node)]; step.from != no_node;
       step = parent_[static_cast<std::size_t>(node)]) {
    add(situation, step.job, step.from, -1);
    add(situation, step.job, node, 1);
    node = step.from;
  }
  add(situation, job, node, 1);
}

/// Finds room for one worker by moving workers of the same size along a shortest alternating path; false: none.
inline bool Packer::reroute_for(const Situation& situation, std::int32_t job) {
  const Contender& contender = situation.jobs[static_cast<std::size_t>(job)];
  ++search_;
  std::vector<std::int32_t> queue;
  reach(contender, no_node, job, queue);
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const std::int32_t node = queue[head];
    if (layout_.free(node) >= contender.gpus_per_worker) {
      follow(situation, node, job);
      return true;
    }
    for (const Tenant& tenant : layout_.tenants(node)) {
      const Contender& other = situation.jobs[static_cast<std::size_t>(tenant.job)];
      if (other.gpus_per_worker != contender.gpus_per_worker)
        continue;
      if (movable(situation, tenant, node) > 0)
        reach(other, node, tenant.job, queue);
    }
  }
  return false;
}

inline void Packer::pack_class(const Situation& situation,
                               std::span<const std::int32_t> by_arrival) {
  is_refused_.resize(situation.jobs.size(), 0);
  const auto is_restricted = [&situation](std::int32_t job) {
    return situation.jobs[static_cast<std::size_t>(job)].eligible != nullptr;
  };
  if (std::ranges::any_of(by_arrival, is_restricted)) {
    admit_by_trying(situation, by_arrival);
  } else {
    admit_by_count(situation, by_arrival);
  }
  std::vector<std::int32_t> order(by_arrival.begin(), by_arrival.end());
  sort_descending(order, [&situation](std::int32_t job) {
    return situation.jobs[static_cast<std::size_t>(job)].workers;
  });
  for (const std::int32_t job : order) {
    if (is_refused_[static_cast<std::size_t>(job)] != 0)
      continue;
    const std::int32_t rest = place(situation, job);
    VODA_ASSERT(rest == 0, "a job that was admitted can be placed");
    static_cast<void>(rest);
  }
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

VODA_INLINE Draft pack(const Situation& situation, Survivors survivors) {
  const std::vector<std::int32_t> order = packing_order(situation, survivors);
  const auto size_of = [&situation](std::int32_t job) {
    return situation.jobs[static_cast<std::size_t>(job)].gpus_per_worker;
  };
  Packer packer(situation, survivors);
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && size_of(order[end]) == size_of(order[begin]))
      ++end;
    packer.pack_class(situation, std::span(order).subspan(begin, end - begin));
    begin = end;
  }
  return packer.finish();
}

}  // namespace voda::placers_detail

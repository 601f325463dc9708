#pragma once

#include "voda/placers/impl/packing.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "voda/config.hpp"
#include "voda/placers/impl/packing_steps.hpp"
#include "voda/placers/impl/plain_packing.hpp"

namespace voda::placers_detail {

/// Packs the jobs of one worker size after those of the next larger one.
class Packer {
 public:
  Packer(const Situation& situation, Survivors survivors)
      : survivors_(survivors),
        layout_(survivors == Survivors::stay ? Layout::at_home(situation) : Layout(situation)),
        parent_(situation.capacity.size()),
        listed_in_(situation.jobs.size(), 0) {}

  /// Packs jobs of equal worker size.
  void pack_class(const Situation& situation, std::span<const std::int32_t> by_arrival);

  [[nodiscard]] Draft finish() {
    return {.layout = std::move(layout_), .unplaced = in_arrival_order(std::move(unplaced_))};
  }

 private:
  /// How a search reached a node: one worker of `job` could come from node `from`.
  struct Step {
    std::int32_t from = no_node;
    std::int32_t job = 0;
    std::uint32_t search = 0;
  };

  void add(const Situation& situation, std::int32_t job, std::int32_t node, std::int32_t workers) {
    layout_.add(situation, static_cast<std::size_t>(job), node, workers);
    if (workers < 0)
      first_room_ = std::min(first_room_, static_cast<std::size_t>(node));
  }

  /// The first node with room for a worker of so many GPUs, in the class that is packed; no_node: none.
  [[nodiscard]] std::int32_t first_room(GpuCount per_worker) {
    const auto& free = layout_.free_nodes().all();
    while (first_room_ < free.size() && free[first_room_] < per_worker)
      ++first_room_;
    return first_room_ < free.size() ? static_cast<std::int32_t>(first_room_) : no_node;
  }

  [[nodiscard]] std::int32_t missing(const Situation& situation, std::int32_t job) const {
    std::int32_t result = situation.jobs[static_cast<std::size_t>(job)].workers;
    for (const Piece& piece : layout_.pieces(static_cast<std::size_t>(job)))
      result -= piece.workers;
    return result;
  }

  [[nodiscard]] Room room_for(const Situation& situation, std::int32_t job) const;
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
  [[nodiscard]] std::int32_t reach(const Contender& contender, std::int32_t from, std::int32_t job);

  Survivors survivors_ = Survivors::leave;
  Layout layout_;
  std::vector<std::pair<std::int32_t, Unplaced>> unplaced_{};
  std::vector<std::uint8_t> is_refused_{};
  std::size_t first_room_ = 0;  // nodes before it have no room for a worker of the class
  std::vector<Step> parent_{};
  std::vector<std::int32_t> queue_{};       // nodes that the last search has seen
  std::vector<std::uint32_t> listed_in_{};  // per job: the last search that saw its nodes
  std::uint32_t search_ = 0;
};

inline Room Packer::room_for(const Situation& situation, std::int32_t job) const {
  const GpuCount per_worker = situation.jobs[static_cast<std::size_t>(job)].gpus_per_worker;
  Room room;
  situation.for_each_usable(static_cast<std::size_t>(job), [&](std::size_t node) {
    const GpuCount free = layout_.free_nodes().all()[node];
    room.gpus += free;
    room.workers += free / per_worker;
  });
  return room;
}

inline void Packer::refuse(const Situation& situation, std::int32_t job, Room room) {
  unplaced_.emplace_back(job, refusal(situation, job, room));
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
  Room room = room_for(situation, by_arrival.front());
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
    const std::int64_t free_gpus = room_for(situation, job).gpus + held * contender.gpus_per_worker;
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
    const std::int32_t node = next_node(layout_.free_nodes(), contender, rest);
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

/// Queues the nodes that a worker of `job` could go to and that this search has not seen, up to one with room for it,
/// which is returned; no_node: none has.
inline std::int32_t Packer::reach(const Contender& contender, std::int32_t from, std::int32_t job) {
  if (listed_in_[static_cast<std::size_t>(job)] == search_)
    return no_node;  // all its nodes are in it
  listed_in_[static_cast<std::size_t>(job)] = search_;
  const auto has_room = [&](std::size_t node) {
    if (node >= parent_.size() || parent_[node].search == search_)
      return false;
    parent_[node] = {.from = from, .job = job, .search = search_};
    queue_.push_back(static_cast<std::int32_t>(node));
    return layout_.free_nodes().all()[node] >= contender.gpus_per_worker;
  };
  if (contender.eligible == nullptr) {
    const std::int32_t node = first_room(contender.gpus_per_worker);
    parent_[static_cast<std::size_t>(node)] = {.from = from, .job = job, .search = search_};
    return node;
  }
  for (const NodeIndex node : *contender.eligible) {
    if (has_room(position(node)))
      return queue_.back();
  }
  return no_node;
}

/// Moves one worker along each step that led to a free place, so that `job` gets one on the first node.
inline void Packer::follow(const Situation& situation, std::int32_t node, std::int32_t job) {
  const std::size_t first_room = first_room_;  // a worker that leaves is replaced at once
  for (Step step = parent_[static_cast<std::size_t>(node)]; step.from != no_node;
       step = parent_[static_cast<std::size_t>(node)]) {
    add(situation, step.job, step.from, -1);
    add(situation, step.job, node, 1);
    node = step.from;
  }
  add(situation, job, node, 1);
  first_room_ = first_room;
}

/// Finds room for one worker by moving workers of the same size along a shortest alternating path; false: none.
inline bool Packer::reroute_for(const Situation& situation, std::int32_t job) {
  const Contender& contender = situation.jobs[static_cast<std::size_t>(job)];
  if (first_room(contender.gpus_per_worker) == no_node)
    return false;
  ++search_;
  queue_.clear();
  std::int32_t end = reach(contender, no_node, job);
  for (std::size_t head = 0; end == no_node && head < queue_.size(); ++head) {
    const std::int32_t node = queue_[head];
    for (const Tenant& tenant : layout_.tenants(node)) {
      const Contender& other = situation.jobs[static_cast<std::size_t>(tenant.job)];
      if (other.gpus_per_worker != contender.gpus_per_worker)
        continue;
      if (movable(situation, tenant, node) > 0)
        end = reach(other, node, tenant.job);
      if (end != no_node)
        break;
    }
  }
  if (end == no_node)
    return false;
  follow(situation, end, job);
  return true;
}

inline void Packer::pack_class(const Situation& situation,
                               std::span<const std::int32_t> by_arrival) {
  is_refused_.resize(situation.jobs.size(), 0);
  first_room_ = 0;
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

/// Packs onto empty nodes when every job may use every node.
inline std::optional<Draft> pack_plainly(const Situation& situation, const GiveUp& give_up) {
  constexpr std::size_t questions = 4;
  PlainPacker packer(situation);
  std::vector<std::pair<std::int32_t, Unplaced>> refused;
  std::vector<std::int32_t> admitted;
  std::size_t placed = 0;
  const auto refuse = [&](std::int32_t job, std::int64_t gpus, std::int64_t workers) {
    refused.emplace_back(job, refusal(situation, job, {.gpus = gpus, .workers = workers}));
  };
  const auto is_at_question = [&](std::size_t jobs) {
    return jobs * questions / situation.jobs.size() >
           (jobs - 1) * questions / situation.jobs.size();
  };
  const auto pack_class = [&](std::span<const std::int32_t> by_arrival) {
    admitted.clear();
    packer.admit(by_arrival, admitted, refuse);
    sort_descending(admitted, [&situation](std::int32_t job) {
      return situation.jobs[static_cast<std::size_t>(job)].workers;
    });
    return std::ranges::none_of(admitted, [&](std::int32_t job) {
      packer.place(job);
      return give_up && is_at_question(++placed) && give_up(packer.pieces());
    });
  };
  if (!for_each_class(situation, packing_order(situation, Survivors::leave), pack_class))
    return std::nullopt;
  return Draft{.layout = packer.finish(), .unplaced = in_arrival_order(std::move(refused))};
}

[[nodiscard]] inline bool is_plain(const Situation& situation) {
  return std::ranges::all_of(situation.jobs,
                             [](const Contender& job) { return job.eligible == nullptr; });
}

VODA_INLINE Draft pack(const Situation& situation, Survivors survivors) {
  const bool is_empty = survivors == Survivors::leave || situation.homes.empty();
  if (is_empty && is_plain(situation))
    return *pack_plainly(situation, nullptr);
  Packer packer(situation, survivors);
  for_each_class(situation,
                 packing_order(situation, survivors),
                 [&](std::span<const std::int32_t> by_arrival) {
                   packer.pack_class(situation, by_arrival);
                   return true;
                 });
  return packer.finish();
}

VODA_INLINE std::optional<Draft> pack_unless(const Situation& situation, const GiveUp& give_up) {
  return is_plain(situation) ? pack_plainly(situation, give_up)
                             : std::optional(pack(situation, Survivors::leave));
}

}  // namespace voda::placers_detail

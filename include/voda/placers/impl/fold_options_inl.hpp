#pragma once

#include <algorithm>
#include <bit>
#include <tuple>

#include "voda/config.hpp"
#include "voda/placers/impl/fold.hpp"

namespace voda::placers_detail {

VODA_INLINE void Folder::offer(std::size_t job, Option option, std::int64_t leaving) {
  const std::int64_t limit = objective_->weights().excess - leaving;
  if (limit <= 0)
    return;
  const auto piece = [&](std::int32_t at) { return pieces_[static_cast<std::size_t>(at)]; };
  const std::int64_t gpus = gpus_of(job, piece(option.first)) +
                            (option.second < 0 ? 0 : gpus_of(job, piece(option.second)));
  if (situation_->capacity[static_cast<std::size_t>(option.target)] < gpus ||
      !situation_->may_use(job, option.target))
    return;
  const Eviction eviction = eviction_for(job, option.target, static_cast<GpuCount>(gpus), limit);
  if (eviction.cost >= limit)
    return;
  option.cost = leaving + eviction.cost;
  option.is_hopeless = is_hopeless(option, eviction, static_cast<GpuCount>(gpus));
  options_.push_back(option);
}

/// True when put() would not find a place for the largest tenant evicted for so many GPUs: no gap holds it, and on the
/// emptiest nodes, none of which the option changes, evicting others costs too much.
VODA_INLINE bool Folder::is_hopeless(const Option& option,
                                     const Eviction& eviction,
                                     GpuCount gpus) const {
  const auto tenants = layout_->tenants(option.target);
  GpuCount largest = 0;
  GpuCount rest = layout_->free(option.target) - gpus;
  for (std::uint64_t left = eviction.tenants; left != 0; left &= left - 1) {
    const Tenant& tenant = tenants[static_cast<std::size_t>(std::countr_zero(left))];
    const auto job = static_cast<std::size_t>(tenant.job);
    const GpuCount held = tenant.workers * situation_->jobs[job].gpus_per_worker;
    largest = std::max(largest, held);
    rest += held;
  }
  if (largest <= std::max(largest_gap_, rest))
    return false;
  const auto is_changed = [&](std::int32_t node) {
    return node == option.target || node == pieces_[static_cast<std::size_t>(option.first)].node ||
           (option.second >= 0 && node == pieces_[static_cast<std::size_t>(option.second)].node);
  };
  const auto room = static_cast<GpuCount>(std::min<std::int64_t>(most_room_, largest));
  return cost_of_moving(largest - room) >= objective_->weights().excess - option.cost &&
         std::ranges::none_of(emptiest_, is_changed);
}

/// The largest gap that evicted workers may find once a piece has left.
VODA_INLINE GpuCount Folder::gap_without(std::size_t job, const Piece& piece) const {
  return static_cast<GpuCount>(layout_->free(piece.node) + gpus_of(job, piece));
}

/// A piece goes to another node of its job, or into the gaps of several.
VODA_INLINE void Folder::offer_own_nodes(std::size_t job, std::int32_t at, std::int64_t leaving) {
  const Piece& piece = pieces_[static_cast<std::size_t>(at)];
  const GpuCount per_worker = situation_->jobs[job].gpus_per_worker;
  largest_gap_ = std::max(layout_->free_nodes().most_free(), gap_without(job, piece));
  std::int64_t gaps = 0;
  for (const Piece& other : pieces_) {
    if (other.node == piece.node)
      continue;
    gaps += std::max(0, layout_->free(other.node)) / per_worker;
    offer(job, {.first = at, .target = other.node}, leaving);
  }
  if (gaps >= piece.workers && leaving < objective_->weights().excess)
    options_.push_back({.cost = leaving, .first = at});
}

/// The two smallest pieces go to a node that the job does not use yet.
VODA_INLINE void Folder::offer_other_nodes(std::size_t job, std::int64_t leaving) {
  const Piece& first = pieces_[0];
  const Piece& second = pieces_[1];
  const std::int64_t gpus = gpus_of(job, first) + gpus_of(job, second);
  if (gpus > largest_node_ || leaving >= objective_->weights().excess)
    return;
  largest_gap_ = std::max(
      {layout_->free_nodes().most_free(), gap_without(job, first), gap_without(job, second)});
  const std::int32_t gap =
      layout_->free_nodes().tightest(static_cast<GpuCount>(gpus), situation_->jobs[job].eligible);
  if (gap != no_node) {
    offer(job, {.first = 0, .second = 1, .target = gap}, leaving);
    return;
  }
  const auto room = static_cast<GpuCount>(std::min<std::int64_t>(most_room_, gpus));
  if (leaving + cost_of_moving(static_cast<GpuCount>(gpus) - room) >= objective_->weights().excess)
    return;
  for (const std::int32_t node : emptiest_) {
    if (layout_->workers(job, node) == 0)
      offer(job, {.first = 0, .second = 1, .target = node}, leaving);
  }
}

/// The emptiest nodes of the layout between two folds, and what could be had there for nothing.
VODA_INLINE void Folder::find_emptiest() {
  if (!emptiest_.empty())
    return;
  layout_->free_nodes().append_emptiest(emptiest_nodes + unusable_nodes_, emptiest_);
  std::erase_if(emptiest_, [&](std::int32_t node) {
    return situation_->capacity[static_cast<std::size_t>(node)] == 0;
  });
  emptiest_.resize(std::min(emptiest_.size(), emptiest_nodes));
  most_room_ = 0;
  for (const std::int32_t node : emptiest_) {
    const GpuCount strange = strangers_[static_cast<std::size_t>(node)];
    most_room_ = std::max(most_room_, std::int64_t{layout_->free(node)} + strange);
  }
}

/// The pieces of a job that a fold looks at, in ascending order: of many the smallest ones, which leave, and those on the
/// nodes with most room, where they may go.
VODA_INLINE void Folder::list_pieces(std::size_t job) {
  pieces_.assign(layout_->pieces(job).begin(), layout_->pieces(job).end());
  const auto is_smaller = [](const Piece& a, const Piece& b) {
    return std::tie(a.workers, a.node) < std::tie(b.workers, b.node);
  };
  if (pieces_.size() > most_own_nodes) {
    const auto smallest = pieces_.begin() + static_cast<std::ptrdiff_t>(most_pieces);
    std::ranges::nth_element(pieces_, smallest - 1, is_smaller);
    const auto room = [this](const Piece& piece) {
      return layout_->free(piece.node) + strangers_[static_cast<std::size_t>(piece.node)];
    };
    std::ranges::nth_element(smallest,
                             pieces_.begin() + static_cast<std::ptrdiff_t>(most_own_nodes),
                             pieces_.end(),
                             [&](const Piece& a, const Piece& b) {
                               const GpuCount room_a = room(a);
                               const GpuCount room_b = room(b);
                               return std::tie(room_b, a.node) < std::tie(room_a, b.node);
                             });
    pieces_.resize(most_own_nodes);
  }
  std::ranges::sort(pieces_, is_smaller);
}

/// Ways to fold a job, the cheapest first.
VODA_INLINE void Folder::list_options(std::size_t job) {
  options_.clear();
  list_pieces(job);
  const auto leaving = [&](std::int32_t at) {
    const Piece& piece = pieces_[static_cast<std::size_t>(at)];
    return leaving_cost(job, piece.node, piece.workers);
  };
  const auto count = static_cast<std::int32_t>(std::min(pieces_.size(), most_pieces));
  bool may_leave = false;
  for (std::int32_t i = 0; i < count; ++i)
    may_leave = may_leave || leaving(i) < objective_->weights().excess;
  if (!may_leave)
    return;
  find_emptiest();
  for (std::int32_t i = 0; i < count; ++i)
    offer_own_nodes(job, i, leaving(i));
  if (count > 1)
    offer_other_nodes(job, leaving(0) + leaving(1));
  const std::size_t kept = std::min(options_.size(), most_options);
  std::ranges::partial_sort(options_,
                            options_.begin() + static_cast<std::ptrdiff_t>(kept),
                            [](const Option& a, const Option& b) {
                              return std::tie(a.cost, a.first, a.second, a.target) <
                                     std::tie(b.cost, b.first, b.second, b.target);
                            });
  options_.resize(kept);
}

}  // namespace voda::placers_detail

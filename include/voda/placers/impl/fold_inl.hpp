#pragma once

#include "voda/placers/impl/fold.hpp"

#include <algorithm>
#include <tuple>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE Folder::Folder(const Situation& situation, const Objective& objective, Layout& layout)
    : situation_(situation),
      objective_(objective),
      layout_(layout),
      strangers_(situation.capacity.size(), 0),
      seen_in_(situation.jobs.size(), 0) {
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    largest_worker_ = std::max(largest_worker_, situation.jobs[job].gpus_per_worker);
    for (const Piece& piece : layout.pieces(job))
      strangers_[static_cast<std::size_t>(piece.node)] += strangers(job, piece.node);
  }
}

/// GPUs of a job on a node beyond those of survivors that may stay.
VODA_INLINE GpuCount Folder::strangers(std::size_t job, std::int32_t node) const {
  const std::int32_t workers = layout_.workers(job, node) - situation_.home_workers(job, node);
  return std::max(0, workers) * situation_.jobs[job].gpus_per_worker;
}

/// No eviction of so many GPUs costs less.
VODA_INLINE std::int64_t Folder::least_eviction_cost(std::int32_t node, GpuCount need) const {
  const GpuCount at_home = need - strangers_[static_cast<std::size_t>(node)];
  return at_home <= 0 ? 0 : objective_.weights().moved * ((at_home - 1) / largest_worker_ + 1);
}

/// What it costs that so many workers of a job leave a node.
VODA_INLINE std::int64_t Folder::leaving_cost(std::size_t job,
                                              std::int32_t node,
                                              std::int32_t workers) const {
  const std::int32_t home = situation_.home_workers(job, node);
  const std::int32_t before = layout_.workers(job, node);
  return objective_.weights().moved * (std::min(home, before) - std::min(home, before - workers));
}

VODA_INLINE void Folder::move(std::size_t job, std::int32_t node, std::int32_t workers) {
  if (seen_in_[job] != attempt_) {
    seen_in_[job] = attempt_;
    touched_.push_back(static_cast<std::int32_t>(job));
    cost_before_ += objective_.cost(situation_, layout_, job);
  }
  GpuCount& strange = strangers_[static_cast<std::size_t>(node)];
  strange -= strangers(job, node);
  layout_.add(situation_, job, node, workers);
  strange += strangers(job, node);
}

/// The cheapest tenants of a node, each of fewer than `below` GPUs and none of `job`, that hold at least `need` GPUs: a
/// knapsack. Impossible from `limit` on.
VODA_INLINE Folder::Eviction Folder::cheapest_eviction(
    std::int32_t node, std::int32_t job, GpuCount need, GpuCount below, std::int64_t limit) {
  if (need <= 0)
    return {.cost = 0};
  constexpr GpuCount largest_need = 1024;
  if (need > largest_need || least_eviction_cost(node, need) >= limit)
    return {};
  best_.assign(static_cast<std::size_t>(need) + 1, Eviction{});
  best_[0].cost = 0;
  const auto tenants = layout_.tenants(node);
  for (std::size_t i = 0; i < std::min<std::size_t>(tenants.size(), 64); ++i) {
    const Tenant& tenant = tenants[i];
    const auto other = static_cast<std::size_t>(tenant.job);
    const GpuCount gpus = tenant.workers * situation_.jobs[other].gpus_per_worker;
    if (tenant.job == job || gpus >= below)
      continue;
    const std::int64_t cost =
        leaving_cost(other, node, tenant.workers) +
        objective_.weights().moved * std::max(0, (gpus - largest_gap_) / largest_worker_);
    if (cost >= limit)
      continue;
    for (GpuCount held = need; held > 0; --held) {
      const Eviction& from = best_[static_cast<std::size_t>(std::max(0, held - gpus))];
      Eviction& to = best_[static_cast<std::size_t>(held)];
      if (from.cost + cost < to.cost)
        to = {.tenants = from.tenants | std::uint64_t{1} << i, .cost = from.cost + cost};
    }
  }
  return best_.back().cost < limit ? best_.back() : Eviction{};
}

VODA_INLINE void Folder::evict(std::int32_t node, std::uint64_t tenants) {
  const std::size_t first = loose_.size();
  const auto present = layout_.tenants(node);
  for (std::size_t i = 0; i < present.size() && i < 64; ++i) {
    if ((tenants >> i & 1U) == 0)
      continue;
    const GpuCount per_worker =
        situation_.jobs[static_cast<std::size_t>(present[i].job)].gpus_per_worker;
    loose_.push_back({.job = present[i].job,
                      .workers = present[i].workers,
                      .gpus = present[i].workers * per_worker});
  }
  for (std::size_t i = first; i < loose_.size(); ++i)
    move(static_cast<std::size_t>(loose_[i].job), node, -loose_[i].workers);
}

/// Where loose workers fit as they are: at home, beside others of their job, else in the tightest gap.
VODA_INLINE std::int32_t Folder::gap_for(const Loose& loose) const {
  const auto job = static_cast<std::size_t>(loose.job);
  for (const Piece& home : situation_.home(job)) {
    if (layout_.free(home.node) >= loose.gpus && layout_.workers(job, home.node) < home.workers)
      return home.node;
  }
  for (const Piece& piece : layout_.pieces(job)) {
    if (layout_.free(piece.node) >= loose.gpus)
      return piece.node;
  }
  return layout_.free_nodes().tightest(loose.gpus, situation_.jobs[job].eligible);
}

/// Puts loose workers into a gap, or in the place of smaller ones, which are loose then.
VODA_INLINE bool Folder::put(const Loose& loose) {
  const auto job = static_cast<std::size_t>(loose.job);
  std::int32_t target = gap_for(loose);
  if (target == no_node) {
    Eviction cheapest;
    std::int64_t limit = objective_.weights().excess - spent_;
    for (const std::int32_t node : emptiest_) {
      if (situation_.capacity[static_cast<std::size_t>(node)] < loose.gpus ||
          !situation_.may_use(job, node))
        continue;
      const Eviction eviction =
          cheapest_eviction(node, loose.job, loose.gpus - layout_.free(node), loose.gpus, limit);
      if (eviction.cost >= cheapest.cost)
        continue;
      cheapest = eviction;
      limit = eviction.cost;
      target = node;
    }
    if (target == no_node)
      return false;
    spent_ += cheapest.cost;
    evict(target, cheapest.tenants);
  }
  move(job, target, loose.workers);
  return true;
}

/// Finds places for all loose workers, the largest first.
VODA_INLINE bool Folder::settle() {
  for (int step = 0; !loose_.empty(); ++step) {
    const auto largest = std::ranges::max_element(loose_, [](const Loose& a, const Loose& b) {
      return std::tie(a.gpus, b.job) < std::tie(b.gpus, a.job);
    });
    const Loose next = *largest;
    *largest = loose_.back();
    loose_.pop_back();
    if (step == longest_chain || spent_ >= objective_.weights().excess || !put(next))
      return false;
  }
  return true;
}

/// Puts workers into the gaps on the nodes that a job uses.
VODA_INLINE bool Folder::fill_gaps(std::size_t job, std::int32_t workers) {
  const GpuCount per_worker = situation_.jobs[job].gpus_per_worker;
  const std::vector<Piece> pieces(layout_.pieces(job).begin(), layout_.pieces(job).end());
  for (const Piece& piece : pieces) {
    const std::int32_t some = std::min(workers, layout_.free(piece.node) / per_worker);
    if (some > 0)
      move(job, piece.node, some);
    workers -= std::max(0, some);
  }
  return workers == 0;
}

VODA_INLINE Folder::Eviction Folder::eviction_for(std::size_t job,
                                                  std::int32_t target,
                                                  GpuCount gpus,
                                                  std::int64_t limit) {
  return cheapest_eviction(
      target, static_cast<std::int32_t>(job), gpus - layout_.free(target), INT32_MAX, limit);
}

VODA_INLINE void Folder::offer(std::size_t job, Option option, std::int64_t leaving) {
  const std::int64_t limit = objective_.weights().excess - leaving;
  if (limit <= 0)
    return;
  const auto piece = [&](std::int32_t at) { return pieces_[static_cast<std::size_t>(at)]; };
  const std::int32_t workers =
      piece(option.first).workers + (option.second < 0 ? 0 : piece(option.second).workers);
  const GpuCount gpus = workers * situation_.jobs[job].gpus_per_worker;
  if (situation_.capacity[static_cast<std::size_t>(option.target)] < gpus ||
      !situation_.may_use(job, option.target))
    return;
  const Eviction eviction = eviction_for(job, option.target, gpus, limit);
  if (eviction.cost >= limit)
    return;
  option.cost = leaving + eviction.cost;
  options_.push_back(option);
}

/// A piece goes to another node of its job, or into the gaps of several.
VODA_INLINE void Folder::offer_own_nodes(std::size_t job, std::int32_t at, std::int64_t leaving) {
  const Piece& piece = pieces_[static_cast<std::size_t>(at)];
  const GpuCount per_worker = situation_.jobs[job].gpus_per_worker;
  largest_gap_ = std::max(layout_.free_nodes().most_free(),
                          layout_.free(piece.node) + piece.workers * per_worker);
  std::int32_t gaps = 0;
  for (const Piece& other : pieces_) {
    if (other.node == piece.node)
      continue;
    gaps += std::max(0, layout_.free(other.node)) / per_worker;
    offer(job, {.first = at, .target = other.node}, leaving);
  }
  if (gaps >= piece.workers && leaving < objective_.weights().excess)
    options_.push_back({.cost = leaving, .first = at});
}

/// The two smallest pieces go to a node that the job does not use yet.
VODA_INLINE void Folder::offer_other_nodes(std::size_t job, std::int64_t leaving) {
  const Contender& contender = situation_.jobs[job];
  const Piece& first = pieces_[0];
  const Piece& second = pieces_[1];
  const GpuCount gpus = (first.workers + second.workers) * contender.gpus_per_worker;
  largest_gap_ = std::max({layout_.free_nodes().most_free(),
                           layout_.free(first.node) + first.workers * contender.gpus_per_worker,
                           layout_.free(second.node) + second.workers * contender.gpus_per_worker});
  const std::int32_t gap = layout_.free_nodes().tightest(gpus, contender.eligible);
  if (gap != no_node) {
    offer(job, {.first = 0, .second = 1, .target = gap}, leaving);
    return;
  }
  for (const std::int32_t node : emptiest_) {
    if (std::ranges::find(pieces_, node, &Piece::node) == pieces_.end())
      offer(job, {.first = 0, .second = 1, .target = node}, leaving);
  }
}

/// Ways to fold a job, the cheapest first.
VODA_INLINE void Folder::list_options(std::size_t job) {
  options_.clear();
  pieces_.assign(layout_.pieces(job).begin(), layout_.pieces(job).end());
  std::ranges::sort(pieces_, [](const Piece& a, const Piece& b) {
    return std::tie(a.workers, a.node) < std::tie(b.workers, b.node);
  });
  const auto leaving = [&](std::int32_t at) {
    const Piece& piece = pieces_[static_cast<std::size_t>(at)];
    return leaving_cost(job, piece.node, piece.workers);
  };
  const auto count = static_cast<std::int32_t>(std::min(pieces_.size(), most_pieces));
  bool may_leave = false;
  for (std::int32_t i = 0; i < count; ++i)
    may_leave = may_leave || leaving(i) < objective_.weights().excess;
  if (!may_leave)
    return;
  emptiest_.clear();
  layout_.free_nodes().append_emptiest(emptiest_nodes, emptiest_);
  for (std::int32_t i = 0; i < count; ++i)
    offer_own_nodes(job, i, leaving(i));
  if (count > 1)
    offer_other_nodes(job, leaving(0) + leaving(1));
  std::ranges::sort(options_, [](const Option& a, const Option& b) {
    return std::tie(a.cost, a.first, a.second, a.target) <
           std::tie(b.cost, b.first, b.second, b.target);
  });
  if (options_.size() > most_options)
    options_.resize(most_options);
}

/// Takes the pieces of an option off their nodes; returns their workers.
VODA_INLINE std::int32_t Folder::lift(std::size_t job, const Option& option) {
  std::int32_t workers = 0;
  for (const std::int32_t at : {option.first, option.second}) {
    if (at < 0)
      continue;
    const Piece& piece = pieces_[static_cast<std::size_t>(at)];
    move(job, piece.node, -piece.workers);
    workers += piece.workers;
  }
  return workers;
}

/// Puts lifted workers where the option says; what is in their way gets loose.
VODA_INLINE bool Folder::drop(std::size_t job, const Option& option, std::int32_t workers) {
  if (option.target == no_node)
    return fill_gaps(job, workers);
  const GpuCount gpus = workers * situation_.jobs[job].gpus_per_worker;
  const Eviction eviction = eviction_for(job, option.target, gpus, impossible);
  if (eviction.cost == impossible)
    return false;
  evict(option.target, eviction.tenants);
  move(job, option.target, workers);
  return true;
}

VODA_INLINE void Folder::take_back() {
  layout_.undo_trial(situation_, [this](std::size_t job, std::int32_t node, GpuCount sign) {
    strangers_[static_cast<std::size_t>(node)] += sign * strangers(job, node);
  });
}

VODA_INLINE bool Folder::attempt(std::size_t job, const Option& option) {
  ++attempt_;
  touched_.clear();
  loose_.clear();
  cost_before_ = 0;
  spent_ = option.cost;
  layout_.begin_trial();
  const std::int32_t workers = lift(job, option);
  largest_gap_ = layout_.free_nodes().most_free();
  const bool is_done = drop(job, option, workers) && settle();
  std::int64_t cost = 0;
  for (const std::int32_t touched : touched_)
    cost += objective_.cost(situation_, layout_, static_cast<std::size_t>(touched));
  if (!is_done || cost >= cost_before_) {
    take_back();
    return false;
  }
  layout_.end_trial();
  return true;
}

VODA_INLINE bool Folder::fold(std::size_t job) {
  list_options(job);
  return std::ranges::any_of(options_, [&](const Option& option) { return attempt(job, option); });
}

VODA_INLINE bool fold_all(const Situation& situation, const Objective& objective, Layout& layout) {
  constexpr std::size_t turns_per_job = 4;
  const auto has_excess = [&](std::size_t job) {
    return static_cast<std::int32_t>(layout.pieces(job).size()) > situation.fewest_nodes[job];
  };
  std::vector<std::int32_t> waiting;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    if (has_excess(job))
      waiting.push_back(static_cast<std::int32_t>(job));
  }
  if (waiting.empty())
    return false;
  Folder folder(situation, objective, layout);
  bool any = false;
  const std::size_t most_turns = turns_per_job * waiting.size();
  for (std::size_t turn = 0; turn < waiting.size() && turn < most_turns; ++turn) {
    const auto job = static_cast<std::size_t>(waiting[turn]);
    if (!has_excess(job) || !folder.fold(job))
      continue;
    any = true;
    waiting.insert(waiting.end(), folder.moved().begin(), folder.moved().end());
  }
  return any;
}

}  // namespace voda::placers_detail

#pragma once

#include "voda/placers/impl/fold.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "voda/config.hpp"

namespace voda::placers_detail {

VODA_INLINE Folder::Folder(const Situation& situation,
                           const Objective& objective,
                           std::span<const std::int32_t> away,
                           Layout& layout)
    : situation_(&situation),
      objective_(&objective),
      layout_(&layout),
      largest_node_(situation.capacity.empty() ? 0 : std::ranges::max(situation.capacity)),
      strangers_(situation.capacity.size(), 0),
      seen_in_(situation.jobs.size(), 0) {
  unusable_nodes_ = static_cast<std::size_t>(std::ranges::count(situation.capacity, 0));
  for (const Contender& contender : situation.jobs) {
    largest_worker_ = std::max(largest_worker_, contender.gpus_per_worker);
    smallest_worker_ = std::min(smallest_worker_, contender.gpus_per_worker);
  }
  for (const std::int32_t job : away) {
    for (const Piece& piece : layout.pieces(static_cast<std::size_t>(job))) {
      strangers_[static_cast<std::size_t>(piece.node)] +=
          strangers(static_cast<std::size_t>(job), piece.node);
    }
  }
}

VODA_INLINE std::int64_t Folder::gpus_of(std::size_t job, const Piece& piece) const {
  return std::int64_t{piece.workers} * situation_->jobs[job].gpus_per_worker;
}

/// GPUs of a job on a node beyond those of survivors that may stay.
VODA_INLINE GpuCount Folder::strangers(std::size_t job, std::int32_t node) const {
  const std::int32_t workers = layout_->workers(job, node) - situation_->home_workers(job, node);
  return std::max(0, workers) * situation_->jobs[job].gpus_per_worker;
}

/// No eviction of so many GPUs costs less.
VODA_INLINE std::int64_t Folder::least_eviction_cost(std::int32_t node, GpuCount need) const {
  return cost_of_moving(need - strangers_[static_cast<std::size_t>(node)]);
}

/// What it costs at least that survivors of so many GPUs leave.
VODA_INLINE std::int64_t Folder::cost_of_moving(GpuCount gpus) const {
  return gpus <= 0 ? 0 : objective_->weights().moved * ((gpus - 1) / largest_worker_ + 1);
}

/// What it costs that so many workers of a job leave a node.
VODA_INLINE std::int64_t Folder::leaving_cost(std::size_t job,
                                              std::int32_t node,
                                              std::int32_t workers) const {
  const std::int32_t home = situation_->home_workers(job, node);
  const std::int32_t before = layout_->workers(job, node);
  return objective_->weights().moved * (std::min(home, before) - std::min(home, before - workers));
}

VODA_INLINE void Folder::move(std::size_t job, std::int32_t node, std::int32_t workers) {
  if (seen_in_[job] != attempt_) {
    seen_in_[job] = attempt_;
    touched_.push_back(static_cast<std::int32_t>(job));
    saw_strangers_ = saw_strangers_ || !is_at_home(*situation_, *layout_, job);
  }
  const std::int32_t home = situation_->home_workers(job, node);
  const std::int32_t before = layout_->workers(job, node);
  const std::int32_t after = before + workers;
  const Weights weights = objective_->weights();
  cost_change_ += weights.moved * (std::min(home, before) - std::min(home, after)) +
                  weights.excess * ((after > 0 ? 1 : 0) - (before > 0 ? 1 : 0));
  strangers_[static_cast<std::size_t>(node)] +=
      (std::max(0, after - home) - std::max(0, before - home)) *
      situation_->jobs[job].gpus_per_worker;
  layout_->add(*situation_, job, node, workers);
}

/// The tenants of a node, each of fewer than `below` GPUs and none of `job`, that could leave for less than `limit`.
VODA_INLINE GpuCount Folder::list_candidates(std::int32_t node,
                                             std::int32_t job,
                                             GpuCount below,
                                             std::int64_t limit) {
  candidates_.clear();
  std::int64_t gpus_of_all = 0;
  const std::int64_t moved = objective_->weights().moved;
  const auto tenants = layout_->tenants(node);
  for (std::size_t i = 0; i < std::min<std::size_t>(tenants.size(), 64); ++i) {
    const Tenant& tenant = tenants[i];
    const auto other = static_cast<std::size_t>(tenant.job);
    const GpuCount gpus = tenant.workers * situation_->jobs[other].gpus_per_worker;
    if (tenant.job == job || gpus >= below)
      continue;
    const std::int64_t cost =
        moved * (std::min(situation_->home_workers(other, node), tenant.workers) +
                 std::max(0, (gpus - largest_gap_) / largest_worker_));
    if (cost >= limit)
      continue;
    candidates_.push_back({.tenant = std::uint64_t{1} << i, .gpus = gpus, .cost = cost});
    gpus_of_all += gpus;
  }
  return static_cast<GpuCount>(std::min<std::int64_t>(gpus_of_all, INT32_MAX));
}

/// The cheapest tenants of a node, each of fewer than `below` GPUs and none of `job`, that hold at least `need` GPUs: a
/// knapsack. Impossible from `limit` on.
VODA_INLINE Folder::Eviction Folder::cheapest_eviction(
    std::int32_t node, std::int32_t job, GpuCount need, GpuCount below, std::int64_t limit) {
  if (need <= 0)
    return {.cost = 0};
  constexpr GpuCount largest_need = 1024;
  saw_strangers_ = saw_strangers_ || strangers_[static_cast<std::size_t>(node)] > 0;
  if (need > largest_need || least_eviction_cost(node, need) >= limit ||
      list_candidates(node, job, below, limit) < need)
    return {};
  best_.assign(static_cast<std::size_t>(need) + 1, Eviction{});
  best_[0].cost = 0;
  for (const Candidate& candidate : candidates_) {
    for (GpuCount held = need; held > 0; --held) {
      const Eviction& from = best_[static_cast<std::size_t>(std::max(0, held - candidate.gpus))];
      Eviction& to = best_[static_cast<std::size_t>(held)];
      if (from.cost + candidate.cost < to.cost)
        to = {.tenants = from.tenants | candidate.tenant, .cost = from.cost + candidate.cost};
    }
  }
  return best_.back().cost < limit ? best_.back() : Eviction{};
}

VODA_INLINE void Folder::evict(std::int32_t node, std::uint64_t tenants) {
  const std::size_t first = loose_.size();
  const auto present = layout_->tenants(node);
  for (std::size_t i = 0; i < present.size() && i < 64; ++i) {
    if ((tenants >> i & 1U) == 0)
      continue;
    const GpuCount per_worker =
        situation_->jobs[static_cast<std::size_t>(present[i].job)].gpus_per_worker;
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
  for (const Piece& home : situation_->home(job)) {
    if (layout_->free(home.node) >= loose.gpus && layout_->workers(job, home.node) < home.workers)
      return home.node;
  }
  for (const Piece& piece : layout_->pieces(job)) {
    if (layout_->free(piece.node) >= loose.gpus)
      return piece.node;
  }
  return layout_->free_nodes().tightest(loose.gpus, situation_->jobs[job].eligible);
}

/// Puts loose workers into a gap, or in the place of smaller ones, which are loose then.
VODA_INLINE bool Folder::put(const Loose& loose) {
  const auto job = static_cast<std::size_t>(loose.job);
  std::int32_t target = gap_for(loose);
  if (target == no_node && loose.gpus <= smallest_worker_)
    return false;
  if (target == no_node) {
    Eviction cheapest;
    std::int64_t limit = objective_->weights().excess - spent_;
    for (const std::int32_t node : emptiest_) {
      if (situation_->capacity[static_cast<std::size_t>(node)] < loose.gpus ||
          !situation_->may_use(job, node))
        continue;
      const Eviction eviction =
          cheapest_eviction(node, loose.job, loose.gpus - layout_->free(node), loose.gpus, limit);
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
    if (step == longest_chain || spent_ >= objective_->weights().excess || !put(next))
      return false;
  }
  return true;
}

/// Puts workers into the gaps on the nodes that a job uses.
VODA_INLINE bool Folder::fill_gaps(std::size_t job, std::int32_t workers) {
  const GpuCount per_worker = situation_->jobs[job].gpus_per_worker;
  for (const Piece& piece : pieces_) {
    if (layout_->workers(job, piece.node) == 0)
      continue;
    const std::int32_t some = std::min(workers, layout_->free(piece.node) / per_worker);
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
      target, static_cast<std::int32_t>(job), gpus - layout_->free(target), INT32_MAX, limit);
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
  const GpuCount gpus = workers * situation_->jobs[job].gpus_per_worker;
  const Eviction eviction = eviction_for(job, option.target, gpus, impossible);
  if (eviction.cost == impossible)
    return false;
  evict(option.target, eviction.tenants);
  move(job, option.target, workers);
  return true;
}

VODA_INLINE void Folder::take_back() {
  layout_->undo_trial(*situation_, [this](std::size_t job, std::int32_t node, GpuCount sign) {
    strangers_[static_cast<std::size_t>(node)] += sign * strangers(job, node);
  });
}

VODA_INLINE bool Folder::attempt(std::size_t job, const Option& option) {
  ++attempt_;
  touched_.clear();
  loose_.clear();
  cost_change_ = 0;
  spent_ = option.cost;
  layout_->begin_trial();
  const std::int32_t workers = lift(job, option);
  largest_gap_ = layout_->free_nodes().most_free();
  if (!drop(job, option, workers) || !settle() || cost_change_ >= 0) {
    take_back();
    return false;
  }
  layout_->end_trial();
  emptiest_.clear();
  return true;
}

VODA_INLINE bool Folder::fold(std::size_t job) {
  saw_strangers_ = !is_at_home(*situation_, *layout_, job);
  list_options(job);
  return std::ranges::any_of(
      options_, [&](const Option& option) { return !option.is_hopeless && attempt(job, option); });
}

VODA_INLINE Survey survey(const Situation& situation,
                          const Objective& objective,
                          const Layout& layout) {
  Survey result;
  std::vector<std::int32_t> at_home;  // on excess nodes
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const bool has_excess = excess_nodes(situation, layout, job) > 0;
    const bool is_home = is_at_home(situation, layout, job);
    if (!is_home)
      result.away.push_back(static_cast<std::int32_t>(job));
    if (has_excess)
      (is_home ? at_home : result.to_fold).push_back(static_cast<std::int32_t>(job));
    if (has_excess || !is_home)
      result.cost += objective.cost(situation, layout, job);
  }
  result.to_fold.insert(result.to_fold.end(), at_home.begin(), at_home.end());
  return result;
}

VODA_INLINE Folded fold_all(const Situation& situation,
                            const Objective& objective,
                            const Survey& start,
                            Layout& layout) {
  constexpr std::size_t turns_per_job = 4;
  Folded result;
  std::vector<std::int32_t> waiting = start.to_fold;
  if (waiting.empty())
    return result;
  const auto excess_of = [&](std::int32_t job) {
    return excess_nodes(situation, layout, static_cast<std::size_t>(job));
  };
  Folder folder(situation, objective, start.away, layout);
  std::vector<std::int32_t> hopeless;  // since the last fold
  std::size_t most_turns = 0;
  for (const std::int32_t job : waiting)
    most_turns += turns_per_job * static_cast<std::size_t>(1 + excess_of(job));
  for (std::size_t turn = 0; turn < waiting.size() && turn < most_turns; ++turn) {
    const std::int32_t job = waiting[turn];
    if (excess_of(job) <= 0)
      continue;
    if (!folder.fold(static_cast<std::size_t>(job))) {
      if (!folder.saw_strangers())
        hopeless.push_back(job);
      continue;
    }
    result.gain += folder.gain();
    hopeless.clear();
    waiting.insert(waiting.end(), folder.moved().begin(), folder.moved().end());
  }
  if (result.gain > 0)
    waiting =
        survey(situation, objective, layout).to_fold;  // what was certain before is so no more
  std::ranges::sort(waiting);
  std::ranges::sort(hopeless);
  std::ranges::set_difference(waiting, hopeless, std::back_inserter(result.in_doubt));
  return result;
}

}  // namespace voda::placers_detail

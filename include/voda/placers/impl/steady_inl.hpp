#pragma once

#include "voda/placers/steady.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "voda/placers/impl/binding.hpp"
#include "voda/placers/impl/gather.hpp"
#include "voda/placers/impl/improve.hpp"
#include "voda/placers/impl/objective.hpp"
#include "voda/placers/impl/packing.hpp"
#include "voda/placers/impl/pair_descent.hpp"
#include "voda/placers/impl/placement_answer.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda {
namespace placers_detail {

/// The same situation once a layout runs.
inline Situation settled(Situation situation, const Layout& layout) {
  situation.homes.clear();
  situation.home_begin.assign(1, 0);
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const auto pieces = layout.pieces(job);
    const auto begin = situation.homes.size();
    situation.homes.insert(situation.homes.end(), pieces.begin(), pieces.end());
    std::sort(situation.homes.begin() + static_cast<std::ptrdiff_t>(begin),
              situation.homes.end(),
              [](const Piece& a, const Piece& b) { return a.node < b.node; });
    situation.home_begin.push_back(static_cast<std::uint32_t>(situation.homes.size()));
  }
  return situation;
}

/// True when every job is where it was.
inline bool is_at_home(const Situation& situation, const Layout& layout) {
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    if (layout.pieces(job).size() != situation.home(job).size())
      return false;
    for (const Piece& home : situation.home(job)) {
      if (layout.workers(job, home.node) != home.workers)
        return false;
    }
  }
  return true;
}

/// True when everybody is placed without an excess node: from there nobody would move.
inline bool has_no_excess(const Situation& situation,
                          const Objective& objective,
                          const Draft& draft) {
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    if (static_cast<std::int32_t>(draft.layout.pieces(job).size()) != objective.fewest_nodes(job))
      return false;
  }
  return true;
}

/// Compares what `steady` promises: unplaced jobs, unplaced GPUs, cost.
inline bool is_cheaper(const Score& a, const Score& b) {
  return std::tie(a.unplaced_jobs, a.unplaced_gpus, a.cost) <
         std::tie(b.unplaced_jobs, b.unplaced_gpus, b.cost);
}

/// Improves a draft unless the search ends without a lower score.
inline void improve_draft(const Situation& situation,
                          const Objective& objective,
                          Draft& draft,
                          Score& score) {
  if (score.cost == 0)
    return;
  Draft improved = draft;
  improve(situation, objective, improved.layout);
  Score improved_score = objective.score(situation, improved);
  if (!(improved_score < score))
    return;
  draft = std::move(improved);
  score = std::move(improved_score);
}

/// The cheapest draft from one situation; of equal ones the one that stays where the workers are.
inline Draft cheapest_draft(const Situation& situation, const Objective& objective) {
  Draft best = pack(situation, Survivors::stay);
  Score best_score = objective.score(situation, best);
  improve_draft(situation, objective, best, best_score);
  if (best_score.cost == 0 && best_score.unplaced_jobs == 0)
    return best;
  Draft other = pack(situation, Survivors::leave);
  other.layout = bind(situation, other.layout).layout;
  Score other_score = objective.score(situation, other);
  const bool is_small = situation.capacity.size() <= small_cluster;
  if (is_small || other_score < best_score)
    improve_draft(situation, objective, other, other_score);
  return other_score < best_score ? other : best;
}

/// That draft, within as few topology domains as come for free.
inline Draft place_steadily(const Situation& situation, const Objective& objective) {
  Draft draft = cheapest_draft(situation, objective);
  gather(situation, objective, draft.layout);
  return draft;
}

}  // namespace placers_detail

VODA_INLINE PlacementDecision Steady::place(const PlacementProblem& problem) const {
  const auto situation = placers_detail::read_situation(problem);
  const placers_detail::Objective objective(
      *problem.nodes, situation, placers_detail::weights_for(options_.beta, situation));
  auto draft = placers_detail::place_steadily(situation, objective);
  const auto first_score = objective.score(situation, draft);
  while (!placers_detail::has_no_excess(situation, objective, draft)) {
    const auto from = placers_detail::settled(situation, draft.layout);
    auto next = placers_detail::place_steadily(from, objective);
    const bool is_settled = placers_detail::is_at_home(from, next.layout);
    if (!is_settled && placers_detail::is_cheaper(first_score, objective.score(situation, next)))
      break;  // too much is asked, and who is left out changed
    draft = std::move(next);
    if (is_settled)
      break;
  }
  return placers_detail::answer(problem, situation, draft);
}

}  // namespace voda

#pragma once

#include "voda/placers/steady.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The situation becomes the one in which a layout runs.
inline void settle(Situation& situation, const Layout& layout) {
  situation.homes.clear();
  situation.home_begin.assign(1, 0);
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const auto pieces = layout.pieces(job);
    situation.homes.insert(situation.homes.end(), pieces.begin(), pieces.end());
    situation.home_begin.push_back(static_cast<std::uint32_t>(situation.homes.size()));
  }
}

/// True when every job is where it was.
inline bool is_at_home(const Situation& situation, const Layout& layout) {
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    if (!is_at_home(situation, layout, job))
      return false;
  }
  return true;
}

/// True when everybody is placed without an excess node: from there nobody would move.
inline bool has_no_excess(const Situation& situation, const Draft& draft) {
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    if (static_cast<std::int32_t>(draft.layout.pieces(job).size()) != situation.fewest_nodes[job])
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

/// Places one problem, again and again from where the workers are then.
class SteadySearch {
 public:
  explicit SteadySearch(const Objective& objective) : objective_(objective) {}

  /// The cheapest draft from one situation, within as few topology domains as come for free. `stay`: nobody moves.
  [[nodiscard]] Draft place(const Situation& situation, Draft stay) {
    Draft draft = situation.capacity.size() <= small_cluster
                      ? cheapest_of_both(situation, std::move(stay))
                      : cheapest(situation, std::move(stay));
    gather(situation, objective_, draft.layout);
    return draft;
  }

 private:
  [[nodiscard]] Draft cheapest_of_both(const Situation& situation, Draft best);
  [[nodiscard]] Draft cheapest(const Situation& situation, Draft best);
  [[nodiscard]] const Draft& packed(const Situation& situation);
  [[nodiscard]] bool packing_may_win(const Situation& situation, const Score& score);
  [[nodiscard]] Draft bound_packing(const Situation& situation);

  const Objective& objective_;
  std::optional<Draft> packed_{};  // onto empty nodes: the same for all situations of a problem
};

inline const Draft& SteadySearch::packed(const Situation& situation) {
  if (!packed_)
    packed_ = pack(situation, Survivors::leave);
  return *packed_;
}

/// Repack's answer.
inline Draft SteadySearch::bound_packing(const Situation& situation) {
  const Draft& draft = packed(situation);
  return {.layout = bind(situation, draft.layout).layout, .unplaced = draft.unplaced};
}

/// False when Repack's answer costs more than `score`, whatever its binding.
inline bool SteadySearch::packing_may_win(const Situation& situation, const Score& score) {
  const Draft& draft = packed(situation);
  if (score.unplaced_jobs > 0 || !draft.unplaced.empty())
    return true;
  std::int64_t cost = 0;
  std::int64_t stayable = 0;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    cost +=
        static_cast<std::int64_t>(draft.layout.pieces(job).size()) - situation.fewest_nodes[job];
    for (const Piece& home : situation.home(job))
      stayable += home.workers;
  }
  cost *= objective_.weights().excess;
  if (cost > score.cost)
    return false;
  const std::int64_t moved = stayable - overlap_bound(situation, draft.layout);
  return cost + moved * objective_.weights().moved <= score.cost;
}

/// A small cluster is searched from both ends. Of equal drafts the one that stays where the workers are.
inline Draft SteadySearch::cheapest_of_both(const Situation& situation, Draft best) {
  Score best_score = objective_.score(situation, best);
  improve_draft(situation, objective_, best, best_score);
  if (best_score.cost == 0 && best_score.unplaced_jobs == 0)
    return best;
  Draft other = bound_packing(situation);
  Score other_score = objective_.score(situation, other);
  improve_draft(situation, objective_, other, other_score);
  return other_score < best_score ? other : best;
}

/// A large one from Repack's answer only when that is better as it is.
inline Draft SteadySearch::cheapest(const Situation& situation, Draft best) {
  Score best_score = objective_.score(situation, best);
  if (best_score.cost > 0 && improve(situation, objective_, best.layout))
    best_score = objective_.score(situation, best);
  const bool is_free = best_score.cost == 0 && best_score.unplaced_jobs == 0;
  if (is_free || !packing_may_win(situation, best_score))
    return best;
  Draft other = bound_packing(situation);
  Score other_score = objective_.score(situation, other);
  if (!(other_score < best_score))
    return best;
  improve_draft(situation, objective_, other, other_score);
  return other;
}

}  // namespace placers_detail

VODA_INLINE PlacementDecision Steady::place(const PlacementProblem& problem) const {
  using namespace placers_detail;
  const Situation situation = read_situation(problem);
  const Objective objective(*problem.nodes, situation, weights_for(options_.beta, situation));
  SteadySearch search(objective);
  Draft draft = search.place(situation, pack(situation, Survivors::stay));
  if (has_no_excess(situation, draft))
    return answer(problem, situation, draft);
  const Score first_score = objective.score(situation, draft);
  Situation running = situation;
  do {
    settle(running, draft.layout);
    // Where all are placed, what lowers the cost from here lowers it from the beginning as well.
    const bool all_are_placed = draft.unplaced.empty();
    Draft next = search.place(running, all_are_placed ? draft : pack(running, Survivors::stay));
    const bool is_settled = is_at_home(running, next.layout);
    if (!all_are_placed && !is_settled && is_cheaper(first_score, objective.score(situation, next)))
      break;  // too much is asked, and who is left out changed
    draft = std::move(next);
    if (is_settled)
      break;
  } while (!has_no_excess(situation, draft));
  return answer(problem, situation, draft);
}

}  // namespace voda

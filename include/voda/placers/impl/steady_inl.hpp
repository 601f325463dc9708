#pragma once

#include "voda/placers/steady.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "voda/placers/impl/binding.hpp"
#include "voda/placers/impl/fold.hpp"
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
    if (excess_nodes(situation, draft.layout, job) != 0)
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

/// True when some job has so many pieces, before and after, that comparing them all takes long.
inline bool has_many_pairs(const Situation& situation, std::span<const OwnedPiece> packed) {
  std::size_t pairs = 0;
  for (const OwnedPiece& owned : packed)
    pairs += situation.home(static_cast<std::size_t>(owned.job)).size();
  return are_many_pairs(pairs, situation.capacity.size());
}

/// Places one problem, again and again from where the workers are then.
class SteadySearch {
 public:
  explicit SteadySearch(const Objective& objective) : objective_(&objective) {}

  /// The cheapest draft from one situation, within as few topology domains as come for free. `stay`: nobody moves. After
  /// the first, situations are where the draft before runs.
  [[nodiscard]] Draft place(const Situation& situation, Draft stay) {
    Draft draft = situation.capacity.size() <= small_cluster
                      ? cheapest_of_both(situation, std::move(stay))
                      : cheapest(situation, std::move(stay));
    gather(situation, *objective_, draft.layout);
    return draft;
  }

  /// True when it is certain that place() would change nothing from where the last draft runs.
  [[nodiscard]] bool is_settled() const { return in_doubt_ && in_doubt_->empty(); }

 private:
  [[nodiscard]] Draft cheapest_of_both(const Situation& situation, Draft best);
  [[nodiscard]] Draft cheapest(const Situation& situation, Draft best);
  [[nodiscard]] const Draft& packed(const Situation& situation);
  [[nodiscard]] bool packing_may_win(const Situation& situation,
                                     const Draft& best,
                                     std::int64_t cost);
  [[nodiscard]] std::int64_t packing_cost_bound(const Situation& situation,
                                                std::span<const OwnedPiece> packed) const;
  [[nodiscard]] Draft bound_packing(const Situation& situation);

  const Objective* objective_ = nullptr;
  std::optional<Draft> packed_{};  // onto empty nodes: the same for all situations of a problem
  bool packing_lost_ = false;
  std::optional<std::vector<std::int32_t>> in_doubt_{};  // of the last draft; none: everybody
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

/// What these jobs cost at least where Repack packs them, however the nodes are bound.
inline std::int64_t SteadySearch::packing_cost_bound(const Situation& situation,
                                                     std::span<const OwnedPiece> packed) const {
  auto excess = static_cast<std::int64_t>(packed.size());
  std::int64_t stayable = 0;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (i > 0 && packed[i].job == packed[i - 1].job)
      continue;
    const auto job = static_cast<std::size_t>(packed[i].job);
    excess -= situation.fewest_nodes[job];
    for (const Piece& home : situation.home(job))
      stayable += home.workers;
  }
  return objective_->weights().excess * excess +
         objective_->weights().moved * (stayable - overlap_bound(situation, packed));
}

/// False when Repack's answer costs more than `best`, of this cost, whatever its binding. Then it costs more as well from
/// where `best` runs: its survivors have moved at most by the way of `best`. The same holds after a binding, which is the
/// best one, turned out not to be cheaper.
inline bool SteadySearch::packing_may_win(const Situation& situation,
                                          const Draft& best,
                                          std::int64_t cost) {
  if (packing_lost_)
    return false;
  if (packed_ || !best.unplaced.empty())
    return true;
  packed_ = pack_unless(situation, [&](std::span<const OwnedPiece> packed) {
    return !has_many_pairs(situation, packed) && packing_cost_bound(situation, packed) > cost;
  });
  packing_lost_ = !packed_;
  return !packing_lost_;
}

/// A small cluster is searched from both ends. Of equal drafts the one that stays where the workers are.
inline Draft SteadySearch::cheapest_of_both(const Situation& situation, Draft best) {
  Score best_score = objective_->score(situation, best);
  improve_draft(situation, *objective_, best, best_score);
  if (best_score.cost == 0 && best_score.unplaced_jobs == 0)
    return best;
  Draft other = bound_packing(situation);
  Score other_score = objective_->score(situation, other);
  improve_draft(situation, *objective_, other, other_score);
  return other_score < best_score ? other : best;
}

/// A large one from Repack's answer only when that is better as it is.
inline Draft SteadySearch::cheapest(const Situation& situation, Draft best) {
  Survey start = survey(situation, *objective_, best.layout);
  if (in_doubt_)
    start.to_fold = std::move(*in_doubt_);
  in_doubt_.reset();
  Folded folded = fold_all(situation, *objective_, start, best.layout);
  const std::int64_t cost = start.cost - folded.gain;
  const bool is_free = cost == 0 && best.unplaced.empty();
  if (is_free)
    return best;
  if (!packing_may_win(situation, best, cost)) {
    if (objective_->levels() == 0)
      in_doubt_ = std::move(folded.in_doubt);
    return best;
  }
  Draft other = bound_packing(situation);
  Score other_score = objective_->score(situation, other);
  const Score best_score = objective_->score(situation, best);
  if (other_score < best_score) {
    improve_draft(situation, *objective_, other, other_score);
    return other;
  }
  const bool may_tie = objective_->levels() > 0 && other_score.cost == best_score.cost;
  packing_lost_ = best.unplaced.empty() && (other_score.unplaced_jobs > 0 || !may_tie);
  if (packing_lost_ && objective_->levels() == 0)
    in_doubt_ = std::move(folded.in_doubt);
  return best;
}

}  // namespace placers_detail

VODA_INLINE PlacementDecision Steady::place(const PlacementProblem& problem) const {
  using namespace placers_detail;
  const Situation situation = read_situation(problem);
  const Objective objective(*problem.nodes, situation, weights_for(options_.beta, situation));
  SteadySearch search(objective);
  Draft draft = search.place(situation, pack(situation, Survivors::stay));
  if (search.is_settled() || has_no_excess(situation, draft))
    return answer(problem, situation, draft);
  const Score first_score = draft.unplaced.empty() ? Score{} : objective.score(situation, draft);
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
  } while (!search.is_settled() && !has_no_excess(situation, draft));
  return answer(problem, situation, draft);
}

VODA_INLINE std::vector<Reason> Steady::explain(const PlacementProblem& problem,
                                                const PlacementDecision& decision,
                                                JobIndex job) const {
  auto result = Placer::explain(problem, decision, job);
  result.insert(result.begin(),
                {.code = ReasonCode::weighs_moves, .facts = {{"beta", options_.beta}}});
  return result;
}

}  // namespace voda

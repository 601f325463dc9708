#pragma once

#include "voda/placers/impl/placement_answer.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/config.hpp"
#include "voda/placers/cost.hpp"

namespace voda::placers_detail {

/// Numbers the workers of one job after another; `open` holds, per node, places of the job without a worker.
class Numbering {
 public:
  explicit Numbering(std::size_t nodes) : open_(nodes, 0) {}

  /// The node of each worker, valid until the next call. `before`: the nodes of the survivors.
  std::span<const NodeIndex> operator()(std::span<const Piece> pieces,
                                        std::span<const NodeIndex> before) {
    if (pieces.size() == 1) {
      nodes_.assign(static_cast<std::size_t>(pieces.front().workers),
                    static_cast<NodeIndex>(static_cast<std::uint32_t>(pieces.front().node)));
      return nodes_;
    }
    pieces_.assign(pieces.begin(), pieces.end());
    std::ranges::sort(pieces_, is_before);
    std::size_t workers = 0;
    for (const Piece& piece : pieces_) {
      open_[static_cast<std::size_t>(piece.node)] = piece.workers;
      workers += static_cast<std::size_t>(piece.workers);
    }
    nodes_.assign(workers, nobody);
    for (std::size_t worker = 0; worker < std::min(workers, before.size()); ++worker) {
      const std::size_t node = position(before[worker]);
      if (node < open_.size() && open_[node] > 0)
        take(worker, node);
    }
    fill_open();
    return nodes_;
  }

 private:
  static constexpr auto nobody = static_cast<NodeIndex>(UINT32_MAX);

  static bool is_before(const Piece& a, const Piece& b) {
    return a.workers != b.workers ? a.workers > b.workers : a.node < b.node;
  }

  void take(std::size_t worker, std::size_t node) {
    nodes_[worker] = static_cast<NodeIndex>(static_cast<std::uint32_t>(node));
    --open_[node];
  }

  void fill_open() {
    std::size_t piece = 0;
    for (std::size_t worker = 0; worker < nodes_.size(); ++worker) {
      if (nodes_[worker] != nobody)
        continue;
      while (open_[static_cast<std::size_t>(pieces_[piece].node)] == 0)
        ++piece;
      take(worker, static_cast<std::size_t>(pieces_[piece].node));
    }
  }

  std::vector<std::int32_t> open_{};  // all 0 between calls
  std::vector<Piece> pieces_{};
  std::vector<NodeIndex> nodes_{};
};

/// Clears the slots that take no part.
inline void clear_others(const Situation& situation, Placement& placement) {
  std::vector<std::uint8_t> takes_part(placement.size(), 0);
  for (const Contender& contender : situation.jobs)
    takes_part[position(contender.slot)] = 1;
  for (std::size_t slot = 0; slot < takes_part.size(); ++slot) {
    if (takes_part[slot] == 0)
      placement.clear(Allocation::index_of(slot));
  }
}

VODA_INLINE PlacementDecision answer(const PlacementProblem& problem,
                                     const Situation& situation,
                                     const Draft& draft) {
  PlacementDecision decision{.placement = problem.current, .unplaced = draft.unplaced};
  decision.placement.resize(problem.jobs->size());
  std::size_t workers = 0;
  Numbering number(situation.capacity.size());
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const Contender& contender = situation.jobs[job];
    const auto pieces = draft.layout.pieces(job);
    if (pieces.empty()) {
      decision.placement.clear(contender.slot);
      continue;
    }
    workers += static_cast<std::size_t>(contender.workers);
    decision.cost.excess_span +=
        static_cast<std::int64_t>(pieces.size()) - situation.fewest_nodes[job];
    const auto current = problem.current[contender.slot];
    const auto survivors = static_cast<std::size_t>(contender.survivors);
    if (contender.survivors == contender.workers && is_at_home(situation, draft.layout, job)) {
      decision.placement.truncate(contender.slot, survivors);
      continue;
    }
    const auto after = number(pieces, current.first(survivors));
    decision.placement.set(contender.slot, after);
    add_moves(problem, situation, job, after, decision.cost);
  }
  if (decision.placement.workers() != workers)
    clear_others(situation, decision.placement);
  add_excess_by_level(problem, situation, decision.placement, decision.cost);
  return decision;
}

}  // namespace voda::placers_detail

#pragma once

#include "voda/placers/impl/improve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "voda/config.hpp"
#include "voda/placers/impl/fold.hpp"
#include "voda/placers/impl/pair_descent.hpp"
#include "voda/placers/impl/recreate.hpp"

namespace voda::placers_detail {

/// Rounds of clearing and filling nodes: at most, and in a row without a gain (the fewer nodes, the fewer ways there are).
inline constexpr int rounds_to_try = 100;

[[nodiscard]] inline int rounds_without_gain(std::size_t nodes) {
  return std::clamp(static_cast<int>(nodes * nodes / 8), 2, rounds_to_try);
}

/// Most nodes that a round clears for the job that it starts from, and most that it clears besides.
inline constexpr std::size_t most_own_nodes = 3;
inline constexpr std::size_t most_other_nodes = 4;

/// The jobs that cost something, and where they are.
class CostlyJobs {
 public:
  CostlyJobs(const Situation& situation, const Objective& objective, const Layout& layout)
      : is_listed_(situation.jobs.size(), 0) {
    for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
      if (objective.cost(situation, layout, job) > 0)
        list(static_cast<std::int32_t>(job));
    }
  }

  [[nodiscard]] std::span<const std::int32_t> jobs() const { return jobs_; }

  void list(std::int32_t job) {
    std::uint8_t& is_listed = is_listed_[static_cast<std::size_t>(job)];
    if (is_listed == 0)
      jobs_.push_back(job);
    is_listed = 1;
  }

  void forget(std::size_t at) {
    is_listed_[static_cast<std::size_t>(jobs_[at])] = 0;
    jobs_[at] = jobs_.back();
    jobs_.pop_back();
  }

 private:
  std::vector<std::int32_t> jobs_{};
  std::vector<std::uint8_t> is_listed_{};
};

/// Some nodes of a job and some others, all different and usable.
inline std::vector<std::int32_t> nodes_to_clear(const Situation& situation,
                                                const Layout& layout,
                                                std::size_t job,
                                                FixedSequence& sequence) {
  std::vector<std::int32_t> nodes;
  for (const Piece& piece : layout.pieces(job))
    nodes.push_back(piece.node);
  for (const Piece& piece : situation.home(job))
    nodes.push_back(piece.node);
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  while (nodes.size() > most_own_nodes) {
    nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(sequence.next(nodes.size())));
  }
  std::vector<std::int32_t> others;
  layout.free_nodes().append_emptiest(situation.capacity.size(), others);
  const std::size_t wanted = 2 + sequence.next(most_other_nodes);
  while (nodes.size() < wanted && !others.empty()) {
    const std::size_t at = sequence.next(others.size());
    const bool is_new = std::ranges::find(nodes, others[at]) == nodes.end();
    if (is_new && situation.capacity[static_cast<std::size_t>(others[at])] > 0)
      nodes.push_back(others[at]);
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return nodes;
}

/// One search of improve().
class NeighbourhoodSearch {
 public:
  NeighbourhoodSearch(const Situation& situation, const Objective& objective, const Layout& layout)
      : descent_(situation), costly_(situation, objective, layout) {}

  void descend(const Situation& situation, const Objective& objective, Layout& layout) {
    for (const std::int32_t job : costly_.jobs()) {
      for (const Piece& piece : layout.pieces(static_cast<std::size_t>(job)))
        descent_.wait(piece.node);
    }
    descent_.run(situation, objective.weights(), layout);
  }

  /// One round: by how much the cost fell; -1: no job costs anything.
  [[nodiscard]] std::int64_t try_round(const Situation& situation,
                                       const Objective& objective,
                                       Layout& layout);

 private:
  [[nodiscard]] std::int32_t pick_job(const Situation& situation,
                                      const Objective& objective,
                                      const Layout& layout);
  [[nodiscard]] std::int64_t cost_of(const Situation& situation,
                                     const Objective& objective,
                                     const Layout& layout) const;
  void remember_tenants(const Layout& layout, std::span<const std::int32_t> nodes);

  PairDescent descent_;
  CostlyJobs costly_;
  Recreator recreator_{};
  FixedSequence sequence_{};
  std::vector<std::int32_t> involved_{};  // jobs on the nodes of this round
};

/// A job that costs something, or -1.
VODA_INLINE std::int32_t NeighbourhoodSearch::pick_job(const Situation& situation,
                                                       const Objective& objective,
                                                       const Layout& layout) {
  while (!costly_.jobs().empty()) {
    const std::size_t at = sequence_.next(costly_.jobs().size());
    const std::int32_t job = costly_.jobs()[at];
    if (objective.cost(situation, layout, static_cast<std::size_t>(job)) > 0)
      return job;
    costly_.forget(at);
  }
  return -1;
}

VODA_INLINE void NeighbourhoodSearch::remember_tenants(const Layout& layout,
                                                       std::span<const std::int32_t> nodes) {
  involved_.clear();
  for (const std::int32_t node : nodes) {
    for (const Tenant& tenant : layout.tenants(node))
      involved_.push_back(tenant.job);
  }
  std::ranges::sort(involved_);
  involved_.erase(std::ranges::unique(involved_).begin(), involved_.end());
}

VODA_INLINE std::int64_t NeighbourhoodSearch::cost_of(const Situation& situation,
                                                      const Objective& objective,
                                                      const Layout& layout) const {
  std::int64_t cost = 0;
  for (const std::int32_t job : involved_) {
    cost += objective.cost(situation, layout, static_cast<std::size_t>(job));
  }
  return cost;
}

VODA_INLINE std::int64_t NeighbourhoodSearch::try_round(const Situation& situation,
                                                        const Objective& objective,
                                                        Layout& layout) {
  const std::int32_t job = pick_job(situation, objective, layout);
  if (job < 0)
    return -1;
  const auto nodes = nodes_to_clear(situation, layout, static_cast<std::size_t>(job), sequence_);
  remember_tenants(layout, nodes);
  const std::int64_t before = cost_of(situation, objective, layout);
  layout.begin_trial();
  if (!recreator_.recreate(situation, objective.weights(), layout, nodes, sequence_)) {
    layout.undo_trial(situation);
    return 0;
  }
  const std::int64_t between = cost_of(situation, objective, layout);
  for (const std::int32_t node : nodes)
    descent_.wait(node);
  const std::int64_t gained = descent_.run(situation, objective.weights(), layout);
  if (between - gained > before) {
    layout.undo_trial(situation);
    return 0;
  }
  for (const std::int32_t changed : layout.keep_trial())
    costly_.list(changed);
  return before - (between - gained);
}

VODA_INLINE bool improve(const Situation& situation, const Objective& objective, Layout& layout) {
  const Folded folded =
      fold_all(situation, objective, survey(situation, objective, layout), layout);
  if (situation.capacity.size() > small_cluster)
    return folded.gain > 0;
  NeighbourhoodSearch search(situation, objective, layout);
  search.descend(situation, objective, layout);
  const int patience = rounds_without_gain(situation.capacity.size());
  int idle = 0;
  for (int round = 0; round < rounds_to_try && idle < patience; ++round) {
    const std::int64_t gain = search.try_round(situation, objective, layout);
    if (gain < 0)
      break;
    idle = gain > 0 ? 0 : idle + 1;
  }
  return true;
}

}  // namespace voda::placers_detail

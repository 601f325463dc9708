#pragma once

#include "voda/placers/impl/objective.hpp"

#include <algorithm>
#include <cmath>

#include "voda/config.hpp"
#include "voda/placers/impl/span_bounds.hpp"

namespace voda::placers_detail {

VODA_INLINE Weights weights_for(double beta, const Situation& situation) {
  std::int64_t most = 1;  // neither term exceeds the number of workers
  for (const Contender& contender : situation.jobs)
    most += contender.workers;
  if (beta >= static_cast<double>(most))
    return {.excess = most, .moved = 1};
  const auto thousandths = static_cast<std::int64_t>(std::floor(beta * 1000 + 0.5));
  if (thousandths * most < 1000)
    return {.excess = 1, .moved = most};
  return {.excess = thousandths, .moved = 1000};
}

VODA_INLINE Objective::Objective(const NodeColumns& nodes,
                                 const Situation& situation,
                                 Weights weights)
    : weights_(weights), domains_(read_domains(nodes)) {
  for (const auto& domain_of_node : domains_) {
    SpanBounds domains_needed(domain_of_node);
    auto& fewest = fewest_domains_.emplace_back();
    for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
      fewest.push_back(domains_needed.fewest(situation, job));
    }
  }
}

VODA_INLINE std::int64_t Objective::cost(const Situation& situation,
                                         const Layout& layout,
                                         std::size_t job) const {
  const auto pieces = layout.pieces(job);
  if (pieces.empty())
    return 0;
  const auto excess = static_cast<std::int64_t>(pieces.size()) - situation.fewest_nodes[job];
  std::int64_t moved = 0;
  for (const Piece& home : situation.home(job)) {
    moved += home.workers - std::min(home.workers, layout.workers(job, home.node));
  }
  return weights_.excess * excess + weights_.moved * moved;
}

VODA_INLINE std::int64_t Objective::excess_domains(const Layout& layout,
                                                   std::size_t job,
                                                   std::size_t level) const {
  const auto pieces = layout.pieces(job);
  if (pieces.empty())
    return 0;
  std::int64_t used = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto same_domain = [&](const Piece& other) {
      return domain(level, static_cast<std::size_t>(other.node)) ==
             domain(level, static_cast<std::size_t>(pieces[i].node));
    };
    used += std::ranges::none_of(pieces.subspan(0, i), same_domain) ? 1 : 0;
  }
  return used - fewest_domains_[level][job];
}

VODA_INLINE Score Objective::score(const Situation& situation, const Draft& draft) const {
  Score score{.excess_by_level = std::vector<std::int64_t>(domains_.size(), 0)};
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    const Contender& contender = situation.jobs[job];
    const auto pieces = draft.layout.pieces(job);
    if (pieces.empty()) {
      ++score.unplaced_jobs;
      score.unplaced_gpus += std::int64_t{contender.workers} * contender.gpus_per_worker;
      score.earliness.push_back(static_cast<std::int64_t>(situation.jobs.size() - job));
    }
    score.cost += cost(situation, draft.layout, job);
    for (std::size_t level = 0; level < domains_.size(); ++level)
      score.excess_by_level[level] += excess_domains(draft.layout, job, level);
  }
  std::ranges::reverse(score.earliness);
  return score;
}

}  // namespace voda::placers_detail

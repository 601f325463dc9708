#pragma once

#include "voda/placers/repack.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "voda/placers/impl/binding.hpp"
#include "voda/placers/impl/packing.hpp"
#include "voda/placers/impl/placement_answer.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda {
namespace placers_detail {

/// Survivors that may stay and whose job is placed.
inline std::int64_t count_stayable(const Situation& situation, const Layout& layout) {
  std::int64_t count = 0;
  for (std::size_t job = 0; job < situation.jobs.size(); ++job) {
    if (layout.pieces(job).empty())
      continue;
    for (const Piece& piece : situation.home(job))
      count += piece.workers;
  }
  return count;
}

}  // namespace placers_detail

VODA_INLINE PlacementDecision Repack::place(const PlacementProblem& problem) const {
  const auto situation = placers_detail::read_situation(problem);
  auto draft = placers_detail::pack(situation, placers_detail::Survivors::leave);
  auto binding = placers_detail::bind(situation, draft.layout);
  draft.layout = std::move(binding.layout);
  auto decision = placers_detail::answer(problem, situation, draft);
  decision.bound.moved = placers_detail::count_stayable(situation, draft.layout) - binding.bound;
  return decision;
}

VODA_INLINE std::vector<Reason> Repack::explain(const PlacementProblem& problem,
                                                const PlacementDecision& decision,
                                                JobIndex job) const {
  const JobColumns& jobs = *problem.jobs;
  const auto per_worker = [&](JobIndex one) { return jobs.sizes[one].gpus_per_worker; };
  std::int64_t place = 1;
  std::int64_t all = 0;
  for (const JobIndex other : *problem.arrival_order) {
    const GpuCount gpus = problem.allocation[other];
    const GpuCount own = problem.allocation[job];
    all += gpus > 0 ? 1 : 0;
    const bool is_larger = per_worker(other) != per_worker(job)
                               ? per_worker(other) > per_worker(job)
                           : gpus != own ? gpus > own
                                         : arrives_before(jobs, other, job);
    place += gpus > 0 && is_larger ? 1 : 0;
  }
  auto result = Placer::explain(problem, decision, job);
  result.insert(result.begin(),
                {.code = ReasonCode::packed, .facts = {{"place", place}, {"of", all}}});
  return result;
}

}  // namespace voda

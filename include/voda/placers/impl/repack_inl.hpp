#pragma once

#include "voda/placers/repack.hpp"

#include <cstdint>
#include <utility>

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

}  // namespace voda

#pragma once

#include "voda/allocators/tiresias.hpp"

#include <utility>

#include "voda/allocators/impl/tiresias_queues.hpp"

namespace voda {

VODA_INLINE void TiresiasOptions::read(OptionReader& reader) {
  allocators_detail::read_tiresias_options(reader, thresholds, knob);
}

VODA_INLINE Tiresias::Tiresias(TiresiasOptions options) : options_(std::move(options)) {
  static_cast<void>(allocators_detail::tiresias_rules(options_.thresholds, options_.knob, name));
}

VODA_INLINE AllocationDecision Tiresias::allocate(const AllocationProblem& problem) const {
  namespace detail = allocators_detail;
  const auto rules = detail::tiresias_rules(options_.thresholds, options_.knob, name);
  auto order = detail::tiresias_order(problem, rules);
  AllocationDecision decision = detail::empty_decision(problem);
  static_cast<void>(detail::serve_requested(problem, order, decision.gpus));
  decision.review_at = detail::next_review(problem, order, rules, decision.gpus);
  decision.resets = std::move(order.promoted);
  return decision;
}

}  // namespace voda

#pragma once

#include "voda/scheduler/pacer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace pacer_detail {

/// The first multiple of `round` at or after `at`.
[[nodiscard]] inline TimePoint next_round(TimePoint at, Duration round) {
  const auto since_zero = at.time_since_epoch().count();
  const auto rest = ((since_zero % round.count()) + round.count()) % round.count();
  return rest == 0 ? at : at + (round - Duration(rest));
}

}  // namespace pacer_detail

VODA_INLINE DecisionPacer::DecisionPacer(PacerOptions options, PacerState state)
    : options_(options), state_(state) {
  if (options.rate_limit.count() < 0 || options.round.count() < 0) {
    throw InvalidInput(fmt::format("rate_limit {} s, round {} s; expected seconds >= 0",
                                   to_seconds(options.rate_limit),
                                   to_seconds(options.round)));
  }
}

VODA_INLINE void DecisionPacer::trigger(TimePoint at, Trigger kind) {
  const bool is_eager = options_.is_eager && kind == Trigger::arrival_that_fits;
  if (state_.decided_at && !is_eager)
    at = std::max(at, *state_.decided_at + options_.rate_limit);
  if (options_.round.count() > 0)
    at = pacer_detail::next_round(at, options_.round);
  state_.due = state_.due ? std::min(*state_.due, at) : at;
}

VODA_INLINE void DecisionPacer::decided(TimePoint now, std::optional<TimePoint> review_at) {
  state_ = {.decided_at = now};
  if (review_at)
    trigger(*review_at, Trigger::review);
}

}  // namespace voda

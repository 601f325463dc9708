#pragma once

#include <cstdint>
#include <optional>

#include "voda/config.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// When decisions may be made.
struct PacerOptions {
  Duration
      rate_limit{};  // >= 0: a trigger sooner than this after the last decision is deferred to then
  Duration round{};  // > 0: decisions only at whole multiples of it on the clock
  bool is_eager = false;  // an arrival that fits into free GPUs is not deferred by the rate limit
};

/// What asks for a decision.
enum class Trigger : std::uint8_t { change, arrival_that_fits, review };

/// What a pacer knows; with equal options, equal states have equal futures.
struct PacerState {
  std::optional<TimePoint> decided_at{};  // the last decision
  std::optional<TimePoint> due{};         // the next one
  bool operator==(const PacerState&) const = default;
};

/// Says when to decide; holds no clock. One for each pool, the same in simulator and daemon.
class DecisionPacer {
 public:
  /// Goes on from `state`, as after a restart. Throws InvalidInput for a negative duration.
  explicit DecisionPacer(PacerOptions options = {}, PacerState state = {});

  /// Something asks for a decision at `at`; it will be made then or at the next instant that the options allow.
  void trigger(TimePoint at, Trigger kind);

  /// When the next decision is due; nothing when none was asked for.
  [[nodiscard]] std::optional<TimePoint> due() const noexcept { return state_.due; }

  /// What a checkpoint keeps: PoolImage::pacer.
  [[nodiscard]] const PacerState& state() const noexcept { return state_; }

  /// A decision was made at `now`, which answers every trigger so far; `review_at` asks for the next one.
  void decided(TimePoint now, std::optional<TimePoint> review_at);

 private:
  PacerOptions options_{};
  PacerState state_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/pacer_inl.hpp"
#endif

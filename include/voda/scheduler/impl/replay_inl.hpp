#pragma once

#include "voda/scheduler/replay.hpp"

#include <array>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {

VODA_INLINE Replay::Replay(PolicyTables tables, ReplayPolicies policies)
    : tables_(std::move(tables)), policies_(std::move(policies)) {}

VODA_INLINE PolicyChanged Replay::names_left(PolicyChanged names) const {
  if (policies_.allocator != nullptr)
    names.allocator.clear();
  if (policies_.replaces_placer)
    names.placer.clear();
  return names;
}

VODA_INLINE void Replay::take(const ClusterImage& state) {
  const PolicyChanged names = names_left(state.policy);
  if (policies_.allocator == nullptr && names.allocator.empty()) {
    throw InvalidInput(
        "record: its state names no policy; expected one, or a policy to decide in its place");
  }
  std::shared_ptr<const Placer> placer = policies_.placer;
  if (!names.placer.empty())
    placer = make_placer(tables_, names.placer);
  scheduler_ = std::make_unique<Scheduler>(
      names.allocator.empty() ? policies_.allocator : make_allocator(tables_, names.allocator),
      std::move(placer),
      ClusterState::from_image(state),
      tables_);
}

VODA_INLINE Scheduler& Replay::scheduler() {
  if (scheduler_ == nullptr)
    throw InvalidInput("record: an event before any state; expected a state first");
  return *scheduler_;
}

VODA_INLINE const ClusterState& Replay::state() const {
  if (scheduler_ == nullptr)
    throw InvalidInput("record: no state yet; expected one first");
  return scheduler_->state();
}

VODA_INLINE void Replay::take(const Event& event, const Visitor& visitor) {
  if (const auto* recorded = std::get_if<Decided>(&event.body); recorded != nullptr && visitor) {
    decide_again(event, *recorded, visitor);
    return;
  }
  const auto* change = std::get_if<PolicyChanged>(&event.body);
  if (change == nullptr) {
    scheduler().observe(event);
  } else {
    scheduler().observe({.at = event.at, .body = names_left(*change)});
  }
}

VODA_INLINE void Replay::decide_again(const Event& event,
                                      const Decided& recorded,
                                      const Visitor& visitor) {
  Scheduler& decider = scheduler();
  ReplayedDecision shown{.at = event.at, .recorded = &recorded, .scheduler = &decider};
  const auto pool = decider.state().find_pool(recorded.gpu_type);
  if (!pool) {
    throw InvalidInput(fmt::format("record: a decision for pool '{}'; expected a known GPU type",
                                   recorded.gpu_type));
  }
  try {
    shown.decision = &decider.decide(event.at, std::array{*pool});
    shown.replayed = std::get<Decided>(decider.decided().front().body);
  } catch (const Error& error) {
    shown.failure = error.what();
  }
  visitor(shown);
  if (shown.is_equal()) {
    decider.commit();
  } else {
    decider.observe(event);
  }
}

}  // namespace voda

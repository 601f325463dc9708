#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "voda/config.hpp"
#include "voda/model/event.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/scheduler/decision.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace voda {

/// A recorded decision of one pool, and what was decided again on the same state.
struct ReplayedDecision {
  TimePoint at{};
  const Decided* recorded = nullptr;     // never null; both live as long as the visit
  std::optional<Decided> replayed{};     // nothing when the policy failed
  std::string failure{};                 // why it did
  const Decision* decision = nullptr;    // of this one pool, null when the policy failed
  const Scheduler* scheduler = nullptr;  // never null; before the recorded decision is applied

  [[nodiscard]] bool is_equal() const { return replayed == *recorded; }
};

/// Who decides in a replay in place of those that the record names.
struct ReplayPolicies {
  std::shared_ptr<const Allocator> allocator{};  // null: as recorded
  std::shared_ptr<const Placer> placer{};        // used if `replaces_placer`; null: count GPUs only
  bool replaces_placer = false;
};

/// Goes through a record: takes its events in, decides anew wherever a decision was recorded, and
/// goes on from what was recorded, so that one difference does not cause the next.
class Replay {
 public:
  using Visitor = std::function<void(const ReplayedDecision&)>;

  /// `tables` make the policies that the record names.
  explicit Replay(PolicyTables tables, ReplayPolicies policies = {});

  /// Begins, or begins again, at a recorded state. Throws InvalidInput when it contradicts itself,
  /// or names no policy although one is needed, and UnknownName for a policy that the tables lack.
  void take(const ClusterImage& state);

  /// Takes an event in. A recorded decision is decided anew and shown to `visitor` before it is
  /// applied; with an empty visitor it is applied only. Throws InvalidInput or UnknownName for an
  /// event that does not fit the state, and when no state came before.
  void take(const Event& event, const Visitor& visitor);

  /// Where the record stands; throws InvalidInput when no state came yet.
  [[nodiscard]] const ClusterState& state() const;

 private:
  [[nodiscard]] Scheduler& scheduler();
  /// The policies that the record still chooses.
  [[nodiscard]] PolicyChanged names_left(PolicyChanged names) const;
  void decide_again(const Event& event, const Decided& recorded, const Visitor& visitor);

  PolicyTables tables_{};
  ReplayPolicies policies_{};
  std::unique_ptr<Scheduler> scheduler_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/replay_inl.hpp"
#endif

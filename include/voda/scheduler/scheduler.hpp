#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/event.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/placer.hpp"
#include "voda/scheduler/cluster_state.hpp"
#include "voda/scheduler/decision.hpp"
#include "voda/scheduler/policy_tables.hpp"

namespace voda {

/// Sees every event that a scheduler took in and, as Decided events, every decision just before it
/// is committed: together with the state at the beginning all that a record needs.
using EventSink = std::function<void(const Event&)>;

/// Events in, plan out: all pools of a cluster, each decided by itself.
///
/// Not thread-safe: one owner feeds events and asks for decisions. Free of clocks, threads and I/O; every instant comes from
/// the caller. A policy that breaks its contract costs that decision: decide() throws, and what is assigned stays.
class Scheduler {
 public:
  /// `placer` may be null: then only counts are decided. `tables` hold what PolicyChanged events may choose. Throws
  /// InvalidInput when `allocator` is null.
  Scheduler(std::shared_ptr<const Allocator> allocator,
            std::shared_ptr<const Placer> placer,
            ClusterState state = ClusterState{},
            PolicyTables tables = {});

  /// Takes an event in; throws InvalidInput or UnknownName and changes nothing when it is refused.
  void observe(const Event& event);

  /// Decides all pools as of `now`, which must not lie before the last event. The same state gives the same decision, and
  /// nothing that can be seen changes until commit(). Throws InvalidInput when a policy misses something it needs, and
  /// InvalidDecision when a policy breaks its contract.
  [[nodiscard]] const Decision& decide(TimePoint now);

  /// Decides only the given pools; the others keep what they have.
  [[nodiscard]] const Decision& decide(TimePoint now, std::span<const std::size_t> pools);

  /// The last decision becomes what is assigned, and its resets apply. Throws InvalidInput when there is none, or when an
  /// event came after it.
  void commit();

  /// The last decision as events, complete enough to repeat it on the same state: for a record, before commit().
  [[nodiscard]] std::vector<Event> decided() const;

  /// The earliest instant at which a pool asked to be decided again.
  [[nodiscard]] std::optional<TimePoint> review_at() const;

  /// True when an event since the last decision, or a review instant at or before `now`, calls for a decision.
  [[nodiscard]] bool is_due(TimePoint now) const;

  [[nodiscard]] const ClusterState& state() const noexcept { return state_; }

  /// Other policies decide from here on; every pool is due.
  void set_policies(std::shared_ptr<const Allocator> allocator,
                    std::shared_ptr<const Placer> placer);

  /// Replaces the state, as after a restart; a pending decision is dropped.
  void restore(ClusterState state);

  /// Tells `sink` of every event and decision from here on; an empty one ends it. An exception of
  /// the sink leaves observe() after the event was taken in, and commit() before anything changed.
  void record_to(EventSink sink) { sink_ = std::move(sink); }

 private:
  struct Policies {
    std::shared_ptr<const Allocator> allocator{};
    std::shared_ptr<const Placer> placer{};
  };

  struct PoolSessions {
    std::unique_ptr<AllocatorSession> allocator{};
    std::unique_ptr<PlacerSession> placer{};
  };

  [[nodiscard]] PoolDecision decide_pool(std::size_t pool, TimePoint now);
  /// Decides again with what could not be placed capped, a few times; what still fails gets nothing.
  void decide_with_caps(const AllocationProblem& problem, PoolDecision& result);
  /// The jobs that caps left with nothing contend once more, by themselves, for the GPUs that stayed free.
  void offer_leftovers(const AllocationProblem& problem, PoolDecision& result);
  [[nodiscard]] bool admit(const AllocationProblem& offer,
                           const AllocationDecision& taken,
                           PoolDecision& result);
  [[nodiscard]] const PoolSessions& sessions_of(std::size_t pool);
  [[nodiscard]] AllocationDecision allocate(std::size_t pool, const AllocationProblem& problem);
  [[nodiscard]] PlacementDecision place(std::size_t pool, const Allocation& gpus);
  [[nodiscard]] Policies policies_of(const PolicyChanged& event) const;
  void forget_decision();

  std::shared_ptr<const Allocator> allocator_{};
  std::shared_ptr<const Placer> placer_{};
  ClusterState state_{};
  PolicyTables tables_{};
  std::vector<PoolSessions> sessions_{};
  EventSink sink_{};
  Decision decision_{};
  bool has_decision_ = false;
  bool policies_changed_ = false;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/scheduler_inl.hpp"
#endif

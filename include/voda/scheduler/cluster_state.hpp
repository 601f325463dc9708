#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/event.hpp"
#include "voda/model/ids.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/scheduler/pool_state.hpp"

namespace voda {

/// Where a job lives: its pool and its slot in it.
struct JobLocation {
  std::size_t pool = 0;
  JobIndex job{};
  bool operator==(const JobLocation&) const = default;
};

/// Folds events into pools: the only place where state changes.
///
/// Each GPU type is a pool. A job without a type belongs to the only pool; a pool without a type takes the type of the first
/// node that joins. Events carry their instants, which never go back.
class ClusterState {
 public:
  explicit ClusterState(Observation observation = Observation::assumed)
      : observation_(observation) {}

  /// Takes one event in. Throws InvalidInput, and changes nothing, for an unknown or repeated id, an invalid job or node,
  /// or an instant before the last one.
  void apply(const Event& event);

  /// The instant of the last event.
  [[nodiscard]] TimePoint now() const noexcept { return now_; }

  [[nodiscard]] Observation observation() const noexcept { return observation_; }

  [[nodiscard]] std::span<const PoolState> pools() const noexcept { return pools_; }

  /// Where a job lives; nothing when it is unknown.
  [[nodiscard]] std::optional<JobLocation> find(const JobId& id) const;

  /// The pool of a GPU type; nothing when no node or job named it.
  [[nodiscard]] std::optional<std::size_t> find_pool(std::string_view gpu_type) const;

  /// The pool that a job without a GPU type belongs to; throws InvalidInput that lists the pools unless there is one.
  [[nodiscard]] std::size_t pool_for(const JobSpec& spec, const JobId& job) const;

  /// Makes a decision of one pool what is assigned; the fast form of applying its Decided event.
  void commit(std::size_t pool,
              TimePoint now,
              const AllocationDecision& decision,
              const Placement* placement);

  /// The policies that PolicyChanged events chose last.
  [[nodiscard]] const PolicyChanged& policy() const noexcept { return policy_; }

  [[nodiscard]] ClusterImage image() const;

  /// Builds the state of an image; throws InvalidInput when it contradicts itself.
  [[nodiscard]] static ClusterState from_image(const ClusterImage& image);

 private:
  void apply_body(const JobSubmitted& event);
  void apply_body(const JobFinished& event);
  void apply_body(const JobChanged& event);
  void apply_body(const JobMeasured& event);
  void apply_body(const WorkersSeen& event);
  void apply_body(const WorkerFailed& event);
  void apply_body(const NodeJoined& event);
  void apply_body(const NodeChanged& event);
  void apply_body(const NodeLeft& event);
  void apply_body(const CapacityChanged& event);
  void apply_body(const PolicyChanged& event);
  void apply_body(const Decided& event);

  [[nodiscard]] JobLocation locate(const JobId& id) const;
  [[nodiscard]] std::size_t pool_of_node(const NodeId& id) const;
  [[nodiscard]] std::size_t pool_or_new(const std::string& gpu_type);
  [[nodiscard]] std::size_t pool_or_new(const JobSpec& spec, const JobId& job);
  /// Jobs without a type that came before any GPU move to the first pool that has some.
  void adopt_untyped_jobs(std::size_t pool);

  Observation observation_ = Observation::assumed;
  TimePoint now_ = TimePoint::min();
  std::vector<PoolState> pools_{};
  std::unordered_map<std::string, JobLocation> location_of_job_{};
  std::unordered_map<std::string, std::size_t> pool_of_node_{};
  PolicyChanged policy_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/cluster_state_inl.hpp"
#endif

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/event.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/node_columns.hpp"
#include "voda/model/placement.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/placer.hpp"
#include "voda/scheduler/cluster_image.hpp"

namespace voda {

/// The jobs and nodes of one GPU type, kept up to date event by event.
///
/// Columns are changed in place and cloned only while a problem still shares them. Jobs are addressed by slot; names are
/// translated by ClusterState. Lost nodes that nobody is assigned to are forgotten when another node joins, once they are
/// more than half of all: positions of nodes hold until the next NodeJoined.
class PoolState {
 public:
  PoolState(std::string gpu_type, Observation observation)
      : gpu_type_(std::move(gpu_type)), observation_(observation) {}

  [[nodiscard]] const std::string& gpu_type() const noexcept { return gpu_type_; }

  [[nodiscard]] const JobColumns& jobs() const noexcept { return *columns_; }

  [[nodiscard]] const NodeColumns& nodes() const noexcept { return *nodes_; }

  [[nodiscard]] std::span<const JobIndex> arrival_order() const noexcept { return *arrival_order_; }

  /// What the last committed decision gave; places may be unknown (empty) for jobs that came with GPUs.
  [[nodiscard]] const Placement& assigned() const noexcept { return assigned_; }

  /// What runs, as far as it was reported; the same as assigned() in Observation::assumed.
  [[nodiscard]] const Placement& observed() const noexcept {
    return observation_ == Observation::assumed ? assigned_ : observed_;
  }

  /// GPUs of the schedulable nodes, or the counted ones of a pool without nodes.
  [[nodiscard]] GpuCount capacity() const noexcept { return capacity_; }

  /// GPUs that no job holds; below 0 after a loss, until the next decision.
  [[nodiscard]] std::int64_t free_gpus() const noexcept { return capacity_ - held_gpus_; }

  /// True when the pool takes part in finding the only pool for a job without a type.
  [[nodiscard]] bool has_gpus_of_its_own() const noexcept {
    return nodes_->size() > 0 || counted_gpus_.has_value();
  }

  [[nodiscard]] const JobSpec& spec(JobIndex job) const { return records_[job].spec; }

  /// A job as a person would ask for it, brought up to date.
  [[nodiscard]] Job job(JobIndex job, TimePoint now) const;

  [[nodiscard]] AllocationProblem allocation_problem(TimePoint now) const;
  [[nodiscard]] PlacementProblem placement_problem(Allocation allocation) const;

  void rename(std::string gpu_type) { gpu_type_ = std::move(gpu_type); }

  JobIndex submit(const JobSubmitted& event, TimePoint now);
  void finish(JobIndex job);
  void change(JobIndex job, const JobSpec& spec, TimePoint now);
  void measure(JobIndex job, const JobMeasured& event, TimePoint now);
  void see_workers(JobIndex job, std::span<const NodeId> node_of_worker, TimePoint now);
  void lose_worker(JobIndex job, const NodeId& node, TimePoint now);
  void join(const Node& node);
  void change(const Node& node);
  void leave(const NodeId& node);
  void set_capacity(GpuCount gpus);

  [[nodiscard]] bool has_node(const NodeId& node) const;

  /// Positions by name; a name that never joined is taken in as a lost node.
  [[nodiscard]] std::vector<NodeIndex> node_positions(std::span<const NodeId> ids);

  /// Makes a decision what is assigned; `placement` is null when only counts are decided.
  void commit(TimePoint now, const AllocationDecision& decision, const Placement* placement);

  [[nodiscard]] std::optional<TimePoint> review_at() const noexcept { return review_at_; }

  /// True when something happened since the last decision that may change the answer.
  [[nodiscard]] bool is_due() const noexcept { return is_due_; }

  [[nodiscard]] PoolImage image() const;
  [[nodiscard]] JobImage image(JobIndex job) const;

  /// Takes everything from an image; throws InvalidInput when it contradicts itself.
  void restore(const PoolImage& image);

  /// Takes a job in as it was elsewhere; returns its slot.
  JobIndex restore(const JobImage& image);

  /// The number of different nodes.
  [[nodiscard]] static std::int32_t span_of(std::span<const NodeIndex> workers);

 private:
  struct Record {
    JobSpec spec{};
    Counters lifetime_before{};
    std::optional<TimePoint> first_started{};
    std::int32_t span = 0;
  };

  [[nodiscard]] JobColumns& edit_jobs();
  [[nodiscard]] NodeColumns& edit_nodes();
  [[nodiscard]] std::vector<JobIndex>& edit_order();
  [[nodiscard]] JobIndex take_slot();
  [[nodiscard]] NodeIndex node_or_lost(const NodeId& id);

  [[nodiscard]] std::vector<NodeId> names_of(std::span<const NodeIndex> nodes) const;
  void forget_lost_nodes();
  void resolve_eligible(JobIndex job);
  void resolve_all_eligible();
  void change_capacity(std::int64_t by);
  void settle(JobIndex job, TimePoint now);
  void run(JobIndex job, GpuCount gpus, std::int32_t span, TimePoint now);
  void assign(JobIndex job, GpuCount gpus, TimePoint now);
  void start_anew(JobIndex job, TimePoint now);

  std::string gpu_type_{};
  Observation observation_ = Observation::assumed;
  std::shared_ptr<JobColumns> columns_ = std::make_shared<JobColumns>();
  std::shared_ptr<NodeColumns> nodes_ = std::make_shared<NodeColumns>();
  std::shared_ptr<std::vector<JobIndex>> arrival_order_ = std::make_shared<std::vector<JobIndex>>();
  IndexedVector<JobIndex, Record> records_{};
  std::vector<JobIndex> free_slots_{};
  std::unordered_map<std::string, NodeIndex> node_of_id_{};
  std::size_t lost_nodes_ = 0;
  Placement assigned_{};
  Placement observed_{};
  std::optional<GpuCount> counted_gpus_{};
  GpuCount capacity_ = 0;
  std::int64_t held_gpus_ = 0;
  std::optional<TimePoint> review_at_{};
  bool is_due_ = false;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/pool_image_inl.hpp"
#include "voda/scheduler/impl/pool_nodes_inl.hpp"
#include "voda/scheduler/impl/pool_state_inl.hpp"
#endif

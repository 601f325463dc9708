#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "voda/model/event.hpp"
#include "voda/model/job.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/node.hpp"
#include "voda/model/units.hpp"
#include "voda/scheduler/pacer.hpp"

namespace voda {

/// From what a job's counters and work accrue.
enum class Observation : std::uint8_t {
  assumed,  // a committed decision runs at once: simulators, notebooks
  reported  // what WorkersSeen reports runs: live clusters
};

/// A job with everything that a scheduler knows about it; names instead of positions.
struct JobImage {
  Job job{};                   // `work` as stored, not brought up to date
  Counters lifetime_before{};  // received before the latest promotion
  JobClock clock{};
  GpuCount held = 0;
  std::vector<NodeId> node_of_worker{};  // assigned; empty: place unknown or none
  std::vector<NodeId> observed_node_of_worker{};
  std::int32_t span = 0;  // nodes used by what runs
};

struct NodeImage {
  Node node{};
  bool is_lost = false;
};

struct PoolImage {
  std::string gpu_type{};
  std::vector<NodeImage> nodes{};          // in the order in which they joined
  std::optional<GpuCount> counted_gpus{};  // capacity of a pool without nodes
  std::vector<JobImage> jobs{};            // in arrival order
  std::optional<TimePoint> review_at{};
  bool is_due = false;
  PacerState pacer{};  // of the host's DecisionPacer, which fills it in; ClusterState has none
};

/// A whole scheduler state as plain values: what a checkpoint stores. Equal futures follow from equal images.
/// A host that paces its decisions adds the states of its pacers, one for each pool.
struct ClusterImage {
  TimePoint now{};
  Observation observation = Observation::assumed;
  PolicyChanged policy{};  // names, when the policies were chosen by name
  std::vector<PoolImage> pools{};
};

}  // namespace voda

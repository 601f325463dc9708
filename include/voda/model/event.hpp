#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/job.hpp"
#include "voda/model/node.hpp"
#include "voda/model/speedup_curve.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// A job enters; it may already hold GPUs (`held`, with or without known nodes), as after a restart of the adapter.
struct JobSubmitted {
  Job job{};
  GpuCount held = 0;
  std::vector<NodeId> node_of_worker{};
};

/// A job completed, failed or was cancelled: its GPUs are free either way.
struct JobFinished {
  JobId job{};
};

/// The user asks for something else: priority, sizes. The GPU type stays.
struct JobChanged {
  JobId job{};
  JobSpec spec{};
};

/// A better estimate of what a job has left or how fast it is; absent parts stay as they are.
struct JobMeasured {
  JobId job{};
  std::optional<double> remaining_s{};       // at the event's instant, seconds on one GPU
  std::optional<TimePoint> stalled_until{};  // no progress before this instant
  std::optional<SpeedupCurve> speedup{};
};

/// What really runs: the node of each worker. Counters and work accrue from it in Observation::reported.
struct WorkersSeen {
  JobId job{};
  std::vector<NodeId> node_of_worker{};
};

/// One worker of a job is gone; what is assigned shrinks by it.
struct WorkerFailed {
  JobId job{};
  NodeId node{};
};

struct NodeJoined {
  Node node{};
};

/// GPUs, cordon or domains of a known node; the GPU type stays.
struct NodeChanged {
  Node node{};
};

struct NodeLeft {
  NodeId node{};
};

/// The GPUs of a pool without nodes (counting only).
struct CapacityChanged {
  std::string gpu_type{};
  GpuCount gpus = 0;
};

/// Other policies decide from here on, chosen as docs/grammar.md says; what is empty stays.
struct PolicyChanged {
  std::string allocator{};
  std::string placer{};
};

/// What one job holds after a decision.
struct Holding {
  JobId job{};
  GpuCount gpus = 0;
  std::vector<NodeId> node_of_worker{};  // empty without placement
  bool operator==(const Holding&) const = default;
};

/// A committed decision of one pool, complete enough to repeat it: only jobs that changed.
struct Decided {
  std::string gpu_type{};
  std::vector<Holding> changed{};
  std::vector<JobId> resets{};
  std::optional<TimePoint> review_at{};
  bool operator==(const Decided&) const = default;
};

using EventBody = std::variant<JobSubmitted,
                               JobFinished,
                               JobChanged,
                               JobMeasured,
                               WorkersSeen,
                               WorkerFailed,
                               NodeJoined,
                               NodeChanged,
                               NodeLeft,
                               CapacityChanged,
                               PolicyChanged,
                               Decided>;

/// Something that happened, with its instant. The list of all events reproduces every plan.
struct Event {
  TimePoint at{};
  EventBody body{};
};

}  // namespace voda

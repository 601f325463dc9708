#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/node.hpp"
#include "voda/model/plan.hpp"
#include "voda/model/units.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/placer.hpp"
#include "voda/scheduler/cluster_image.hpp"
#include "voda/scheduler/pacer.hpp"
#include "voda/scheduler/scheduler.hpp"
#include "voda/simulator/node_event.hpp"
#include "voda/simulator/report.hpp"
#include "voda/simulator/resize_cost.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// Random node failures: each node fails after an exponential time, counted from the first submission or its last repair, and is
/// back after `repair` unless a listed event holds it down. Failures alone keep no run alive.
struct RandomFailures {
  Duration mean_time_between{};  // of one node, > 0
  Duration repair{};             // > 0
};

/// Everything about a run but the trace.
struct SimulationOptions {
  std::shared_ptr<const Allocator> allocator{};  // required
  std::shared_ptr<const Placer> placer{};        // null: count GPUs only
  std::vector<Node> nodes{};
  /// Begins the run in this state instead of an empty cluster, with its nodes (`nodes` must be empty) and the jobs that are
  /// there, each with known work; the trace holds what is submitted from then on. Lost nodes are gone for good.
  /// What a state with Observation::reported has decided counts as running.
  std::optional<ClusterImage> start{};
  ResizeCost resize_cost{};
  PacerOptions pacing{};
  std::vector<NodeEvent> node_events{};  // in any order
  std::optional<RandomFailures> failures{};
  Duration
      checkpoint_interval{};  // 0: a failure loses no work; without a placer see docs/trace-formats.md
  std::optional<Duration> max_time{};  // > 0: the run ends so long after the first submission
  std::int64_t patience =
      100'000;  // > 0: the run ends after so many instants, or a few times that, without progress
  /// How wrong policies are about the work of jobs: each is told as its work times e^(error * z), z drawn from the normal
  /// distribution by the seed. 0: the truth; 1: two of three jobs within a factor of 2.7. From 0 to `largest_estimate_error`.
  double estimate_error = 0;
  /// What is truly left of jobs of `start` by id, in seconds on one GPU, where policies are told something else; instead of what
  /// `estimate_error` makes of these jobs.
  std::map<std::string, double> true_left_s{};
  std::uint64_t seed = 0;
  EventSink record_to{};  // sees all events and decisions of the run, from an empty state on
};

inline constexpr double largest_estimate_error = 10;

/// Where a run stands.
struct SimulationProgress {
  TimePoint now{};
  std::int64_t jobs = 0;
  std::int64_t ended = 0;
};

/// Why a run ended.
enum class SimulationEnd : std::uint8_t {
  no_event_left,
  time_limit,  // SimulationOptions::max_time
  no_progress,  // SimulationOptions::patience: no job arrived, ended or got nearer to its end for good
  stopped       // by the observer
};

/// Sees a run as it happens; every function does nothing by default.
class SimulationObserver {
 public:
  virtual ~SimulationObserver() = default;

  /// A job finished; at the end of the run also called for each unfinished one, in arrival order.
  virtual void job_ended(const JobOutcome& outcome);

  /// A job's GPUs or their places changed; `workers` holds the GPUs by node, empty without placement.
  virtual void allocation_changed(TimePoint at,
                                  const JobId& job,
                                  GpuCount gpus,
                                  const WorkerMap& workers);

  /// Called before each decision is committed.
  virtual void decided(const Scheduler& scheduler, const Decision& decision);

  /// Called between instants with a way to a whole image, pacers included. The run goes on from what is returned, as a host
  /// does after a restart (checkpoint tests).
  [[nodiscard]] virtual std::optional<ClusterImage> restarted(
      const std::function<ClusterImage()>& image);

  /// Called between instants; may replace the scheduler's state by an equal one. False stops the run.
  [[nodiscard]] virtual bool advanced(const SimulationProgress& progress, Scheduler& scheduler);

 protected:
  SimulationObserver() = default;
  SimulationObserver(const SimulationObserver&) = default;
  SimulationObserver& operator=(const SimulationObserver&) = default;
};

/// What a run gives: outcomes in the order in which jobs ended, unfinished ones last in arrival order.
struct SimulationResult {
  std::vector<JobOutcome> outcomes{};
  SimulationSummary summary{};
  SimulationEnd end = SimulationEnd::no_event_left;
};

/// A stopwatch for time per decision: returns a reading that grows with time. The library itself reads no clock.
using Stopwatch = std::function<Duration()>;

/// Drives a Scheduler through a trace on virtual time, exactly as simulation.md says. Equal input gives equal output on
/// every machine.
///
/// Ends when no event is left, when a limit of the options is reached or when the observer says so. What is not finished then is
/// unfinished; jobs that have not arrived by then too, unless the observer stopped the run.
/// Events at one instant are all applied, then each pool that has a reason is decided once. Job progress is the
/// simulator's; the scheduler sees it as events. Throws InvalidInput for a bad trace or bad options (unknown node in
/// node_events, negative durations), InvalidDecision when a policy breaks its contract.
[[nodiscard]] SimulationResult simulate(const Trace& trace,
                                        const SimulationOptions& options,
                                        SimulationObserver* observer = nullptr,
                                        const Stopwatch& stopwatch = {});

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/simulator_inl.hpp"
#endif

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/allowed_sizes.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/speedup_curve.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// What the user asked for; fixed at submission, replaced by JobChanged.
struct JobSpec {
  GpuCount min_gpus = 1;
  GpuCount requested_gpus = 1;
  GpuCount max_gpus = 1;
  SizeRule sizes{};
  GpuCount gpus_per_worker = 1;
  int priority = 0;        // 0 is served first; the eight policies ignore it
  std::string gpu_type{};  // empty: the only pool
  std::string queue{};
  std::string user{};
  std::string virtual_cluster{};
  bool preemptible = true;
  std::optional<TimePoint> deadline{};
  std::optional<std::vector<NodeId>> eligible{};  // nodes that may hold it; absent: all of its type
  bool operator==(const JobSpec&) const = default;
};

/// What a job has received; exact integers.
struct Counters {
  GpuTime service{};    // GPUs held, integrated over time (attained service)
  Duration executed{};  // time with GPUs
  Duration waited{};    // time without GPUs
  bool operator==(const Counters&) const = default;
};

/// Adds what passes in `elapsed` on `gpus` GPUs; saturates instead of overflowing.
void accrue(Counters& counters, GpuCount gpus, Duration elapsed);

/// When a job's size changed lately, for policies that weigh what a change costs.
class SizeChanges {
 public:
  static constexpr std::size_t most_resizes = 16;  // that are remembered

  SizeChanges() = default;

  /// `resizes` ascend; of more than `most_resizes` the latest count.
  SizeChanges(std::optional<TimePoint> last, std::span<const TimePoint> resizes);

  /// A change between two sizes, or a start; a stop is remembered as the latest change only.
  void add(GpuCount before, GpuCount after, TimePoint now);

  /// The latest change of size; nothing before the first.
  [[nodiscard]] const std::optional<TimePoint>& last() const { return last_; }

  /// The latest changes between two sizes above 0, oldest first.
  [[nodiscard]] std::span<const TimePoint> resizes() const {
    return std::span(resizes_).first(count_);
  }

  bool operator==(const SizeChanges& other) const;

 private:
  std::optional<TimePoint> last_{};
  std::array<TimePoint, most_resizes> resizes_{};
  std::uint8_t count_ = 0;
};

/// Integrated by ClusterState from what ran, never by an adapter.
struct JobProgress {
  Counters lifetime{};
  Counters since_promotion{};  // what Tiresias looks at; a decision's resets zero it
  std::optional<TimePoint> first_started{};
  std::optional<TimePoint> last_started{};  // latest change from 0 to more GPUs
  std::optional<TimePoint> last_changed{};  // latest change of size
  std::vector<TimePoint>
      resized{};  // latest changes between two sizes above 0, ascending; SizeChanges::most_resizes count
  bool operator==(const JobProgress&) const = default;
};

/// Work left, in seconds on one GPU, as a function of time, so that no event per job per decision is needed.
struct RemainingWork {
  double left_s = 0;  // at `since`
  TimePoint since{};
  double rate = 0;                             // speed since then; work seconds per second
  TimePoint stalled_until = TimePoint::min();  // no progress before this instant
  bool operator==(const RemainingWork&) const = default;

  /// max(0, left - rate * dt), dt counted from the later of `since` and `stalled_until`; left before that.
  [[nodiscard]] double at(TimePoint now) const;

  /// The same work brought up to date at `now`, not clamped at 0 (simulation.md, "Exactness"), going on at `new_rate`.
  [[nodiscard]] RemainingWork continued(TimePoint now, double new_rate) const;

  /// The instant at which the work is done if the rate stays: at least one microsecond after progress (re)starts;
  /// `never` when the rate is 0 or the instant is not representable.
  [[nodiscard]] TimePoint done_at() const;
};

/// An elastic training job: asked, observed, estimated.
struct Job {
  JobId id{};
  TimePoint submitted{};
  JobSpec spec{};
  JobProgress progress{};
  std::optional<RemainingWork> work{};
  SpeedupCurve speedup{};
};

/// The sizes of a job; throws InvalidInput as allowed_sizes() does.
[[nodiscard]] AllowedSizes allowed_sizes(const JobSpec& spec);

/// Checks a job as policies.md section 0 demands; throws InvalidInput that names the job and the field. Speeds that round
/// to 0 at every size are allowed: such a job never ends, and policies that look at speeds leave it waiting.
void check(const Job& job);

/// Checks a spec on its own; `job` is named in the message.
void check(const JobSpec& spec, const JobId& job);

/// Checks an amount of work: finite and from 0 to `max_seconds`; `job` is named in the message.
void check_work(double work_s, const JobId& job);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/job_inl.hpp"
#endif

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/job.hpp"
#include "voda/model/speedup_curve.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// Speedup curves by profile name; jobs of one profile hold copies that share its table.
using Profiles = std::map<std::string, SpeedupCurve, std::less<>>;

/// The jobs of a simulation: every job has work, ids are unique, the order is arrival order
/// (submitted, id as text).
struct Trace {
  std::vector<Job> jobs{};
  std::map<JobId, std::string> profiles{};  // name of the profile of each job that has one
};

/// The trace in arrival order.
[[nodiscard]] Trace sorted_by_arrival(Trace trace);

/// Throws InvalidInput that names the job: invalid, without work, named like another one, or out of
/// arrival order.
void check(const Trace& trace);

/// When all ids are whole numbers, pads them with zeros to the width of the longest, so that text
/// order is numeric order.
///
/// Throws InvalidInput when two ids become equal ("1" and "01"). The order of the jobs is left
/// alone.
[[nodiscard]] Trace with_padded_ids(Trace trace);

/// One end of a size range: a number of GPUs, or a multiple of what a job requested.
struct SizeBound {
  enum class Kind : std::uint8_t { gpus, factor };

  Kind kind = Kind::factor;
  double value = 1;  // gpus: a whole number >= 1; factor: > 0
  bool operator==(const SizeBound&) const = default;
};

/// The sizes that a rigid job gets when it is made elastic; written MIN:MAX, as in 0.5x:4x or 1:16
/// (docs/grammar.md).
struct Elasticity {
  SizeBound min{};
  SizeBound max{};
  bool operator==(const Elasticity&) const = default;
};

/// Throws InvalidInput unless every job may grow and shrink from its request: a factor of at most 1
/// (or a count) below, one of at least 1 (or a count) above, and no count below that exceeds the
/// count above.
void check(const Elasticity& elasticity);

/// Gives each job the range from `min` to `max`. A factor of the request is rounded down to whole
/// GPUs; the range always contains at least the request and never less than 1 GPU. Requests and
/// work stay as they are.
///
/// Throws InvalidInput for an elasticity that check() refuses.
[[nodiscard]] Trace with_elastic_jobs(Trace trace, const Elasticity& elasticity);

/// A Monday, 0:00, on the clock of a trace: that of Unix time (1970-01-05) when the first job is
/// submitted at 10^9 s (2001-09-09) or later, 0 otherwise.
[[nodiscard]] TimePoint monday_of(const Trace& trace);

/// How much a trace asks for.
struct TraceLoad {
  std::size_t jobs = 0;
  Duration span{};             // from the first submission to the last
  double work_s = 0;           // seconds on one GPU
  double requested_gpu_s = 0;  // sum of requested GPUs * run time at that size
  GpuCount largest_request = 0;
  GpuCount largest_minimum = 0;

  /// requested_gpu_s / (gpus * span); 0 when either is 0.
  [[nodiscard]] double offered_load(GpuCount gpus) const;
};

/// Adds up a trace in its order.
[[nodiscard]] TraceLoad load_of(const Trace& trace);

/// The trace with all gaps between submissions stretched or shrunk alike, so that its offered load
/// on `gpus` GPUs is `load`; deadlines stay as far from submissions as they were.
///
/// The first submission stays, the others are rounded to microseconds. Throws InvalidInput for a
/// `load` or `gpus` that is not above 0, for a trace without a span or without work, and when the
/// trace becomes longer than 10^12 s.
[[nodiscard]] Trace with_offered_load(Trace trace, GpuCount gpus, double load);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/trace_inl.hpp"
#endif

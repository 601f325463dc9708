#pragma once

#include "voda/simulator/trace.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"

namespace voda {
namespace trace_detail {

[[nodiscard]] inline bool is_whole_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

[[nodiscard]] inline bool arrives_before(const Job& a, const Job& b) {
  return std::tie(a.submitted, a.id) < std::tie(b.submitted, b.id);
}

/// GPUs at a bound for a job that requested `requested`, rounded down, at least 1.
[[nodiscard]] inline GpuCount gpus_at(SizeBound bound, GpuCount requested) {
  const double gpus = bound.kind == SizeBound::Kind::gpus
                          ? bound.value
                          : std::floor(bound.value * static_cast<double>(requested));
  constexpr double largest = std::numeric_limits<GpuCount>::max();
  return static_cast<GpuCount>(std::clamp(gpus, 1.0, largest));
}

inline void check_bound(SizeBound bound, std::string_view name) {
  constexpr double largest = std::numeric_limits<GpuCount>::max();
  const bool is_whole = std::floor(bound.value) >= bound.value;
  if (bound.kind == SizeBound::Kind::gpus &&
      !(bound.value >= 1 && bound.value <= largest && is_whole)) {
    throw InvalidInput(
        fmt::format("elastic {}: {}; expected a whole number of GPUs >= 1", name, bound.value));
  }
  if (!(bound.value > 0 && bound.value <= largest)) {
    throw InvalidInput(fmt::format("elastic {}: {}x; expected a factor > 0", name, bound.value));
  }
}

}  // namespace trace_detail

VODA_INLINE Trace sorted_by_arrival(Trace trace) {
  std::ranges::sort(trace.jobs, trace_detail::arrives_before);
  return trace;
}

VODA_INLINE void check(const Trace& trace) {
  std::set<std::string_view> ids;
  const Job* previous = nullptr;
  for (const Job& job : trace.jobs) {
    check(job);
    if (!job.work)
      throw InvalidInput(fmt::format("job '{}': it has no work_s", job.id.value));
    if (!ids.insert(job.id.value).second) {
      throw InvalidInput(
          fmt::format("job '{}': its id is taken; expected unique ids", job.id.value));
    }
    if (previous != nullptr && trace_detail::arrives_before(job, *previous)) {
      throw InvalidInput(fmt::format("job '{}' stands after job '{}'; expected arrival order",
                                     job.id.value,
                                     previous->id.value));
    }
    previous = &job;
  }
}

VODA_INLINE Trace with_padded_ids(Trace trace) {
  const auto is_number = [](const Job& job) { return trace_detail::is_whole_number(job.id.value); };
  if (!std::ranges::all_of(trace.jobs, is_number))
    return trace;
  std::size_t width = 0;
  for (const Job& job : trace.jobs)
    width = std::max(width, job.id.value.size());
  std::map<JobId, std::string> original;
  std::map<JobId, std::string> profiles;
  for (Job& job : trace.jobs) {
    const std::string before = job.id.value;
    job.id.value.insert(0, width - before.size(), '0');
    const auto [entry, is_new] = original.emplace(job.id, before);
    if (!is_new) {
      throw InvalidInput(fmt::format(
          "jobs '{}' and '{}' are the same number; expected unique ids", entry->second, before));
    }
    const auto profile = trace.profiles.find(JobId{before});
    if (profile != trace.profiles.end())
      profiles.emplace(job.id, profile->second);
  }
  trace.profiles = std::move(profiles);
  return trace;
}

VODA_INLINE void check(const Elasticity& elasticity) {
  using Kind = SizeBound::Kind;
  trace_detail::check_bound(elasticity.min, "minimum");
  trace_detail::check_bound(elasticity.max, "maximum");
  if (elasticity.min.kind == Kind::factor && elasticity.min.value > 1) {
    throw InvalidInput(
        fmt::format("elastic minimum: {}x; expected a factor of at most 1", elasticity.min.value));
  }
  if (elasticity.max.kind == Kind::factor && elasticity.max.value < 1) {
    throw InvalidInput(
        fmt::format("elastic maximum: {}x; expected a factor of at least 1", elasticity.max.value));
  }
  const bool are_counts = elasticity.min.kind == Kind::gpus && elasticity.max.kind == Kind::gpus;
  if (are_counts && elasticity.min.value > elasticity.max.value) {
    throw InvalidInput(fmt::format("elastic minimum: {} GPUs; expected at most the maximum, {}",
                                   elasticity.min.value,
                                   elasticity.max.value));
  }
}

VODA_INLINE Trace with_elastic_jobs(Trace trace, const Elasticity& elasticity) {
  check(elasticity);
  for (Job& job : trace.jobs) {
    const GpuCount requested = job.spec.requested_gpus;
    job.spec.min_gpus = std::min(requested, trace_detail::gpus_at(elasticity.min, requested));
    job.spec.max_gpus = std::max(requested, trace_detail::gpus_at(elasticity.max, requested));
    check(job.spec, job.id);
  }
  return trace;
}

VODA_INLINE TimePoint monday_of(const Trace& trace) {
  constexpr Duration first_unix_time = std::chrono::seconds(1000000000);
  constexpr Duration unix_monday = std::chrono::hours(4 * 24);  // 1970-01-01 was a Thursday
  const bool is_unix_time =
      !trace.jobs.empty() && trace.jobs.front().submitted >= TimePoint(first_unix_time);
  return is_unix_time ? TimePoint(unix_monday) : TimePoint();
}

VODA_INLINE double TraceLoad::offered_load(GpuCount gpus) const {
  const double available = static_cast<double>(gpus) * to_seconds(span);
  return available > 0 ? requested_gpu_s / available : 0;
}

VODA_INLINE TraceLoad load_of(const Trace& trace) {
  TraceLoad result{.jobs = trace.jobs.size()};
  for (const Job& job : trace.jobs) {
    const GpuCount requested = job.spec.requested_gpus;
    const double work_s = job.work ? job.work->left_s : 0;
    result.work_s += work_s;
    const double run_s = work_s / job.speedup(requested);
    result.requested_gpu_s += unfused(static_cast<double>(requested) * run_s);
    result.largest_request = std::max(result.largest_request, requested);
    result.largest_minimum = std::max(result.largest_minimum, job.spec.min_gpus);
  }
  if (trace.jobs.empty())
    return result;
  const auto [first, last] = std::ranges::minmax(trace.jobs, {}, &Job::submitted);
  result.span = last.submitted - first.submitted;
  return result;
}

VODA_INLINE Trace with_offered_load(Trace trace, GpuCount gpus, double load) {
  if (gpus < 1 || !(load > 0)) {
    throw InvalidInput(fmt::format("load: {} on {} GPUs; expected numbers above 0", load, gpus));
  }
  const TraceLoad before = load_of(trace);
  const double stretch = before.offered_load(gpus) / load;
  if (!(stretch > 0)) {
    throw InvalidInput(
        "load: the trace offers none that could be scaled; expected jobs with work that are not "
        "submitted all at once");
  }
  if (!(to_seconds(before.span) * stretch <= max_seconds)) {
    throw InvalidInput(fmt::format(
        "load: {}; expected one that spreads the jobs over at most {} s", load, max_seconds));
  }
  TimePoint first = trace.jobs.front().submitted;
  for (const Job& job : trace.jobs)
    first = std::min(first, job.submitted);
  for (Job& job : trace.jobs) {
    const auto since_first = static_cast<double>((job.submitted - first).count());
    const double scaled = std::floor(unfused(since_first * stretch) + 0.5);
    const TimePoint submitted = first + Duration(static_cast<std::int64_t>(scaled));
    if (job.spec.deadline)
      *job.spec.deadline += submitted - job.submitted;
    job.submitted = submitted;
    job.work->since = submitted;
  }
  return sorted_by_arrival(std::move(trace));
}

}  // namespace voda

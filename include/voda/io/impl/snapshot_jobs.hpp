#pragma once

#include <limits>
#include <ranges>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "voda/io/impl/curve_json.hpp"
#include "voda/io/impl/json_reader.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/model/error.hpp"
#include "voda/model/nearest_names.hpp"

namespace voda::snapshot_detail {

using json_detail::Cursor;

inline constexpr WholeRange gpu_range{.min = 0, .max = std::numeric_limits<GpuCount>::max()};
inline constexpr WholeRange positive_gpu_range{.min = 1, .max = gpu_range.max};
inline constexpr RealRange time_range{.min = -max_seconds, .max = max_seconds};
inline constexpr RealRange length_range{.min = 0, .max = max_seconds};

[[nodiscard]] inline TimePoint time(const Cursor& value) {
  return time_from_seconds(value.number(time_range), value.path());
}

[[nodiscard]] inline Duration length(const Cursor& value) {
  return duration_from_seconds(value.number(length_range), value.path());
}

[[nodiscard]] inline GpuCount gpus(const Cursor& value, WholeRange range) {
  return static_cast<GpuCount>(value.whole_number(range));
}

[[nodiscard]] inline SizeRule read_sizes(const Cursor& value) {
  if (value.value().is_string()) {
    if (value.text() != "powers_of_two")
      value.refuse(R"("powers_of_two" or {"step": n})");
    return {.kind = SizeRule::Kind::powers_of_two};
  }
  value.check_fields({"step"});
  return {.kind = SizeRule::Kind::step, .step = gpus(value.require("step"), positive_gpu_range)};
}

/// Minimum defaults to 1, request to the minimum, maximum to the request.
inline void read_counts(const Cursor& job, JobSpec& spec) {
  if (const auto min = job.find("min_gpus"))
    spec.min_gpus = gpus(*min, positive_gpu_range);
  spec.requested_gpus = spec.min_gpus;
  if (const auto requested = job.find("requested_gpus")) {
    spec.requested_gpus = gpus(*requested, positive_gpu_range);
    if (spec.requested_gpus < spec.min_gpus) {
      requested->refuse(fmt::format("at least min_gpus, {}", spec.min_gpus));
    }
  }
  spec.max_gpus = spec.requested_gpus;
  if (const auto max = job.find("max_gpus")) {
    spec.max_gpus = gpus(*max, positive_gpu_range);
    if (spec.max_gpus < spec.requested_gpus) {
      max->refuse(fmt::format("at least requested_gpus, {}", spec.requested_gpus));
    }
  }
}

[[nodiscard]] inline std::vector<NodeId> read_eligible(const Cursor& value) {
  std::vector<NodeId> result;
  std::set<std::string> names;
  value.for_each_element([&](const Cursor& element) {
    std::string name = element.name();
    if (!names.insert(name).second)
      element.refuse("each node once");
    result.push_back(NodeId{std::move(name)});
  });
  return result;
}

[[nodiscard]] inline JobSpec read_spec(const Cursor& job) {
  JobSpec spec;
  read_counts(job, spec);
  if (const auto value = job.find("sizes"))
    spec.sizes = read_sizes(*value);
  if (const auto value = job.find("gpus_per_worker")) {
    spec.gpus_per_worker = gpus(*value, positive_gpu_range);
  }
  if (const auto value = job.find("priority")) {
    spec.priority = static_cast<int>(value->whole_number({.min = 0, .max = INT32_MAX}));
  }
  if (const auto value = job.find("gpu_type"))
    spec.gpu_type = value->text();
  if (const auto value = job.find("queue"))
    spec.queue = value->text();
  if (const auto value = job.find("user"))
    spec.user = value->text();
  if (const auto value = job.find("virtual_cluster"))
    spec.virtual_cluster = value->text();
  if (const auto value = job.find("preemptible"))
    spec.preemptible = value->flag();
  if (const auto value = job.find("eligible"))
    spec.eligible = read_eligible(*value);
  return spec;
}

[[nodiscard]] inline std::optional<TimePoint> time_or_null(const Cursor& progress,
                                                           const char* key) {
  const auto value = progress.find(key);
  if (!value || value->value().is_null())
    return std::nullopt;
  return time(*value);
}

/// Instants that ascend.
[[nodiscard]] inline std::vector<TimePoint> read_times(const Cursor& list) {
  std::vector<TimePoint> result;
  list.for_each_element([&result](const Cursor& value) {
    const TimePoint at = time(value);
    if (!result.empty() && at < result.back())
      value.refuse("an instant not before the one in front of it");
    result.push_back(at);
  });
  return result;
}

/// GPU-seconds as whole GPU-microseconds.
[[nodiscard]] inline JobProgress read_progress(const Cursor& progress) {
  progress.check_fields({"service",
                         "executed",
                         "waited",
                         "last_started",
                         "first_started",
                         "last_changed",
                         "resized"});
  JobProgress result;
  Counters& counters = result.lifetime;
  if (const auto value = progress.find("service")) {
    counters.service = GpuTime{length(*value).count()};
  }
  if (const auto value = progress.find("executed"))
    counters.executed = length(*value);
  if (const auto value = progress.find("waited"))
    counters.waited = length(*value);
  result.since_promotion = counters;
  result.last_started = time_or_null(progress, "last_started");
  result.first_started = time_or_null(progress, "first_started");
  result.last_changed = time_or_null(progress, "last_changed");
  if (const auto value = progress.find("resized"))
    result.resized = read_times(*value);
  return result;
}

[[nodiscard]] inline WorkerMap read_worker_map(const Cursor& value) {
  WorkerMap result;
  value.for_each_named("node", [&result](const std::string& node, const Cursor& count) {
    result.emplace(NodeId{node}, gpus(count, gpu_range));
  });
  return result;
}

[[nodiscard]] inline CurrentHolding read_current(const Cursor& value) {
  if (value.value().is_number())
    return gpus(value, gpu_range);
  if (value.value().is_object())
    return read_worker_map(value);
  if (!value.value().is_array()) {
    value.refuse("a number of GPUs, GPUs by node, or the node of each worker");
  }
  std::vector<NodeId> nodes;
  value.for_each_element([&nodes](const Cursor& node) { nodes.push_back(NodeId{node.name()}); });
  return nodes;
}

inline void read_speedup(const Cursor& value, const Profiles& profiles, SnapshotJob& job) {
  if (!value.value().is_string()) {
    job.job.speedup = json_detail::read_curve(value);
    return;
  }
  job.profile = value.name();
  const auto found = profiles.find(job.profile);
  if (found == profiles.end()) {
    std::string known;
    for (const auto& [name, curve] : profiles)
      known += (known.empty() ? "" : ", ") + name;
    value.refuse(known.empty()
                     ? std::string("speedups, as there are no profiles")
                     : fmt::format("one of the profiles: {}{}",
                                   shown(known),
                                   did_you_mean(job.profile, std::views::keys(profiles))));
  }
  job.job.speedup = found->second;
}

/// Throws InvalidInput unless the GPUs are whole workers; `where` says on which node, if it is known.
inline void check_whole_workers(const JobSpec& spec,
                                const JobId& job,
                                GpuCount gpus,
                                std::string_view where) {
  if (gpus % spec.gpus_per_worker == 0)
    return;
  throw InvalidInput(
      fmt::format("job '{}': current: {}{}; expected a multiple of gpus_per_worker {}",
                  job.value,
                  counted(gpus, "GPU"),
                  where,
                  spec.gpus_per_worker));
}

/// The number of GPUs held, perhaps more than a GpuCount holds; throws InvalidInput for broken
/// workers.
[[nodiscard]] inline std::int64_t checked_gpus(const SnapshotJob& job) {
  const JobSpec& spec = job.job.spec;
  const std::int64_t per_worker = spec.gpus_per_worker;
  if (const auto* nodes = std::get_if<std::vector<NodeId>>(&job.current))
    return saturating_multiply(static_cast<std::int64_t>(nodes->size()), per_worker);
  if (const auto* count = std::get_if<GpuCount>(&job.current)) {
    check_whole_workers(spec, job.job.id, *count, "");
    return *count;
  }
  std::int64_t sum = 0;
  for (const auto& [node, gpus] : std::get<WorkerMap>(job.current)) {
    check_whole_workers(spec, job.job.id, gpus, fmt::format(" on node '{}'", shown(node.value)));
    sum += gpus;
  }
  return sum;
}

/// Refuses a holding that is not made of whole workers, and workers by node beyond most_workers;
/// `workers` counts those of all jobs.
inline void count_workers(const Cursor& element, const SnapshotJob& job, std::int64_t& workers) {
  try {
    const GpuCount gpus = gpus_held(job);
    if (std::holds_alternative<GpuCount>(job.current))
      return;
    const std::int64_t own = gpus / job.job.spec.gpus_per_worker;
    workers += own;
    if (workers > most_workers) {
      throw InvalidInput(fmt::format(
          "job '{}': current: {} workers by node, {} with those of the jobs before it; expected "
          "at most {}",
          job.job.id.value,
          own,
          workers,
          most_workers));
    }
  } catch (const InvalidInput& error) {
    element.fail(error.what());
  }
}

[[nodiscard]] inline SnapshotJob read_job(const Cursor& value,
                                          TimePoint now,
                                          const Profiles& profiles) {
  value.check_fields({"id",
                      "submitted",
                      "min_gpus",
                      "requested_gpus",
                      "max_gpus",
                      "sizes",
                      "gpus_per_worker",
                      "work_s",
                      "speedup",
                      "progress",
                      "current",
                      "eligible",
                      "gpu_type",
                      "priority",
                      "queue",
                      "user",
                      "virtual_cluster",
                      "preemptible"});
  SnapshotJob result;
  Job& job = result.job;
  job.id = JobId{value.require("id").name()};
  if (const auto submitted = value.find("submitted"))
    job.submitted = time(*submitted);
  job.spec = read_spec(value);
  if (const auto work = value.find("work_s")) {
    job.work = RemainingWork{.left_s = work->number(length_range), .since = now};
  }
  if (const auto speedup = value.find("speedup"))
    read_speedup(*speedup, profiles, result);
  if (const auto progress = value.find("progress"))
    job.progress = read_progress(*progress);
  if (const auto current = value.find("current"))
    result.current = read_current(*current);
  try {
    check(job);
  } catch (const InvalidInput& error) {
    value.fail(error.what());
  }
  return result;
}

}  // namespace voda::snapshot_detail

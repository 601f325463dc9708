#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "voda/io/impl/curve_json.hpp"
#include "voda/io/snapshot.hpp"

namespace voda {
namespace snapshot_writer_detail {

using Json = nlohmann::ordered_json;

/// Appends a member without looking for the key, which is known to be new; looking costs
/// O(members).
inline void append(Json& object, const std::string& key, Json value) {
  object.get_ref<Json::object_t&>().push_back({key, std::move(value)});
}

[[nodiscard]] inline Json node_json(const Node& node) {
  Json result{{"id", node.id.value}, {"gpus", node.gpus}};
  if (!node.gpu_type.empty())
    result["gpu_type"] = node.gpu_type;
  if (!node.domains.empty())
    result["domains"] = node.domains;
  if (!node.schedulable)
    result["schedulable"] = false;
  return result;
}

[[nodiscard]] inline Json current_json(const CurrentHolding& current) {
  if (const auto* count = std::get_if<GpuCount>(&current))
    return *count;
  if (const auto* nodes = std::get_if<std::vector<NodeId>>(&current)) {
    Json result = Json::array();
    for (const NodeId& node : *nodes)
      result.push_back(node.value);
    return result;
  }
  Json result = Json::object();
  for (const auto& [node, gpus] : std::get<WorkerMap>(current))
    append(result, node.value, gpus);
  return result;
}

[[nodiscard]] inline Json progress_json(const JobProgress& progress) {
  const auto time_or_null = [](const std::optional<TimePoint>& time) {
    return time ? Json(to_seconds(*time)) : Json(nullptr);
  };
  const Counters& counters = progress.since_promotion;
  Json result{{"service", to_seconds(counters.service)},
              {"executed", to_seconds(counters.executed)},
              {"waited", to_seconds(counters.waited)},
              {"last_started", time_or_null(progress.last_started)},
              {"first_started", time_or_null(progress.first_started)}};
  if (progress.last_changed)
    append(result, "last_changed", to_seconds(*progress.last_changed));
  if (!progress.resized.empty()) {
    Json resized = Json::array();
    for (const TimePoint at : progress.resized)
      resized.push_back(to_seconds(at));
    append(result, "resized", std::move(resized));
  }
  return result;
}

inline void append_sizes(Json& result, const JobSpec& spec) {
  result["min_gpus"] = spec.min_gpus;
  result["requested_gpus"] = spec.requested_gpus;
  result["max_gpus"] = spec.max_gpus;
  if (spec.sizes.kind == SizeRule::Kind::step)
    result["sizes"] = {{"step", spec.sizes.step}};
  if (spec.sizes.kind == SizeRule::Kind::powers_of_two)
    result["sizes"] = "powers_of_two";
  if (spec.gpus_per_worker != 1)
    result["gpus_per_worker"] = spec.gpus_per_worker;
}

inline void append_names(Json& result, const JobSpec& spec) {
  if (spec.eligible) {
    Json& eligible = result["eligible"] = Json::array();
    for (const NodeId& node : *spec.eligible)
      eligible.push_back(node.value);
  }
  if (!spec.gpu_type.empty())
    result["gpu_type"] = spec.gpu_type;
  if (spec.priority != 0)
    result["priority"] = spec.priority;
  if (!spec.queue.empty())
    result["queue"] = spec.queue;
  if (!spec.user.empty())
    result["user"] = spec.user;
  if (!spec.virtual_cluster.empty())
    result["virtual_cluster"] = spec.virtual_cluster;
  if (!spec.preemptible)
    result["preemptible"] = false;
}

[[nodiscard]] inline Json job_json(const SnapshotJob& entry, TimePoint now) {
  const Job& job = entry.job;
  Json result{{"id", job.id.value}, {"submitted", to_seconds(job.submitted)}};
  append_sizes(result, job.spec);
  if (job.work)
    result["work_s"] = job.work->at(now);
  const bool is_linear = job.speedup == SpeedupCurve();
  if (!entry.profile.empty()) {
    result["speedup"] = entry.profile;
  } else if (!is_linear) {
    result["speedup"] = json_detail::to_json(job.speedup);
  }
  if (job.progress != JobProgress{})
    result["progress"] = progress_json(job.progress);
  if (entry.current != CurrentHolding(GpuCount{0}))
    result["current"] = current_json(entry.current);
  append_names(result, job.spec);
  return result;
}

}  // namespace snapshot_writer_detail

VODA_INLINE nlohmann::ordered_json to_json(const Snapshot& snapshot) {
  namespace detail = snapshot_writer_detail;
  using detail::Json;
  Json result{{"version", 1}, {"now", to_seconds(snapshot.now)}};
  if (snapshot.gpus)
    result["gpus"] = *snapshot.gpus;
  if (!snapshot.nodes.empty()) {
    Json& nodes = result["nodes"] = Json::array();
    for (const Node& node : snapshot.nodes)
      nodes.push_back(detail::node_json(node));
  }
  Json& jobs = result["jobs"] = Json::array();
  for (const auto& job : snapshot.jobs)
    jobs.push_back(detail::job_json(job, snapshot.now));
  if (!snapshot.profiles.empty()) {
    Json& profiles = result["profiles"] = Json::object();
    for (const auto& [name, curve] : snapshot.profiles) {
      detail::append(profiles, name, json_detail::to_json(curve));
    }
  }
  if (snapshot.allocation) {
    Json& allocation = result["allocation"] = Json::object();
    for (const auto& [id, gpus] : *snapshot.allocation)
      detail::append(allocation, id.value, gpus);
  }
  return result;
}

}  // namespace voda

#pragma once

#include "voda/io/snapshot.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "voda/io/impl/snapshot_jobs.hpp"
#include "voda/io/text_file.hpp"

namespace voda {
namespace snapshot_detail {

inline void check_version(const Cursor& document) {
  const Cursor version = document.require("version");
  static_cast<void>(version.whole_number({.min = 1, .max = 1}));
}

/// Fields of later versions: absent, null or empty is fine.
inline void refuse_unsupported(const Cursor& document) {
  for (const char* key : {"queues", "cells"}) {
    const auto value = document.find(key);
    if (value && !value->value().empty()) {
      value->fail(fmt::format("{} are not supported yet; expected none", key));
    }
  }
}

[[nodiscard]] inline Node read_node(const Cursor& value) {
  value.check_fields({"id", "gpus", "gpu_type", "domains", "schedulable"});
  Node node{.id = NodeId{value.require("id").name()},
            .gpus = gpus(value.require("gpus"), gpu_range)};
  if (const auto type = value.find("gpu_type"))
    node.gpu_type = type->text();
  if (const auto schedulable = value.find("schedulable"))
    node.schedulable = schedulable->flag();
  if (const auto domains = value.find("domains")) {
    domains->for_each_element(
        [&node](const Cursor& domain) { node.domains.push_back(domain.name()); });
  }
  return node;
}

[[nodiscard]] inline std::vector<Node> read_nodes(const Cursor& value) {
  std::vector<Node> result;
  std::set<std::string> ids;
  std::int64_t total = 0;
  value.for_each_element([&](const Cursor& element) {
    result.push_back(read_node(element));
    if (!ids.insert(result.back().id.value).second) {
      element.require("id").refuse("an id that no other node has");
    }
    total += result.back().gpus;
  });
  if (total > gpu_range.max)
    value.fail(fmt::format("{} GPUs; expected at most {}", total, gpu_range.max));
  return result;
}

[[nodiscard]] inline std::int64_t schedulable_sum(const std::vector<Node>& nodes) {
  std::int64_t sum = 0;
  for (const Node& node : nodes)
    sum += node.schedulable ? node.gpus : 0;
  return sum;
}

inline void read_gpus(const Cursor& value, Snapshot& snapshot) {
  snapshot.gpus = gpus(value, gpu_range);
  if (snapshot.nodes.empty())
    return;
  const std::int64_t sum = schedulable_sum(snapshot.nodes);
  if (*snapshot.gpus != sum) {
    value.refuse(fmt::format("{}, the sum of the schedulable nodes, or no such field", sum));
  }
}

inline void read_jobs(const Cursor& value, Snapshot& snapshot) {
  std::set<std::string> ids;
  std::int64_t workers = 0;
  value.for_each_element([&](const Cursor& element) {
    snapshot.jobs.push_back(read_job(element, snapshot.now, snapshot.profiles));
    count_workers(element, snapshot.jobs.back(), workers);
    if (!ids.insert(snapshot.jobs.back().job.id.value).second) {
      element.require("id").refuse("an id that no other job has");
    }
  });
}

[[nodiscard]] inline std::string list_of(const std::vector<std::string>& pools) {
  std::string list;
  for (const auto& pool : pools) {
    list += (list.empty() ? "" : ", ") + (pool.empty() ? std::string("(no type)") : pool);
  }
  return shown(list);
}

/// Gives every job the type of its pool; one without a type belongs to the nodes without, or to the only pool.
inline void assign_pools(const Cursor& jobs, Snapshot& snapshot) {
  const std::vector<std::string> pools = snapshot.gpu_types();
  if (snapshot.nodes.empty() && pools.size() > 1) {
    jobs.fail(
        fmt::format("they name several GPU types ({}), but without nodes there is one pool; "
                    "expected nodes, or one type",
                    list_of(pools)));
  }
  std::size_t index = 0;
  jobs.for_each_element([&](const Cursor& element) {
    std::string& type = snapshot.jobs[index++].job.spec.gpu_type;
    if (!type.empty())
      return;
    if (pools.size() == 1) {
      type = pools.front();
    } else if (std::ranges::find(pools, "") == pools.end()) {
      element.fail(fmt::format("no gpu_type; expected one of the pools: {}", list_of(pools)));
    }
  });
}

inline void read_allocation(const Cursor& value, Snapshot& snapshot) {
  std::set<std::string_view> ids;
  for (const auto& job : snapshot.jobs)
    ids.insert(job.job.id.value);
  auto& allocation = snapshot.allocation.emplace();
  value.for_each_member([&](const std::string& id, const Cursor& count) {
    if (!ids.contains(id))
      count.fail("no job has this id; expected the id of a job");
    allocation.emplace(JobId{id}, gpus(count, gpu_range));
  });
}

[[nodiscard]] inline Snapshot read(const Cursor& document) {
  document.check_fields(
      {"version", "now", "gpus", "nodes", "jobs", "profiles", "queues", "cells", "allocation"});
  check_version(document);
  refuse_unsupported(document);
  Snapshot result;
  if (const auto now = document.find("now"))
    result.now = time(*now);
  if (const auto nodes = document.find("nodes"))
    result.nodes = read_nodes(*nodes);
  if (const auto gpus = document.find("gpus"))
    read_gpus(*gpus, result);
  if (const auto profiles = document.find("profiles")) {
    profiles->for_each_named("profile", [&result](const std::string& name, const Cursor& curve) {
      result.profiles.emplace(name, json_detail::read_curve(curve));
    });
  }
  if (const auto jobs = document.find("jobs")) {
    read_jobs(*jobs, result);
    assign_pools(*jobs, result);
  }
  if (const auto allocation = document.find("allocation"))
    read_allocation(*allocation, result);
  return result;
}

}  // namespace snapshot_detail

VODA_INLINE GpuCount gpus_held(const SnapshotJob& job) {
  const std::int64_t gpus = snapshot_detail::checked_gpus(job);
  if (gpus > snapshot_detail::gpu_range.max) {
    throw InvalidInput(fmt::format("job '{}': current: {} GPUs; expected at most {}",
                                   job.job.id.value,
                                   gpus,
                                   snapshot_detail::gpu_range.max));
  }
  return static_cast<GpuCount>(gpus);
}

VODA_INLINE std::vector<NodeId> node_of_worker(const SnapshotJob& job) {
  const GpuCount gpus = gpus_held(job);
  if (const auto* nodes = std::get_if<std::vector<NodeId>>(&job.current))
    return *nodes;
  std::vector<NodeId> result;
  if (const auto* by_node = std::get_if<WorkerMap>(&job.current)) {
    const GpuCount per_worker = job.job.spec.gpus_per_worker;
    result.reserve(static_cast<std::size_t>(gpus / per_worker));
    for (const auto& [node, count] : *by_node) {
      result.insert(result.end(), static_cast<std::size_t>(count / per_worker), node);
    }
  }
  return result;
}

VODA_INLINE GpuCount Snapshot::total_gpus() const {
  if (nodes.empty())
    return gpus.value_or(0);
  return static_cast<GpuCount>(snapshot_detail::schedulable_sum(nodes));
}

VODA_INLINE std::vector<std::string> Snapshot::gpu_types() const {
  std::set<std::string> types;
  for (const Node& node : nodes)
    types.insert(node.gpu_type);
  if (types.empty()) {
    for (const auto& job : jobs)
      types.insert(job.job.spec.gpu_type);
    if (types.size() > 1)
      types.erase("");
  }
  if (types.empty())
    types.insert("");
  return {types.begin(), types.end()};
}

VODA_INLINE Snapshot read_snapshot(std::string_view text, const std::string& source) {
  const auto document = json_detail::parse(text, source);
  return snapshot_detail::read(json_detail::Cursor(document, source));
}

VODA_INLINE Snapshot read_snapshot_file(const std::filesystem::path& path) {
  return read_snapshot(read_text_file(path), path.string());
}

VODA_INLINE std::vector<Node> cluster_from_json(std::string_view text, const std::string& source) {
  const auto document = json_detail::parse(text, source);
  const json_detail::Cursor cursor(document, source);
  std::vector<Node> nodes;
  if (document.is_array()) {
    nodes = snapshot_detail::read_nodes(cursor);
  } else if (document.is_object() && document.size() == 1) {
    cursor.check_fields({"nodes"});
    nodes = snapshot_detail::read_nodes(cursor.require("nodes"));
  } else {
    nodes = snapshot_detail::read(cursor).nodes;
  }
  if (nodes.empty())
    cursor.fail("it has no nodes; expected at least one in 'nodes'");
  return nodes;
}

}  // namespace voda

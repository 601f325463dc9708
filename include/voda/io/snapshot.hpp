#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "voda/config.hpp"
#include "voda/model/ids.hpp"
#include "voda/model/job.hpp"
#include "voda/model/node.hpp"
#include "voda/model/plan.hpp"
#include "voda/model/units.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// What a job holds: a number of GPUs somewhere, GPUs by node, or the node of worker 0, 1, ...
/// Nodes that the snapshot does not list are lost ones.
using CurrentHolding = std::variant<GpuCount, WorkerMap, std::vector<NodeId>>;

/// A job of a snapshot with what it holds.
struct SnapshotJob {
  Job job{};              // gpu_type is that of its pool; both counters of its progress are equal
  std::string profile{};  // name of its curve in `profiles`; empty: the curve is its own
  CurrentHolding current = GpuCount{0};
};

/// The number of GPUs that a job holds. Throws InvalidInput that names the job: GPUs, in all or on a
/// node, that are not whole workers of its spec, or more than a GpuCount holds.
[[nodiscard]] GpuCount gpus_held(const SnapshotJob& job);

/// The node of each worker that a job holds; empty when only the number is known. GPUs by node are
/// listed by ascending node id. Throws as gpus_held() does, before it lists anything.
[[nodiscard]] std::vector<NodeId> node_of_worker(const SnapshotJob& job);

/// The most workers that the jobs of a snapshot may hold by node, so that a few bytes of text cannot
/// ask for all memory; numbers without places are not limited.
inline constexpr std::int64_t most_workers = 4194304;

/// A scheduling problem at one instant, in the JSON form of docs/grammar.md.
struct Snapshot {
  TimePoint now{};
  std::optional<GpuCount>
      gpus{};  // size of the pool when there are no nodes; else absent or their schedulable sum
  std::vector<Node> nodes{};
  std::vector<SnapshotJob> jobs{};  // in the order of the document
  Profiles profiles{};
  std::optional<std::map<JobId, GpuCount>> allocation{};  // the GPUs to place

  /// Sum of the GPUs of the schedulable nodes, or `gpus` when there are no nodes.
  [[nodiscard]] GpuCount total_gpus() const;

  /// The GPU types of the nodes, ascending; without nodes the one type that jobs name, or "".
  [[nodiscard]] std::vector<std::string> gpu_types() const;
};

/// Reads a snapshot; `source` names the text in messages.
///
/// Throws InvalidInput with source, JSON path, value and expectation: text that is not one JSON
/// document in UTF-8, nesting beyond 64 levels, unknown or repeated fields, repeated ids, invalid
/// jobs, broken workers or more than most_workers in `current`, a job without a GPU type where there are several pools, queues or cells that are not empty
/// (they are not supported yet).
[[nodiscard]] Snapshot read_snapshot(std::string_view text, const std::string& source);

/// As read_snapshot(), from a file.
[[nodiscard]] Snapshot read_snapshot_file(const std::filesystem::path& path);

/// The JSON form; reading it gives an equal snapshot. Fields with their default values are left
/// out.
[[nodiscard]] nlohmann::ordered_json to_json(const Snapshot& snapshot);

/// Reads the nodes of a JSON document: an array of nodes, or an object with `nodes`, as in a
/// snapshot.
///
/// Throws InvalidInput as read_snapshot() does, and when there is no node.
[[nodiscard]] std::vector<Node> cluster_from_json(std::string_view text, const std::string& source);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/snapshot_inl.hpp"
#include "voda/io/impl/snapshot_writer_inl.hpp"
#endif

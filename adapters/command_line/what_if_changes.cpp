#include "command_line/what_if_changes.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command_line/option_values.hpp"
#include "voda/io/cluster_text.hpp"
#include "voda/io/snapshot.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// Collects events; what `state` refuses is the option's fault.
class Changes {
 public:
  explicit Changes(const ClusterState& state) : state_(state), now_(state.now()) {}

  [[nodiscard]] const ClusterState& state() const { return state_; }

  void add(std::string_view option, const std::string& text, EventBody body) {
    Event event{.at = now_, .body = std::move(body)};
    try {
      state_.apply(event);
    } catch (const Error& error) {
      throw UsageError(fmt::format("{}: '{}': {}", option, shown(text), error.what()));
    }
    events_.push_back(std::move(event));
  }

  [[nodiscard]] std::vector<Event> taken() && { return std::move(events_); }

 private:
  ClusterState state_;  // with the changes so far
  TimePoint now_{};
  std::vector<Event> events_{};
};

Node node_of(const ClusterState& state, std::string_view option, const std::string& id) {
  for (const PoolState& pool : state.pools()) {
    for (const NodeImage& image : pool.image().nodes) {
      if (image.node.id.value == id && !image.is_lost)
        return image.node;
    }
  }
  refuse_value(option, id, "the id of a node that is there");
}

bool has_node(const ClusterState& state, const std::string& id) {
  return std::ranges::any_of(state.pools(),
                             [&id](const PoolState& pool) { return pool.has_node({id}); });
}

/// Nodes of a cluster text under names that nobody has.
void add_nodes(Changes& changes, const std::string& text) {
  std::vector<Node> nodes;
  try {
    nodes = parse_cluster(text);
  } catch (const Error& error) {
    throw UsageError(fmt::format("--add-nodes: {}", error.what()));
  }
  int number = 0;
  for (Node& node : nodes) {
    do {
      node.id = {fmt::format("new{}", number++)};
    } while (has_node(changes.state(), node.id.value));
    changes.add("--add-nodes", text, NodeJoined{node});
  }
}

/// A job as a snapshot writes it; without `submitted` it comes now.
void add_job(Changes& changes, const std::string& text) {
  const auto job = nlohmann::json::parse(text, nullptr, false);
  const bool comes_now = job.is_object() && !job.contains("submitted");
  Snapshot snapshot;
  try {
    snapshot = read_snapshot(fmt::format(R"({{"version": 1, "gpus": 0, "jobs": [{}]}})", text),
                             "--add-job");
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (snapshot.jobs.size() != 1)
    refuse_value("--add-job", text, "one job");
  SnapshotJob& added = snapshot.jobs.front();
  if (gpus_held(added) > 0)
    refuse_value("--add-job", text, "a job that holds nothing yet");
  if (comes_now)
    added.job.submitted = changes.state().now();
  changes.add("--add-job", text, JobSubmitted{.job = added.job});
}

void set_field(JobSpec& spec, const std::string& text, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string_view field = assignment.substr(0, equals);
  const std::string value(equals == std::string_view::npos ? "" : assignment.substr(equals + 1));
  constexpr std::int64_t largest = std::numeric_limits<GpuCount>::max();
  if (field == "min_gpus") {
    spec.min_gpus = static_cast<GpuCount>(read_whole_number("--set-job", value, 1, largest));
  } else if (field == "requested_gpus") {
    spec.requested_gpus = static_cast<GpuCount>(read_whole_number("--set-job", value, 1, largest));
  } else if (field == "max_gpus") {
    spec.max_gpus = static_cast<GpuCount>(read_whole_number("--set-job", value, 1, largest));
  } else if (field == "priority") {
    spec.priority = static_cast<int>(read_whole_number("--set-job", value, 0, largest));
  } else {
    refuse_value("--set-job",
                 text,
                 "ID:field=value,... with min_gpus, requested_gpus, max_gpus or priority");
  }
}

void set_job(Changes& changes, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const JobId id{text.substr(0, colon)};
  const auto found = changes.state().find(id);
  if (colon == std::string::npos || !found)
    refuse_value("--set-job", text, "ID:field=value,... with the id of a job that is there");
  JobSpec spec = changes.state().pools()[found->pool].spec(found->job);
  std::string_view rest = std::string_view(text).substr(colon + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    set_field(spec, text, rest.substr(0, comma));
    if (comma == std::string_view::npos)
      break;
    rest.remove_prefix(comma + 1);
  }
  changes.add("--set-job", text, JobChanged{.job = id, .spec = spec});
}

}  // namespace

void add_change_options(CLI::App& app, WhatIfChanges& changes) {
  const auto add =
      [&app](
          const char* name, std::vector<std::string>& texts, const char* type, const char* help) {
        app.add_option(name, texts, help)->type_name(type)->allow_extra_args(false);
      };
  add("--add-nodes",
      changes.add_nodes,
      "NODESxGPUS",
      "Nodes that join, written as --cluster: 2x8, 2x8:a100; may be repeated, as the next ones");
  add("--remove-node", changes.remove_nodes, "ID", "Id of a node that leaves");
  add("--cordon", changes.cordon, "ID", "Id of a node that takes no more work");
  add("--add-job",
      changes.add_jobs,
      "JSON",
      "A job that comes, as a snapshot writes jobs: {\"id\": \"x\", \"requested_gpus\": 4, "
      "\"work_s\": 3600}");
  add("--remove-job", changes.remove_jobs, "ID", "Id of a job that leaves");
  add("--set-job",
      changes.set_jobs,
      "ID:FIELD=VALUE",
      "ID:field=value,... changes min_gpus, requested_gpus, max_gpus or priority of a job");
}

std::vector<Event> events_of(const WhatIfChanges& changes, const ClusterState& state) {
  Changes result(state);
  for (const std::string& id : changes.remove_nodes)
    result.add("--remove-node", id, NodeLeft{{id}});
  for (const std::string& id : changes.remove_jobs)
    result.add("--remove-job", id, JobFinished{{id}});
  for (const std::string& id : changes.cordon) {
    Node node = node_of(result.state(), "--cordon", id);
    node.schedulable = false;
    result.add("--cordon", id, NodeChanged{node});
  }
  for (const std::string& text : changes.set_jobs)
    set_job(result, text);
  for (const std::string& text : changes.add_nodes)
    add_nodes(result, text);
  for (const std::string& text : changes.add_jobs)
    add_job(result, text);
  return std::move(result).taken();
}

}  // namespace voda::command_line

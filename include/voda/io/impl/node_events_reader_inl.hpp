#pragma once

#include "voda/io/node_events_reader.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <ranges>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "voda/io/csv.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace node_events_reader_detail {

inline constexpr std::string_view resize = "gpus=";
inline constexpr std::string_view expected = "down, up, cordon, uncordon or gpus=N";
inline constexpr std::array<std::string_view, 5> words{
    "down", "up", "cordon", "uncordon", "gpus=N"};

[[nodiscard]] inline NodeEvent::Kind kind_of(const CsvTable& table) {
  const std::string_view text = table.text("event");
  if (text == "down")
    return NodeEvent::Kind::down;
  if (text == "up")
    return NodeEvent::Kind::up;
  if (text == "cordon")
    return NodeEvent::Kind::cordon;
  if (text == "uncordon")
    return NodeEvent::Kind::uncordon;
  if (text.starts_with(resize))
    return NodeEvent::Kind::resize;
  table.refuse("event", fmt::format("{}{}", expected, did_you_mean(text, words)));
}

[[nodiscard]] inline GpuCount gpus_of(const CsvTable& table) {
  const std::string_view text = table.text("event").substr(resize.size());
  const auto gpus = parse_whole_number(text);
  if (!gpus || *gpus < 0 || *gpus > std::numeric_limits<GpuCount>::max()) {
    table.refuse("event", "gpus=N with N from 0 to 2147483647");
  }
  return static_cast<GpuCount>(*gpus);
}

/// Reads all rows; `check_event` refuses what does not suit the cluster.
template <class CheckEvent>
[[nodiscard]] std::vector<NodeEvent> read(std::istream& in,
                                          const std::string& source,
                                          CheckEvent check_event) {
  CsvTable table(in, source, {.required = {"time_s", "node", "event"}});
  std::multimap<TimePoint, NodeEvent> by_time;  // equal keys stay in the order of insertion
  while (table.next()) {
    const double time_s = table.number("time_s", {.min = -max_seconds, .max = max_seconds});
    NodeEvent event{.at = time_from_seconds(time_s, "time_s"),
                    .node = NodeId{table.name("node")},
                    .kind = kind_of(table)};
    if (event.kind == NodeEvent::Kind::resize)
      event.gpus = gpus_of(table);
    check_event(table, event);
    by_time.emplace(event.at, std::move(event));
  }
  std::vector<NodeEvent> result;
  result.reserve(by_time.size());
  for (auto& [at, event] : by_time)
    result.push_back(std::move(event));
  return result;
}

/// What a node may be called, for messages.
[[nodiscard]] inline std::string known_names(std::span<const Node> nodes) {
  if (nodes.empty())
    return "none, as the cluster has no nodes";
  if (nodes.size() == 1)
    return fmt::format("the cluster's only node, '{}'", shown(nodes.front().id.value));
  return fmt::format("one of the {} nodes of the cluster, '{}' to '{}'",
                     nodes.size(),
                     shown(nodes.front().id.value),
                     shown(nodes.back().id.value));
}

/// Refuses events of unknown nodes, and sizes that a pool cannot have together.
class ClusterCheck {
 public:
  explicit ClusterCheck(std::span<const Node> nodes) : nodes_(nodes) {
    for (const Node& node : nodes) {
      most_gpus_.emplace(node.id.value, node.gpus);
      type_of_.emplace(node.id.value, node.gpu_type);
      most_of_type_[node.gpu_type] += node.gpus;
    }
  }

  void operator()(const CsvTable& table, const NodeEvent& event) {
    const auto found = most_gpus_.find(event.node.value);
    if (found == most_gpus_.end())
      table.refuse(
          "node",
          known_names(nodes_) + did_you_mean(event.node.value, std::views::keys(most_gpus_)));
    if (event.kind != NodeEvent::Kind::resize || event.gpus <= found->second)
      return;
    std::int64_t& total = most_of_type_[type_of_.at(event.node.value)];
    total += event.gpus - found->second;
    found->second = event.gpus;
    if (total > std::numeric_limits<GpuCount>::max()) {
      table.refuse(
          "event",
          "a number with which the nodes of one GPU type have at most 2147483647 GPUs, each "
          "at its largest");
    }
  }

 private:
  std::span<const Node> nodes_{};
  std::map<std::string_view, GpuCount> most_gpus_{};
  std::map<std::string_view, std::string_view> type_of_{};
  std::map<std::string_view, std::int64_t> most_of_type_{};
};

}  // namespace node_events_reader_detail

VODA_INLINE std::vector<NodeEvent> read_node_events(std::istream& in, const std::string& source) {
  return node_events_reader_detail::read(in, source, [](const CsvTable&, const NodeEvent&) {});
}

VODA_INLINE std::vector<NodeEvent> read_node_events(std::istream& in,
                                                    const std::string& source,
                                                    std::span<const Node> nodes) {
  return node_events_reader_detail::read(
      in, source, node_events_reader_detail::ClusterCheck(nodes));
}

VODA_INLINE std::vector<NodeEvent> read_node_events_file(const std::filesystem::path& path) {
  std::istringstream in(read_text_file(path));
  return read_node_events(in, path.string());
}

VODA_INLINE std::vector<NodeEvent> read_node_events_file(const std::filesystem::path& path,
                                                         std::span<const Node> nodes) {
  std::istringstream in(read_text_file(path));
  return read_node_events(in, path.string(), nodes);
}

}  // namespace voda

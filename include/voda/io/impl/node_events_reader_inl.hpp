#pragma once

#include "voda/io/node_events_reader.hpp"

#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "voda/io/csv.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace node_events_reader_detail {

inline constexpr std::string_view resize = "gpus=";
inline constexpr std::string_view expected = "down, up, cordon, uncordon or gpus=N";

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
  table.refuse("event", expected);
}

[[nodiscard]] inline GpuCount gpus_of(const CsvTable& table) {
  const std::string_view text = table.text("event").substr(resize.size());
  const auto gpus = parse_whole_number(text);
  if (!gpus || *gpus < 0 || *gpus > std::numeric_limits<GpuCount>::max()) {
    table.refuse("event", "gpus=N with N from 0 to 2147483647");
  }
  return static_cast<GpuCount>(*gpus);
}

/// Reads all rows; `check_node` refuses nodes that must not be there.
template <class CheckNode>
[[nodiscard]] std::vector<NodeEvent> read(std::istream& in,
                                          const std::string& source,
                                          CheckNode check_node) {
  CsvTable table(in, source, {.required = {"time_s", "node", "event"}});
  std::multimap<TimePoint, NodeEvent> by_time;  // equal keys stay in the order of insertion
  while (table.next()) {
    const double time_s = table.number("time_s", {.min = -max_seconds, .max = max_seconds});
    NodeEvent event{.at = time_from_seconds(time_s, "time_s"),
                    .node = NodeId{table.name("node")},
                    .kind = kind_of(table)};
    check_node(table, event.node);
    if (event.kind == NodeEvent::Kind::resize)
      event.gpus = gpus_of(table);
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

}  // namespace node_events_reader_detail

VODA_INLINE std::vector<NodeEvent> read_node_events(std::istream& in, const std::string& source) {
  return node_events_reader_detail::read(in, source, [](const CsvTable&, const NodeId&) {});
}

VODA_INLINE std::vector<NodeEvent> read_node_events(std::istream& in,
                                                    const std::string& source,
                                                    std::span<const Node> nodes) {
  std::set<std::string_view> known;
  for (const Node& node : nodes)
    known.insert(node.id.value);
  return node_events_reader_detail::read(
      in, source, [&known, nodes](const CsvTable& table, const NodeId& node) {
        if (!known.contains(node.value))
          table.refuse("node", node_events_reader_detail::known_names(nodes));
      });
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

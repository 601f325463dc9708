#pragma once

#include "voda/io/cluster_text.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "voda/io/snapshot.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace cluster_text_detail {

[[noreturn]] inline void refuse(std::string_view text, std::string_view expected) {
  throw InvalidInput(fmt::format("cluster '{}': expected {}", shown(text), expected));
}

/// Nodes of one shape, racks times nodes.
struct Group {
  std::int64_t racks = 0;  // 0: the nodes are in no rack
  std::int64_t nodes = 0;  // per rack, or in all
  std::int64_t gpus = 0;   // per node
  std::string gpu_type{};

  [[nodiscard]] std::int64_t node_count() const { return std::max<std::int64_t>(1, racks) * nodes; }
};

[[nodiscard]] inline std::int64_t count(std::string_view text, std::string_view part) {
  constexpr std::int64_t largest = std::numeric_limits<GpuCount>::max();
  const bool is_plain = part.find_first_not_of("0123456789") == std::string_view::npos;
  const auto value = is_plain ? parse_whole_number(part) : std::nullopt;
  if (!value || *value < 1 || *value > largest) {
    refuse(text, fmt::format("a number from 1 to {} in place of '{}'", largest, shown(part)));
  }
  return *value;
}

[[nodiscard]] inline std::string gpu_type(std::string_view text, std::string_view type) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  if (type.empty() || !std::ranges::all_of(type, fits)) {
    refuse(text,
           fmt::format("a GPU type made of letters, digits, '_', '-' and '.' in place of '{}'",
                       shown(type)));
  }
  return std::string(type);
}

[[nodiscard]] inline Group parse_group(std::string_view text, std::string_view part) {
  Group result;
  const std::size_t colon = part.find(':');
  if (colon != std::string_view::npos)
    result.gpu_type = gpu_type(text, part.substr(colon + 1));
  std::string_view rest = part.substr(0, colon);
  std::vector<std::int64_t> numbers;
  while (true) {
    const std::size_t end = rest.find('x');
    numbers.push_back(count(text, rest.substr(0, end)));
    if (end == std::string_view::npos)
      break;
    rest.remove_prefix(end + 1);
  }
  if (numbers.size() < 2 || numbers.size() > 3) {
    refuse(text,
           fmt::format("nodes x GPUs like 16x4, or racks x nodes x GPUs like 4x8x4, in place "
                       "of '{}'",
                       shown(part)));
  }
  if (numbers.size() == 3)
    result.racks = numbers[0];
  result.nodes = numbers[numbers.size() - 2];
  result.gpus = numbers.back();
  return result;
}

inline void check_size(std::string_view text, const std::vector<Group>& groups) {
  std::int64_t nodes = 0;
  std::int64_t gpus = 0;
  for (const Group& group : groups) {
    nodes = saturating_add(nodes, group.node_count());
    gpus = saturating_add(gpus, saturating_multiply(group.node_count(), group.gpus));
  }
  if (nodes > most_nodes)
    refuse(text, fmt::format("at most {} nodes", most_nodes));
  constexpr std::int64_t largest = std::numeric_limits<GpuCount>::max();
  if (gpus > largest)
    refuse(text, fmt::format("at most {} GPUs", largest));
}

[[nodiscard]] inline std::size_t width_of(std::int64_t count) {
  return std::to_string(std::max<std::int64_t>(1, count) - 1).size();
}

[[nodiscard]] inline std::vector<Node> build(const std::vector<Group>& groups) {
  std::int64_t nodes = 0;
  std::int64_t racks = 0;
  for (const Group& group : groups) {
    nodes += group.node_count();
    racks += group.racks;
  }
  std::vector<Node> result;
  std::int64_t racks_before = 0;
  for (const Group& group : groups) {
    for (std::int64_t i = 0; i < group.node_count(); ++i) {
      Node node{.id = {fmt::format("n{:0{}}", result.size(), width_of(nodes))},
                .gpu_type = group.gpu_type,
                .gpus = static_cast<GpuCount>(group.gpus)};
      if (group.racks > 0) {
        const std::int64_t rack = racks_before + i / group.nodes;
        node.domains = {fmt::format("rack-{:0{}}", rack, width_of(racks))};
      }
      result.push_back(std::move(node));
    }
    racks_before += group.racks;
  }
  return result;
}

}  // namespace cluster_text_detail

VODA_INLINE std::vector<Node> parse_cluster(std::string_view text) {
  namespace detail = cluster_text_detail;
  std::vector<detail::Group> groups;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    groups.push_back(detail::parse_group(text, text.substr(begin, end - begin)));
    begin = end + 1;
  }
  detail::check_size(text, groups);
  return detail::build(groups);
}

VODA_INLINE std::vector<Node> read_cluster(std::string_view text) {
  if (!text.ends_with(".json") && text.find('/') == std::string_view::npos) {
    return parse_cluster(text);
  }
  return cluster_from_json(read_text_file(std::string(text)), std::string(text));
}

}  // namespace voda

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/node.hpp"

namespace voda {

/// Reads a cluster: groups joined by `+`, each `nodes x GPUs` (16x4) or `racks x nodes x GPUs`
/// (4x8x4), perhaps with a GPU type (8x4:v100). Nodes are named n0, n1, ... and racks rack-0,
/// rack-1, ... through all groups, padded with zeros so that text order is numeric order; the rack
/// is the node's only domain.
///
/// Throws InvalidInput that quotes the text: bad grammar, a number below 1, more than `most_nodes`
/// nodes, more GPUs than a GpuCount holds.
[[nodiscard]] std::vector<Node> parse_cluster(std::string_view text);

/// Reads a cluster as parse_cluster() does, or, when the text ends in `.json` or has a `/` in it,
/// the `nodes` of that file.
[[nodiscard]] std::vector<Node> read_cluster(std::string_view text);

inline constexpr std::int64_t most_nodes = 1000000;

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/cluster_text_inl.hpp"
#endif

#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/node.hpp"
#include "voda/simulator/node_event.hpp"

namespace voda {

/// Reads CSV with the columns time_s, node, event (down | up | cordon | uncordon | gpus=N) and
/// sorts it by time; events of one instant stay in the order of the file. Whether the nodes exist
/// is for the simulator to say.
///
/// Throws InvalidInput with source, line, column, value and expectation.
[[nodiscard]] std::vector<NodeEvent> read_node_events(std::istream& in, const std::string& source);

/// As above, and throws for an event of a node that is none of `nodes`.
[[nodiscard]] std::vector<NodeEvent> read_node_events(std::istream& in,
                                                      const std::string& source,
                                                      std::span<const Node> nodes);

/// As read_node_events(), from a file.
[[nodiscard]] std::vector<NodeEvent> read_node_events_file(const std::filesystem::path& path);
[[nodiscard]] std::vector<NodeEvent> read_node_events_file(const std::filesystem::path& path,
                                                           std::span<const Node> nodes);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/node_events_reader_inl.hpp"
#endif

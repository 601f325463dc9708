#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/indexed_vector.hpp"
#include "voda/model/node.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// Whether a node may hold workers.
enum class NodeState : std::uint8_t { schedulable, cordoned, lost };

/// The nodes of a pool as columns, in the order in which they joined. A lost node keeps its position while workers are
/// still assigned to it; its GPUs count 0.
struct NodeColumns {
  IndexedVector<NodeIndex, NodeId> id{};
  IndexedVector<NodeIndex, GpuCount> gpus{};  // of the machine; 0 once lost
  IndexedVector<NodeIndex, NodeState> state{};
  IndexedVector<NodeIndex, std::vector<std::string>> domains{};  // from the outside in

  [[nodiscard]] std::size_t size() const noexcept { return id.size(); }

  /// GPUs that may be given out on a node: 0 when it is cordoned or lost.
  [[nodiscard]] GpuCount usable_gpus(NodeIndex node) const {
    return state[node] == NodeState::schedulable ? gpus[node] : 0;
  }

  /// Appends a node and returns its position.
  NodeIndex push_back(const Node& node) {
    id.push_back(node.id);
    gpus.push_back(node.gpus);
    state.push_back(node.schedulable ? NodeState::schedulable : NodeState::cordoned);
    domains.push_back(node.domains);
    return IndexedVector<NodeIndex, NodeId>::index_of(id.size() - 1);
  }

  bool operator==(const NodeColumns&) const = default;
};

}  // namespace voda

#pragma once

#include <cstdint>

#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// Something that happens to a node at a known instant of a simulation.
struct NodeEvent {
  enum class Kind : std::uint8_t {
    down,      // the node is lost, with what runs on it
    up,        // it is back, empty
    cordon,    // no new workers; running ones are moved away
    uncordon,  // it may hold workers again
    resize     // it has `gpus` GPUs from now on
  };

  TimePoint at{};
  NodeId node{};
  Kind kind = Kind::down;
  GpuCount gpus = 0;  // read only for Kind::resize
  bool operator==(const NodeEvent&) const = default;
};

}  // namespace voda

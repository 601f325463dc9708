#pragma once

#include <string>
#include <vector>

#include "voda/model/ids.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// A machine with GPUs of one type.
struct Node {
  NodeId id{};
  std::string gpu_type{};
  GpuCount gpus = 0;  // >= 0, schedulable by voda
  std::vector<std::string>
      domains{};            // topology path from the outside in; compared as a whole path
  bool schedulable = true;  // false: cordoned, being drained
  bool operator==(const Node&) const = default;
};

}  // namespace voda

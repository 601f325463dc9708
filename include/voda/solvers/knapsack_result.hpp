#pragma once

#include <cstdint>
#include <vector>

#include "voda/solvers/status.hpp"

namespace voda::solvers {

/// One way to serve a class.
struct KnapsackOption {
  std::int32_t cost = 0;
  std::int64_t gain = 0;
};

/// The option chosen for each class, counted from the first of that class, with both totals.
struct KnapsackResult {
  Status status = Status::infeasible;
  std::int64_t gain = 0;
  std::int64_t cost = 0;
  std::vector<int> option_of_class{};
};

}  // namespace voda::solvers

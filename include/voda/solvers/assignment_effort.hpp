#pragma once

#include <cstdint>

namespace voda::solvers {

/// How much work an answer took: counts, so equal on every machine.
struct AssignmentEffort {
  std::int64_t searches = 0;       ///< shortest-path searches, or phases of many at once
  std::int64_t scans = 0;          ///< edges or matrix entries looked at
  std::int64_t augmentations = 0;  ///< paths along which the matching was changed
};

}  // namespace voda::solvers

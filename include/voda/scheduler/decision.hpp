#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "voda/model/plan.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/placer.hpp"

namespace voda {

/// A job whose size was capped because it could not be placed as allocated.
struct Capped {
  JobIndex job{};
  GpuCount cap = 0;  // the largest allowed size that could be placed; 0: none
  UnplacedReason reason = UnplacedReason::no_capacity;
  GpuCount free_gpus = 0;
  bool operator==(const Capped&) const = default;
};

/// What was decided for one pool.
struct PoolDecision {
  std::size_t pool = 0;
  AllocationDecision allocation{};               // final: jobs that could not be placed hold 0
  std::optional<PlacementDecision> placement{};  // absent without a placer
  std::vector<Capped> capped{};  // one per job, in the order in which the caps were found
  std::int32_t rounds = 1;       // decisions made until everything could be placed
  Plan plan{};
};

/// What was decided at one instant, pool by pool.
struct Decision {
  TimePoint at{};
  std::vector<PoolDecision> pools{};
};

}  // namespace voda

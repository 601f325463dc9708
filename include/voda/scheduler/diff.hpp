#pragma once

#include "voda/config.hpp"
#include "voda/model/allocation.hpp"
#include "voda/model/placement.hpp"
#include "voda/model/plan.hpp"
#include "voda/scheduler/pool_state.hpp"

namespace voda {

/// What must change to get from what is assigned in a pool to a decision: stops, resizes (shrinking ones first),
/// migrations, starts; in arrival order within each. O(jobs + workers of jobs that change).
///
/// `target` is null when only counts are decided. A job whose place was unknown does not migrate.
[[nodiscard]] Plan diff(TimePoint now,
                        const PoolState& pool,
                        const Allocation& gpus,
                        const Placement* target);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/diff_inl.hpp"
#endif

#pragma once

#include <optional>

#include "voda/config.hpp"
#include "voda/policy/explain.hpp"
#include "voda/scheduler/decision.hpp"
#include "voda/scheduler/pool_state.hpp"

namespace voda {

/// Why the scheduler gives a job of `pool` what `decided`, not committed yet, says. As explain_size() of policy/explain.hpp,
/// but with what placing did: a job that could not be placed as large is capped first, and one that the caps left with
/// nothing may have got GPUs that stayed free. Changes are searched within these caps; none are for a job that could not be
/// placed at all or that got leftovers.
[[nodiscard]] Explanation explain_size(const Allocator& allocator,
                                       const PoolState& pool,
                                       const PoolDecision& decided,
                                       TimePoint now,
                                       JobIndex job,
                                       const ExplainBounds& bounds = {},
                                       const NamedPolicy* policy = nullptr);

/// Why `job` is placed where `decided`, not committed yet, says; nothing where nothing was placed. A job that the caps left
/// with nothing is explained as if it were placed at its minimum beside the others.
[[nodiscard]] std::optional<PlaceExplanation> explain_place(const Placer& placer,
                                                            const PoolState& pool,
                                                            const PoolDecision& decided,
                                                            JobIndex job,
                                                            const ExplainBounds& bounds = {});

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/scheduler/impl/explain_inl.hpp"
#endif

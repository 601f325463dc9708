#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "voda/placers/impl/free_nodes.hpp"
#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// What becomes of the survivors when jobs are packed.
enum class Survivors : std::uint8_t {
  leave,  // all nodes are empty at first
  stay    // they keep their places; only what is missing is packed
};

/// Packs jobs by best-fit decreasing: worker size descending, then workers descending, then arrival; the tightest node that
/// holds the rest of the job, otherwise the emptiest one is filled and the rest goes on. Who is placed is decided by worker
/// size descending, then arrival; a job that does not fit leaves nothing behind.
///
/// With jobs that may not use every node, workers packed before are rerouted where that makes room for one that would not
/// fit. O(pieces (log sizes + nodes / 4096) + worker sizes * nodes) without such jobs.
[[nodiscard]] Draft pack(const Situation& situation, Survivors survivors);

/// Looks at whom a packing placed so far: true to give it up.
using GiveUp = std::function<bool(std::span<const OwnedPiece> placed)>;

/// The same onto empty nodes, but asks now and then, and at the end, whether to go on; nothing when told to give up. Does
/// not ask where some job may not use every node.
[[nodiscard]] std::optional<Draft> pack_unless(const Situation& situation, const GiveUp& give_up);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/packing_inl.hpp"
#endif

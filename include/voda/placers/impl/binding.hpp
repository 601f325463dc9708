#pragma once

#include <cstdint>
#include <span>

#include "voda/placers/impl/layout.hpp"
#include "voda/placers/impl/situation.hpp"

namespace voda::placers_detail {

/// A layout whose nodes were exchanged for equal ones so that most survivors stay.
struct Binding {
  Layout layout;
  std::int64_t overlap = 0;  // survivors that stay
  std::int64_t bound = 0;    // the sum of the dual prices: no binding of this layout keeps more
};

/// Exchanges nodes of equal size (and equal for every restricted job) so that most workers stay. O(nodes + nonzeros) plus
/// the matching, nonzeros = pairs of a packed and a present node that share a job.
[[nodiscard]] Binding bind(const Situation& situation, const Layout& packed);

/// At least as many survivors of these packed jobs as any binding keeps: the best partner for every node by itself.
/// O(nonzeros + nodes).
[[nodiscard]] std::int64_t overlap_bound(const Situation& situation,
                                         std::span<const OwnedPiece> packed);

}  // namespace voda::placers_detail

#ifndef VODA_COMPILED
#include "voda/placers/impl/binding_inl.hpp"
#endif

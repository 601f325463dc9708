#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace voda::solvers {

/// So many workers of equal size; each lies in one bin, different ones may lie in different bins.
struct PackingItem {
  std::int32_t workers = 0;
  std::int32_t units_per_worker = 1;
};

/// Workers of one item that share a bin.
struct PackedPiece {
  int bin = 0;
  std::int32_t workers = 0;
};

/// Where every item went.
struct PackingResult {
  /// Pieces of item i lie at [piece_begin[i], piece_begin[i + 1]), in the order they were laid;
  /// each bin at most once.
  std::vector<int> piece_begin{};
  std::vector<PackedPiece> pieces{};
  std::vector<int> unpacked{};  ///< items that did not fit, ascending; they take no space
  std::vector<std::int32_t> free_units{};  ///< one per bin, what is left

  [[nodiscard]] std::span<const PackedPiece> pieces_of(int item) const {
    const auto at = static_cast<std::size_t>(item);
    const auto from = static_cast<std::size_t>(piece_begin[at]);
    return std::span(pieces).subspan(from, static_cast<std::size_t>(piece_begin[at + 1]) - from);
  }
};

/// Packs items in the given order by best fit, splitting an item only where no bin holds the rest
/// of it.
///
/// Best fit decreasing (D. Johnson, thesis, MIT 1973) if the caller sorts the items by falling
/// size. Each item goes to the tightest bin that holds all of it; failing that, the emptiest bin
/// (counted in whole workers, then the tighter one) is filled and the rest goes on in the same way.
/// Ties: smaller capacity, then lower index. An item is packed whenever the workers that the bins
/// can hold suffice, else it leaves nothing behind; items without workers are packed with no piece.
///
/// Bins wait in one bucket per number of free units: O(bins log bins + pieces * (log bins +
/// capacity / 64)), plus O(capacity) whenever a split item's worker size differs from the one split
/// before it. Throws std::invalid_argument for a negative capacity or one above 2^20, negative
/// workers, or units_per_worker < 1.
[[nodiscard]] PackingResult pack_best_fit(std::span<const std::int32_t> bin_capacity,
                                          std::span<const PackingItem> items);

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/bin_packing_inl.hpp"
#endif

#pragma once

#include <cstdint>
#include <vector>

#include "voda/solvers/sparse_cost.hpp"

namespace voda::solvers {

/// A matching of largest total weight with the prices that prove it.
///
/// Certificate: row_price + column_price >= weight on every edge, no price is negative, and all
/// prices sum to `weight`.
struct WeightedMatching {
  std::int64_t weight = 0;
  std::vector<int> column_of_row{};          ///< one per row, no_match (-1) where it has none
  std::vector<std::int32_t> row_price{};     ///< one per row
  std::vector<std::int32_t> column_price{};  ///< one per column
};

/// Finds a matching of largest total weight; rows and columns may stay unmatched.
///
/// For small whole weights, such as how many workers two nodes share: weights are at most 2^28,
/// those <= 0 are never used.
/// Method, ties and complexity: sparse_assignment.hpp with Coverage::partial; paths are never
/// longer than the largest weight, so up to 1024 a bucket queue serves. Throws
/// std::invalid_argument for a larger weight or a malformed view.
[[nodiscard]] WeightedMatching max_weight_matching(const SparseCostView<std::int32_t>& weight);

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/weighted_matching_inl.hpp"
#endif

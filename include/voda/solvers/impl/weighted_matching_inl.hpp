#pragma once

#include "voda/solvers/weighted_matching.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/config.hpp"
#include "voda/solvers/impl/distance_queue.hpp"
#include "voda/solvers/impl/sparse_assignment_inl.hpp"
#include "voda/solvers/impl/sparse_matching.hpp"
#include "voda/solvers/impl/sparse_solver.hpp"

namespace voda::weighted_matching_detail {

using Problem = sparse_assignment_detail::Problem<std::int32_t>;
using Edges = sparse_assignment_detail::Edges<std::int32_t>;

inline std::int32_t checked_largest(const solvers::SparseCostView<std::int32_t>& weight) {
  sparse_cost_detail::check_view(weight);
  constexpr auto exact_limit = assignment_detail::safe_magnitude<std::int32_t>();
  std::int32_t largest = 0;
  sparse_assignment_detail::for_each_edge(weight, [&](int row, int column, std::int32_t value) {
    if (value > exact_limit || value < -exact_limit) {
      throw std::invalid_argument(fmt::format(
          "weight at row {}, column {}: {} is beyond +-{}", row, column, value, exact_limit));
    }
    largest = std::max(largest, value);
  });
  return largest;
}

template <class Queue>
solvers::WeightedMatching match_with(const Edges& edges, Queue queue) {
  using sparse_assignment_detail::Outcome;
  sparse_assignment_detail::SparseSolver<std::int32_t, Queue> solver(
      edges, {.rows = true, .columns = true}, std::move(queue));
  const Outcome outcome = solver.solve();
  VODA_ASSERT(outcome == Outcome::solved, "prices never pass the largest weight");
  static_cast<void>(outcome);
  solvers::WeightedMatching result{};
  const auto negate = [](std::int32_t price) { return -price; };
  result.column_of_row = solver.matching().column_of_row;
  const auto& row_price = solver.matching().row_price;
  result.row_price.resize(row_price.size());
  std::transform(row_price.begin(), row_price.end(), result.row_price.begin(), negate);
  const auto& column_price = solver.matching().column_price;
  result.column_price.resize(column_price.size());
  std::transform(column_price.begin(), column_price.end(), result.column_price.begin(), negate);
  result.weight =
      std::accumulate(result.row_price.begin(), result.row_price.end(), std::int64_t{0}) +
      std::accumulate(result.column_price.begin(), result.column_price.end(), std::int64_t{0});
  return result;
}

}  // namespace voda::weighted_matching_detail

namespace voda::solvers {

VODA_INLINE WeightedMatching max_weight_matching(const SparseCostView<std::int32_t>& weight) {
  const std::int32_t largest = weighted_matching_detail::checked_largest(weight);
  const auto edges = sparse_assignment_detail::oriented<std::int32_t>(
      weighted_matching_detail::Problem{weight, Objective::maximize, Coverage::partial, {}});
  if (largest <= sparse_assignment_detail::most_buckets) {
    return weighted_matching_detail::match_with(
        edges, sparse_assignment_detail::BucketQueue<std::int32_t>(largest));
  }
  return weighted_matching_detail::match_with(edges,
                                              sparse_assignment_detail::HeapQueue<std::int32_t>());
}

}  // namespace voda::solvers

#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "voda/solvers/assignment_result.hpp"

namespace voda::assignment_detail {

/// Augmenting row reduction with a limit on its steps: each free row bids, as does at once the row
/// it displaces. `bid` returns that row, if any, and whether it should. Returns the rows still free.
template <class Bid>
std::vector<int> reduce_rows_by(const std::vector<int>& free_rows, Bid bid) {
  constexpr std::ptrdiff_t steps_per_row = 8;
  std::vector<int> left{};
  auto steps = steps_per_row * static_cast<std::ptrdiff_t>(free_rows.size());
  for (int row : free_rows) {
    while (row != solvers::no_match) {
      const auto [displaced, at_once] = bid(row);
      row = solvers::no_match;
      if (displaced != solvers::no_match && at_once && --steps > 0) {
        row = displaced;
      } else if (displaced != solvers::no_match) {
        left.push_back(displaced);
      }
    }
  }
  return left;
}

}  // namespace voda::assignment_detail

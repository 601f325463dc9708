#pragma once

#include <vector>

#include "voda/solvers/assignment_effort.hpp"
#include "voda/solvers/status.hpp"

namespace voda::solvers {

/// Row and column numbers of an assignment problem; -1 stands for "none".
inline constexpr int no_match = -1;

/// An assignment of rows to columns with the prices that prove it optimal.
///
/// Certificate when minimising (signs reversed when maximising): row_price + column_price <= cost
/// wherever a pair is allowed, equal on matched pairs; on a side that need not be matched in full
/// no price is > 0 and those of unmatched members are 0. So the prices sum to the objective, and no
/// other assignment can be better.
template <class Number>
struct AssignmentResult {
  Status status = Status::infeasible;
  Number objective = 0;
  std::vector<int> column_of_row{};    ///< one per row, no_match where it has no column
  std::vector<Number> row_price{};     ///< one per row
  std::vector<Number> column_price{};  ///< one per column
  /// Infeasible only, ascending: more of these rows must stay unmatched than may, because they
  /// share too few columns: unmatchable_rows.size() - shared_columns.size() > max(0, rows -
  /// columns).
  std::vector<int> unmatchable_rows{};
  /// Infeasible only, ascending: every column that one of those rows may take.
  std::vector<int> shared_columns{};
  AssignmentEffort effort{};  ///< how much work it took
};

}  // namespace voda::solvers

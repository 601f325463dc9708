#pragma once

#include <cstdint>

#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/sparse_cost.hpp"
#include "voda/solvers/status.hpp"

namespace voda::solvers {

// Sparse assignment: the best choice of allowed pairs, no two in one row or column. Pairs that are
// not listed are forbidden; nothing of size rows x columns is ever built.
//
// Source: successive shortest paths with prices (N. Tomizawa 1971, J. Edmonds and R. Karp 1972); R.
// Jonker, A. Volgenant, Computing 38 (1987) for the sparse start. Deviations: with
// Coverage::partial a path may also end by releasing a matched row at cost 0, and edges that cannot
// beat 0 are dropped; a search ends at the best end found, not at the first settled; where
// distances are small integers a bucket queue (R. Dial 1969) takes the place of the heap.
// Ties: fixed by the order of rows and edges, so equal inputs give equal answers.
//
// Numbers: as for solve_assignment (assignment.hpp): integers exact, whole doubles up to 2^53
// exact.
// Complexity: O(rows * (edges + columns * log columns)) in the worst case, near O(edges) when
// prices settle early.

/// Solves a sparse assignment of integers exactly.
///
/// No solution: Status::infeasible and a set of rows that cannot be matched. Throws
/// std::invalid_argument for a cost beyond +-2^53 or a malformed view, std::overflow_error if the
/// objective or a price does not fit 64 bits.
[[nodiscard]] AssignmentResult<std::int64_t> solve_sparse_assignment(
    const SparseCostView<std::int64_t>& cost,
    Objective objective = Objective::minimize,
    Coverage coverage = Coverage::full);

/// Solves a sparse assignment of doubles.
///
/// As above; throws std::invalid_argument for a cost that is not finite or beyond +-2^990.
[[nodiscard]] AssignmentResult<double> solve_sparse_assignment(
    const SparseCostView<double>& cost,
    Objective objective = Objective::minimize,
    Coverage coverage = Coverage::full);

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/sparse_assignment_inl.hpp"
#endif

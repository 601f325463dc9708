#pragma once

#include <cstdint>
#include <span>

#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/sparse_cost.hpp"
#include "voda/solvers/status.hpp"

namespace voda::solvers {

// Sparse assignment: the best choice of allowed pairs, no two in one row or column. Pairs that are
// not listed are forbidden; nothing of size rows x columns is ever built.
//
// Method, chosen by the instance and by counts of edges looked at, never by clocks:
// 1. Start. Where (nearly) all columns are needed, an auction with epsilon scaling on rounded costs
//    (D. Bertsekas, Annals of Operations Research 14, 1988) prices the columns; elsewhere, and below
//    128 rows, tight edges and one round of row reductions (R. Jonker, A. Volgenant, Computing 38,
//    1987) do. Start prices replace the auction's first phases.
// 2. Successive shortest paths (N. Tomizawa 1971, J. Edmonds and R. Karp 1972) for the rows left.
//    When they get long: phases that augment all tight paths at once (J. Hopcroft, R. Karp 1973)
//    while they pay, then the auction, then the auction with finer steps.
// 3. Columns that stay free give up their price by the same searches from their side.
// Deviations: a row that may stay unmatched may also end a path by being released at cost 0, and
// edges that cannot beat 0 are dropped; a search ends at the best end found, not at the first
// settled; where distances are small integers a bucket queue (R. Dial 1969) replaces the heap.
// Ties: fixed by the order of rows and edges, so equal inputs give equal answers.
//
// Start prices: one per column, such as the column_price of a former answer; whether good or bad,
// the answer is optimal and proven, but among equally good ones it may be another one. Values beyond
// any sensible price are cut.
//
// Numbers: as for solve_assignment (assignment.hpp): integers exact, whole doubles up to 2^53 exact.
// Complexity: O(rows * (edges + columns * log columns)) in the worst case, near O(edges) usually.

/// Solves a sparse assignment of integers exactly.
///
/// `start_prices`: none, or one per column; see above. No solution: Status::infeasible and a set of
/// rows that cannot be matched. Throws std::invalid_argument for a cost beyond +-2^53, a malformed
/// view or a wrong number of start prices, std::overflow_error if the objective or a price does not
/// fit 64 bits.
[[nodiscard]] AssignmentResult<std::int64_t> solve_sparse_assignment(
    const SparseCostView<std::int64_t>& cost,
    Objective objective = Objective::minimize,
    Coverage coverage = Coverage::full,
    std::span<const std::int64_t> start_prices = {});

/// Solves a sparse assignment of doubles.
///
/// As above; throws std::invalid_argument for a cost that is not finite or beyond +-2^990, and for a
/// start price that is not finite.
[[nodiscard]] AssignmentResult<double> solve_sparse_assignment(
    const SparseCostView<double>& cost,
    Objective objective = Objective::minimize,
    Coverage coverage = Coverage::full,
    std::span<const double> start_prices = {});

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/sparse_assignment_inl.hpp"
#endif

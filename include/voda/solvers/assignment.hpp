#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "voda/solvers/assignment_result.hpp"

namespace voda::solvers {

/// Costs of a dense assignment problem, row by row.
template <class Number>
using CostMatrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Dense assignment: match every member of the shorter side with a member of its own on the other
// side, so that the sum of the costs is smallest (or largest). Any shape; nothing is padded, a tall
// matrix is solved transposed.
//
// Source: R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse
// linear assignment problems", Computing 38 (1987); rectangular as in D. Crouse, IEEE TAES 52
// (2016): prices start at 0 and a free column keeps 0.
// Deviations: column reduction only on square matrices (elsewhere it would price free columns); the
// row reduction has a step limit and never takes a second-best column, which would break
// complementary slackness; ties go to a free column first, then to the lower index. Integers are
// solved in 32 bits and again in 64 if a price leaves that range, so sums never overflow.
//
// Doubles: if every cost is a whole number of at most 2^53 the integer solver answers and all is
// exact up to 2^53. Otherwise prices carry rounding errors of a few units in the last place of the
// largest cost on an augmenting path; matched pairs are equal to one rounding. A sign required of a
// price holds exactly.
//
// Complexity: O(short^2 * long) time in the worst case; memory: one copy of the matrix unless it is
// double, fractional, not tall and minimised.

/// Solves a dense assignment of integers exactly. Equal inputs give equal answers on every machine.
///
/// Throws std::invalid_argument naming row, column and value for a cost beyond +-2^53, and
/// std::overflow_error if the objective does not fit 64 bits (possible only with more than 1023
/// matched pairs).
[[nodiscard]] AssignmentResult<std::int64_t> solve_assignment(
    const Eigen::Ref<const CostMatrix<std::int64_t>>& cost,
    Objective objective = Objective::minimize);

/// Solves a dense assignment of doubles; see above for what is exact.
///
/// Throws std::invalid_argument naming row, column and value for a cost that is not finite or
/// beyond +-2^990.
[[nodiscard]] AssignmentResult<double> solve_assignment(
    const Eigen::Ref<const CostMatrix<double>>& cost, Objective objective = Objective::minimize);

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/assignment_inl.hpp"
#endif

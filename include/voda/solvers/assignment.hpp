#pragma once

#include <cstdint>
#include <span>

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
// (2016): prices start at 0 and a free column keeps 0. With 2000 columns or more, or start prices,
// after A. Volgenant, "Linear and semi-assignment problems: a core oriented approach", Computers &
// OR 23 (1996): paths are searched over the cheapest pairs of each row.
// Square matrices of whole costs that are Monge arrays in some order of the rows and columns (products
// of two numbers, distances on a line) are matched along the diagonal where such an order is found: R. Burkard, B. Klinz, R. Rudolf,
// "Perspectives of Monge properties in optimization", Discrete Applied Mathematics 70 (1996).
// Deviations: a search reads a row in full where a bound on the pairs that were not kept says so, so
// nothing is priced out or solved again; the bound holds because prices only fall. If that happens
// too often (counted), the search over whole rows takes over where it stands. Column reduction only
// on square matrices (elsewhere it would price free columns); the row reduction has a step limit and
// never takes a second-best column, which would break complementary slackness; ties go to a free
// column first. Integers are solved in 32 bits and again in 64 if a price leaves that range.
//
// Doubles: if every cost is a whole number of at most 2^53 the integer solver answers and all is
// exact up to 2^53. Otherwise prices carry rounding errors of a few units in the last place of the
// largest cost on an augmenting path, after a start from prices of the largest of all costs; matched
// pairs are equal to one rounding. A sign required of a price holds exactly.
//
// Complexity: O(short^2 * long) time in the worst case, about one reading of the matrix where few
// costs tie; memory: a copy of the matrix in solver's numbers if tall, below 2000 columns or hard,
// else some 100 pairs per row, at most 400.

/// Solves a dense assignment of integers exactly. Equal inputs give equal answers on every machine.
///
/// `start_prices`: none, or a guess of the column prices, such as those of the answer before a
/// small change. Any values lead to an optimal answer, good ones sooner; not to the same one where
/// several are optimal. A Monge array does not need them.
///
/// Throws std::invalid_argument naming row, column and value for a cost beyond +-2^53, or for a
/// wrong number of start prices, and std::overflow_error if the objective does not fit 64 bits
/// (possible only with more than 1023 matched pairs).
[[nodiscard]] AssignmentResult<std::int64_t> solve_assignment(
    const Eigen::Ref<const CostMatrix<std::int64_t>>& cost,
    Objective objective = Objective::minimize,
    std::span<const std::int64_t> start_prices = {});

/// Solves a dense assignment of doubles; see above for what is exact and for `start_prices`.
///
/// Throws std::invalid_argument naming row, column and value for a cost that is not finite or
/// beyond +-2^990, or a start price that is not finite.
[[nodiscard]] AssignmentResult<double> solve_assignment(
    const Eigen::Ref<const CostMatrix<double>>& cost,
    Objective objective = Objective::minimize,
    std::span<const double> start_prices = {});

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/assignment_inl.hpp"
#endif

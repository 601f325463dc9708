#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <Eigen/Core>

#include "voda/solvers/assignment.hpp"
#include "voda/solvers/assignment_result.hpp"
#include "voda/solvers/sparse_assignment.hpp"

namespace voda::solvers {

/// Checks without a solver that an assignment is allowed and that its prices prove it optimal;
/// returns the first fault found.
///
/// Faults: a status other than optimal, a wrong size, a column given twice, a forbidden or missing
/// pair, a price above the cost, a matched pair with slack, a wrong sign, a wrong objective.
/// O(pairs).
[[nodiscard]] std::optional<std::string> certificate_fault(
    const Eigen::Ref<const CostMatrix<std::int64_t>>& cost,
    Objective objective,
    const AssignmentResult<std::int64_t>& result);

/// `tolerance` is what a sum of two prices may differ from a cost; the objective may differ by that
/// much per member.
[[nodiscard]] std::optional<std::string> certificate_fault(
    const Eigen::Ref<const CostMatrix<double>>& cost,
    Objective objective,
    const AssignmentResult<double>& result,
    double tolerance);

/// The same for a sparse problem.
[[nodiscard]] std::optional<std::string> certificate_fault(
    const SparseCostView<std::int64_t>& cost,
    Objective objective,
    Coverage coverage,
    const AssignmentResult<std::int64_t>& result);
[[nodiscard]] std::optional<std::string> certificate_fault(const SparseCostView<double>& cost,
                                                           Objective objective,
                                                           Coverage coverage,
                                                           const AssignmentResult<double>& result,
                                                           double tolerance);

/// Checks the proof that there is no solution: rows that share too few columns, and all of those
/// columns. O(edges * log rows).
[[nodiscard]] std::optional<std::string> infeasibility_fault(
    const SparseCostView<std::int64_t>& cost, const AssignmentResult<std::int64_t>& result);
[[nodiscard]] std::optional<std::string> infeasibility_fault(
    const SparseCostView<double>& cost, const AssignmentResult<double>& result);

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/certificate_inl.hpp"
#endif

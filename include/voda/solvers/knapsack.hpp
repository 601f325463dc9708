#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "voda/solvers/knapsack_result.hpp"

namespace voda::knapsack_detail {
class Workspace;
}

namespace voda::solvers {

// Multiple-choice knapsack: exactly one option per class, total cost within the capacity, largest
// total gain, and of those the smallest total cost. Gains are integers, so ties are exact; any
// curve is allowed (not concave, falling, flat). Options of class c lie at [class_begin[c],
// class_begin[c + 1]) in any order.
//
// Source: P. Sinha, A. Zoltners, Operations Research 27 (1979) (dominance, upper hulls); D.
// Pisinger, European Journal of Operational Research 83 (1995) (core around the break segment,
// expanded while it can still matter).
// Deviations: the dynamic program runs over a band of costs instead of state lists; the band and
// the number of equal classes that may deviate are bounded by the step lengths (F. Eisenbrand, R.
// Weismantel, ACM Transactions on Algorithms 16, 2019).
// Ties beyond gain and cost: fixed by class and option order.
//
// Limits: sum over classes of the largest |gain| < 2^61 (100,000 classes of 2^44); at most 65,535
// options per class.

/// Solves the problem by linear relaxation and a small exact core. O(options log options) when the
/// relaxation has no gap.
///
/// With a gap, O(core classes * options * band) more, where the band is at most about twice the
/// square of the longest step that still matters, or twice the capacity if that is less.
/// Infeasible: a class without options or the cheapest choice costs more than the capacity. Throws
/// std::invalid_argument for a negative cost or beyond the limits.
[[nodiscard]] KnapsackResult solve_knapsack(std::span<const int> class_begin,
                                            std::span<const KnapsackOption> options,
                                            std::int32_t capacity);

/// Solves one problem after the other in the same memory: asks the heap for nothing once it saw problems of that size.
class KnapsackSolver {
 public:
  KnapsackSolver();
  KnapsackSolver(KnapsackSolver&&) noexcept;
  KnapsackSolver& operator=(KnapsackSolver&&) noexcept;
  ~KnapsackSolver();

  /// As solve_knapsack(); valid until the next call.
  [[nodiscard]] const KnapsackResult& solve(std::span<const int> class_begin,
                                            std::span<const KnapsackOption> options,
                                            std::int32_t capacity);

 private:
  std::unique_ptr<knapsack_detail::Workspace> workspace_;
};

/// Solves the same problem by the full table: O(options * capacity) time, O(classes * capacity)
/// memory. For small inputs and tests.
[[nodiscard]] KnapsackResult solve_knapsack_by_table(std::span<const int> class_begin,
                                                     std::span<const KnapsackOption> options,
                                                     std::int32_t capacity);

}  // namespace voda::solvers

#ifndef VODA_COMPILED
#include "voda/solvers/impl/knapsack_inl.hpp"
#endif

#pragma once

#include <cstdint>

namespace voda::solvers {

/// Says whether a solver found a proven optimum or proved that there is no solution.
enum class Status : std::uint8_t { optimal, infeasible };

/// Says whether a solver looks for the smallest or the largest total.
enum class Objective : std::uint8_t { minimize, maximize };

/// Says who must be matched: every member of the shorter side, or nobody (an unmatched row costs
/// 0).
enum class Coverage : std::uint8_t { full, partial };

}  // namespace voda::solvers

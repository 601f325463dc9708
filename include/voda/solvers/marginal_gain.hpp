#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace voda::solvers {

/// What item `index` gains by its next unit when it has `count`: an integer (ties exact) or a
/// double; not > 0 means it wants none.
template <class F>
concept Gain = std::regular_invocable<F, std::size_t, std::int32_t> &&
               std::is_arithmetic_v<std::invoke_result_t<F, std::size_t, std::int32_t>>;

/// Raises counts from `count` towards `limit`, one unit at a time, to the item with the largest
/// positive gain; ties go to the lower index.
///
/// `count` and `limit` have one entry per item; `budget` is the most units handed out. An item
/// whose next gain is not positive (or is not a number) leaves for good. Largest total for gains
/// that never rise (J. Fox, Operations Research 14, 1966); for others it is the greedy rule and no
/// more. O((items + steps) log items), calls `gain` once per item and step.
/// Throws std::invalid_argument if count and limit differ in size.
template <Gain F>
[[nodiscard]] std::vector<std::int32_t> add_by_marginal_gain(std::span<const std::int32_t> count,
                                                             std::span<const std::int32_t> limit,
                                                             std::int64_t budget,
                                                             F gain);

}  // namespace voda::solvers

// A template: its body is needed in compiled mode too.
#include "voda/solvers/impl/marginal_gain_inl.hpp"

#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "voda/config.hpp"
#include "voda/solvers/impl/price_range.hpp"
#include "voda/solvers/impl/row_scan.hpp"

namespace voda::assignment_detail {

/// Marks in `misfit` whatever is not a whole number that 32-bit prices allow; returns the number.
VODA_ALWAYS_INLINE std::int32_t converted(std::int64_t cost, std::uint64_t& misfit, std::int32_t) {
  constexpr std::uint64_t offset = safe_magnitude<std::int32_t>();
  const auto bits = static_cast<std::uint64_t>(cost);
  misfit |= (bits + offset) / (2 * offset);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
}

/// Added to a number below 2^51 it leaves the whole part in the low bits: vectors can do that,
/// while not all can convert.
VODA_ALWAYS_INLINE std::int32_t converted(double cost, std::uint64_t& misfit, std::int32_t) {
  constexpr double shift = 0x1.8p52;
  constexpr std::uint64_t offset = safe_magnitude<std::int32_t>();
  const double shifted = cost + shift;
  const auto bits = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(shift);
  const auto rest = std::bit_cast<std::uint64_t>(cost - (shifted - shift));
  misfit |= (bits + offset) / (2 * offset) | (rest + rest);  // zeros of both signs leave no rest
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(bits));
}

/// Costs that were checked before.
template <class Number, class Work>
VODA_ALWAYS_INLINE Work converted(Number cost, std::uint64_t& /*misfit*/, Work /*type*/) {
  return static_cast<Work>(cost);
}

/// Also of what does not fit, which must not overflow.
template <class Work>
VODA_ALWAYS_INLINE Work signed_as(Work sign, Work value) {
  if constexpr (is_floating_work<Work>) {
    return sign < 0 ? -value : value;
  } else {
    const auto bits = static_cast<std::make_unsigned_t<Work>>(value);
    return static_cast<Work>(sign < 0 ? -bits : bits);
  }
}

/// Copies a row, times `sign`, which is 1 or -1; returns whether every cost fits.
template <class Number, class Work>
VODA_ALWAYS_INLINE bool convert_loop(const Number* __restrict cost,
                                     int columns,
                                     Work sign,
                                     Work* __restrict result) {
  std::array<std::uint64_t, scan_lanes> misfit{};
  int column = 0;
  for (; column + scan_lanes <= columns; column += scan_lanes) {
    for (int lane = 0; lane < scan_lanes; ++lane) {
      const Work value =
          converted(cost[column + lane], misfit[static_cast<std::size_t>(lane)], Work{});
      result[column + lane] = signed_as(sign, value);
    }
  }
  for (; column < columns; ++column) {
    const Work value = converted(cost[column], misfit[0], Work{});
    result[column] = signed_as(sign, value);
  }
  std::uint64_t any = 0;
  for (const std::uint64_t lane : misfit) {
    any |= lane;
  }
  return any == 0;
}

}  // namespace voda::assignment_detail

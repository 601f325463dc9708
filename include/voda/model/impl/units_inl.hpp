#pragma once

#include "voda/model/units.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"

namespace voda {

VODA_INLINE Duration duration_from_seconds(double seconds, std::string_view field) {
  if (!(std::abs(seconds) <= max_seconds)) {
    throw InvalidInput(fmt::format("{}: {} is not a time; expected seconds from -{:.0e} to {:.0e}",
                                   field,
                                   seconds,
                                   max_seconds,
                                   max_seconds));
  }
  return Duration(static_cast<std::int64_t>(std::floor(unfused(seconds * 1e6) + 0.5)));
}

VODA_INLINE TimePoint time_from_seconds(double seconds, std::string_view field) {
  return TimePoint(duration_from_seconds(seconds, field));
}

VODA_INLINE std::int64_t saturating_add(std::int64_t a, std::int64_t b) noexcept {
  using Limits = std::numeric_limits<std::int64_t>;
  if (b > 0 && a > Limits::max() - b)
    return Limits::max();
  if (b < 0 && a < Limits::min() - b)
    return Limits::min();
  return a + b;
}

VODA_INLINE std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) noexcept {
  using Limits = std::numeric_limits<std::int64_t>;
  if (a == 0 || b == 0)
    return 0;
  const bool is_negative = (a < 0) != (b < 0);
  const auto magnitude = [](std::int64_t x) {
    return x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  };
  const auto limit = static_cast<std::uint64_t>(Limits::max());
  if (magnitude(a) > limit / magnitude(b))
    return is_negative ? Limits::min() : Limits::max();
  return a * b;
}

}  // namespace voda

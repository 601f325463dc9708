#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "voda/config.hpp"

namespace voda {

/// A number of GPUs; counts are added all day, so this stays a plain integer.
using GpuCount = std::int32_t;

/// GPUs multiplied by time, in whole GPU-microseconds, so that sums and threshold tests are exact.
struct GpuTime {
  std::int64_t gpu_microseconds = 0;
  auto operator<=>(const GpuTime&) const = default;
};

/// Scheduler time in whole microseconds; the caller supplies it, so a trace replays bit for bit.
struct Clock {
  using rep = std::int64_t;
  using period = std::micro;
  using duration = std::chrono::duration<rep, period>;
  using time_point = std::chrono::time_point<Clock>;
  static constexpr bool is_steady = true;
};

using Duration = Clock::duration;
using TimePoint = Clock::time_point;

/// Stands for an instant that has not come: a job that never started, a review that nobody asked for.
inline constexpr TimePoint never = TimePoint::max();

/// Largest magnitude of a time or of an amount of work at the border, in seconds (31,709 years).
inline constexpr double max_seconds = 1e12;

/// Reads seconds as floor(seconds * 1e6 + 0.5) microseconds.
///
/// Throws InvalidInput that names `field` when `seconds` is not finite or its magnitude exceeds `max_seconds`.
[[nodiscard]] Duration duration_from_seconds(double seconds, std::string_view field);

/// Reads an instant given in seconds; as duration_from_seconds.
[[nodiscard]] TimePoint time_from_seconds(double seconds, std::string_view field);

/// Microseconds as seconds; exact to 2^53 microseconds (285 years).
[[nodiscard]] constexpr double to_seconds(Duration duration) noexcept {
  return static_cast<double>(duration.count()) / 1e6;
}

/// An instant as seconds since the clock's zero.
[[nodiscard]] constexpr double to_seconds(TimePoint time) noexcept {
  return to_seconds(time.time_since_epoch());
}

/// GPU-microseconds as GPU-seconds.
[[nodiscard]] constexpr double to_seconds(GpuTime time) noexcept {
  return static_cast<double>(time.gpu_microseconds) / 1e6;
}

/// a + b, or the largest representable value when the sum overflows; for products of long times and many GPUs.
[[nodiscard]] std::int64_t saturating_add(std::int64_t a, std::int64_t b) noexcept;

/// a * b, clamped to the representable range.
[[nodiscard]] std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) noexcept;

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/units_inl.hpp"
#endif

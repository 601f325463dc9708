#pragma once

#include "voda/model/allowed_sizes.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace allowed_sizes_detail {

[[nodiscard]] inline GpuCount power_at_most(GpuCount limit) {
  return static_cast<GpuCount>(std::bit_floor(static_cast<std::uint32_t>(limit)));
}

/// Powers of two that are multiples of p exist only when p is one itself.
[[nodiscard]] inline GpuCount first_power(GpuCount gpus_per_worker) {
  return std::has_single_bit(static_cast<std::uint32_t>(gpus_per_worker)) ? gpus_per_worker : 0;
}

inline void check(GpuCount min, GpuCount max, SizeRule rule, GpuCount gpus_per_worker) {
  if (min < 1)
    throw InvalidInput(fmt::format("min_gpus {}; expected a number >= 1", min));
  if (max < min)
    throw InvalidInput(fmt::format("max_gpus {} < min_gpus {}", max, min));
  if (gpus_per_worker < 1) {
    throw InvalidInput(fmt::format("gpus_per_worker {}; expected a number >= 1", gpus_per_worker));
  }
  if (rule.kind == SizeRule::Kind::step && rule.step < 1) {
    throw InvalidInput(fmt::format("sizes.step {}; expected a number >= 1", rule.step));
  }
}

}  // namespace allowed_sizes_detail

VODA_INLINE AllowedSizes allowed_sizes(GpuCount min,
                                       GpuCount max,
                                       SizeRule rule,
                                       GpuCount gpus_per_worker) {
  allowed_sizes_detail::check(min, max, rule, gpus_per_worker);
  const std::int64_t p = gpus_per_worker;
  const std::int64_t first = (min + p - 1) / p * p;
  const std::int64_t last = max / p * p;
  if (first > last) {
    throw InvalidInput(fmt::format(
        "gpus_per_worker {}: no multiple of it lies between min_gpus {} and max_gpus {}",
        gpus_per_worker,
        min,
        max));
  }
  AllowedSizes result{.min = static_cast<GpuCount>(first),
                      .max = static_cast<GpuCount>(last),
                      .step = gpus_per_worker,
                      .smallest_power = 0,
                      .gpus_per_worker = gpus_per_worker};
  if (rule.kind == SizeRule::Kind::step) {
    const std::int64_t step = std::lcm(static_cast<std::int64_t>(rule.step), p);
    constexpr std::int64_t limit = std::numeric_limits<GpuCount>::max();
    result.step = static_cast<GpuCount>(std::min(step, limit));
  }
  if (rule.kind == SizeRule::Kind::powers_of_two) {
    result.step = 0;
    result.smallest_power = allowed_sizes_detail::first_power(gpus_per_worker);
  }
  return result;
}

VODA_INLINE GpuCount next_size(const AllowedSizes& sizes, GpuCount size) {
  if (size < sizes.min)
    return sizes.min <= sizes.max ? sizes.min : 0;
  if (size >= sizes.max)
    return 0;
  std::int64_t next = 0;
  if (sizes.step > 0) {
    const std::int64_t steps = (size - sizes.min) / sizes.step + 1;
    next = sizes.min + steps * sizes.step;
  } else if (sizes.smallest_power > 0) {
    next = std::max<std::int64_t>(sizes.smallest_power,
                                  std::int64_t{allowed_sizes_detail::power_at_most(size)} * 2);
  }
  return next <= sizes.max ? static_cast<GpuCount>(next) : 0;
}

VODA_INLINE GpuCount largest_size(const AllowedSizes& sizes, GpuCount limit) {
  limit = std::min(limit, sizes.max);
  if (limit < sizes.min)
    return 0;
  if (sizes.step > 0)
    return sizes.min + (limit - sizes.min) / sizes.step * sizes.step;
  const GpuCount power = allowed_sizes_detail::power_at_most(limit);
  const bool is_size = sizes.smallest_power > 0 && power >= sizes.smallest_power;
  return is_size ? std::max(sizes.min, power) : sizes.min;
}

VODA_INLINE bool is_allowed(const AllowedSizes& sizes, GpuCount size) {
  return size == 0 || (size > 0 && largest_size(sizes, size) == size);
}

}  // namespace voda

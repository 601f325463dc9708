#pragma once

#include <cstdint>

#include "voda/config.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// How a job narrows the GPU counts between its minimum and its maximum.
struct SizeRule {
  enum class Kind : std::uint8_t {
    every,         // m, m + 1, ..., M
    step,          // m, m + step, m + 2 step, ...
    powers_of_two  // m and the powers of two in [m, M]
  };

  Kind kind = Kind::every;
  GpuCount step = 1;  // >= 1; read only for Kind::step
  bool operator==(const SizeRule&) const = default;
};

/// The GPU counts that a job may hold besides 0: `min` and, up to `max`, what the rule adds.
///
/// Built by allowed_sizes(); with several GPUs per worker all of them are multiples of that number.
struct AllowedSizes {
  GpuCount min = 1;
  GpuCount max = 1;             // an upper bound, not always a size itself
  GpuCount step = 1;            // > 0: min, min + step, ...; 0: min and powers of two
  GpuCount smallest_power = 1;  // with step 0: powers of two from here on, 0 for none
  GpuCount gpus_per_worker = 1;
  bool operator==(const AllowedSizes&) const = default;
};

/// Forms the sizes of a job (policies.md, section 0): `min` is rounded up and `max` down to multiples of
/// `gpus_per_worker`, sizes are formed from them, those that are no multiples are dropped.
///
/// Throws InvalidInput when min < 1, max < min, step < 1, gpus_per_worker < 1, or when no multiple lies in [min, max].
[[nodiscard]] AllowedSizes allowed_sizes(GpuCount min,
                                         GpuCount max,
                                         SizeRule rule = {},
                                         GpuCount gpus_per_worker = 1);

/// The smallest allowed size above `size`, or 0 when there is none; next_size(sizes, 0) is the minimum. O(1).
[[nodiscard]] GpuCount next_size(const AllowedSizes& sizes, GpuCount size);

/// The largest allowed size <= `limit`, or 0 when even the minimum is larger. O(1).
[[nodiscard]] GpuCount largest_size(const AllowedSizes& sizes, GpuCount limit);

/// True for 0 and for every allowed size.
[[nodiscard]] bool is_allowed(const AllowedSizes& sizes, GpuCount size);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/allowed_sizes_inl.hpp"
#endif

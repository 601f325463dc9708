#pragma once

#include <cstdint>

#include "voda/config.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// How long a job makes no progress after its size or its place changed (simulation.md, "Resize
/// cost").
struct ResizeCost {
  enum class Kind : std::uint8_t {
    none,    // nothing
    stall,   // fixed_s
    restart  // fixed_s + per_doubling_s * (log2(new size) + 1)
  };

  Kind kind = Kind::none;
  double fixed_s = 0;         // from 0 to `largest_s`
  double per_doubling_s = 0;  // from 0 to `largest_s`; read only for Kind::restart
  bool operator==(const ResizeCost&) const = default;

  /// The stall after a change to `new_size` GPUs, rounded to microseconds; 0 for a size below 1.
  /// The logarithm is portable_log2(), so the price is the same on every machine and exact for
  /// powers of two.
  [[nodiscard]] Duration price(GpuCount new_size) const;

  static constexpr double largest_s = 1e9;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/resize_cost_inl.hpp"
#endif

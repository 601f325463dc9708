#pragma once

#include "voda/simulator/resize_cost.hpp"

#include "voda/model/exact.hpp"
#include "voda/simulator/portable_math.hpp"

namespace voda {

VODA_INLINE Duration ResizeCost::price(GpuCount new_size) const {
  if (kind == Kind::none || new_size < 1)
    return Duration(0);
  if (kind == Kind::stall)
    return duration_from_seconds(fixed_s, "resize cost");
  const double doublings = portable_log2(new_size) + 1;
  return duration_from_seconds(fixed_s + unfused(per_doubling_s * doublings), "resize cost");
}

}  // namespace voda

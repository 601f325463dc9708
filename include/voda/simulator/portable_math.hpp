#pragma once

#include "voda/config.hpp"

namespace voda {

/// Natural logarithm of a finite x > 0, the same bits on every machine; within 2 units in the last
/// place.
///
/// x = m * 2^k with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh((m - 1) / (m + 1)) as a series of
/// fixed length. Library functions are rounded differently by each library, and sums of products
/// are contracted by compilers; this is neither.
[[nodiscard]] double portable_log(double x);

/// Logarithm to base 2 of a finite x > 0, the same bits on every machine; exact for powers of two.
[[nodiscard]] double portable_log2(double x);

/// e^x for |x| <= 700, the same bits on every machine; within 2 units in the last place.
[[nodiscard]] double portable_exp(double x);

/// Sine of 2 pi x for |x| <= 2^50, the same bits on every machine; absolute error below 1e-15.
[[nodiscard]] double portable_sine_of_turns(double turns);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/portable_math_inl.hpp"
#endif

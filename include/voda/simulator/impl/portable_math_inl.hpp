#pragma once

#include "voda/simulator/portable_math.hpp"

#include <cmath>

#include "voda/model/exact.hpp"

namespace voda {
namespace portable_math_detail {

// Cody and Waite, Software Manual for the Elementary Functions, 1980, chapter 6: the upper part has
// few enough bits for exact products with exponents.
inline constexpr double ln2_upper = 0.693359375;
inline constexpr double ln2_lower = -2.121944400546905827679e-4;
inline constexpr double ln2 = 0.693147180559945309417;
inline constexpr double pi = 3.14159265358979323846;

/// x = mantissa * 2^exponent with mantissa in [sqrt(1/2), sqrt(2)).
struct Split {
  double mantissa = 1;
  int exponent = 0;
};

[[nodiscard]] inline Split split(double x) {
  Split result;
  result.mantissa = std::frexp(x, &result.exponent);
  constexpr double half_root = 0.70710678118654752440;
  if (result.mantissa < half_root) {
    result.mantissa *= 2;
    --result.exponent;
  }
  return result;
}

/// log of a mantissa in [sqrt(1/2), sqrt(2)); the first term left out is below 2^-58 of the sum.
[[nodiscard]] inline double log_of_mantissa(double mantissa) {
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = unfused(s * s);
  double sum = 0;
  for (int n = 23; n >= 3; n -= 2)
    sum = unfused((sum + 1.0 / n) * square);
  return unfused(2 * s) + unfused(2 * s * sum);
}

}  // namespace portable_math_detail

VODA_INLINE double portable_log(double x) {
  namespace detail = portable_math_detail;
  const auto [mantissa, exponent] = detail::split(x);
  const double k = exponent;
  const double lower = unfused(k * detail::ln2_lower) + detail::log_of_mantissa(mantissa);
  return unfused(k * detail::ln2_upper) + lower;
}

VODA_INLINE double portable_log2(double x) {
  namespace detail = portable_math_detail;
  const auto [mantissa, exponent] = detail::split(x);
  return static_cast<double>(exponent) + unfused(detail::log_of_mantissa(mantissa) / detail::ln2);
}

VODA_INLINE double portable_exp(double x) {
  namespace detail = portable_math_detail;
  const double k = std::floor(unfused(x / detail::ln2) + 0.5);
  const double reduced = x - unfused(k * detail::ln2_upper);
  const double rest = reduced - unfused(k * detail::ln2_lower);
  double sum = 1;
  for (int n = 15; n >= 1; --n)
    sum = 1 + unfused(rest * sum / n);
  return std::ldexp(sum, static_cast<int>(k));
}

VODA_INLINE double portable_sine_of_turns(double turns) {
  namespace detail = portable_math_detail;
  double x = turns - std::floor(turns + 0.5);  // [-1/2, 1/2)
  if (x > 0.25)
    x = 0.5 - x;
  if (x < -0.25)
    x = -0.5 - x;
  const double angle = unfused(2 * detail::pi * x);
  const double square = unfused(angle * angle);
  double sum = 1;
  for (int n = 20; n >= 2; n -= 2)
    sum = 1 - unfused(square * sum / (n * (n + 1)));
  return angle * sum;
}

}  // namespace voda

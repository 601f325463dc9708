#pragma once

namespace voda {

/// Returns `value` unchanged and hides it from the optimiser.
///
/// Compilers contract `a * b + c` to a fused multiply-add under `-march=x86-64-v3` or on ARM, which rounds once instead of
/// twice and so changes results. A product wrapped in `unfused` before it is added is rounded by itself on every machine.
[[nodiscard]] inline double unfused(double value) noexcept {
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
  asm("" : "+x"(value));
  return value;
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
  asm("" : "+w"(value));
  return value;
#else
  volatile double hidden = value;
  return hidden;
#endif
}

}  // namespace voda

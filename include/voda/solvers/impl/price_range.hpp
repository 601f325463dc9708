#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace voda::assignment_detail {

__extension__ using Int128 = __int128;

template <class Work>
inline constexpr bool is_floating_work = std::is_floating_point_v<Work>;

/// Larger than every distance and price; only compared, never added to.
template <class Work>
constexpr Work infinite() {
  if constexpr (is_floating_work<Work>) {
    return std::numeric_limits<Work>::infinity();
  } else if constexpr (std::is_same_v<Work, Int128>) {
    return static_cast<Int128>(1) << 126;
  } else {
    return std::numeric_limits<Work>::max();
  }
}

/// Magnitude of costs, prices and distances up to which a sum of six of them fits; beyond it a
/// wider type must be used.
template <class Work>
constexpr Work safe_magnitude() {
  if constexpr (is_floating_work<Work>) {
    return std::numeric_limits<Work>::infinity();
  } else {
    return static_cast<Work>(static_cast<Work>(1) << (8 * sizeof(Work) - 4));
  }
}

template <class Work>
constexpr bool is_safe(Work value) {
  return value <= safe_magnitude<Work>() && -value <= safe_magnitude<Work>();
}

}  // namespace voda::assignment_detail

#pragma once

#include "voda/simulator/random.hpp"

#include <bit>
#include <cmath>

#include "voda/model/exact.hpp"
#include "voda/simulator/portable_math.hpp"

namespace voda {
namespace random_detail {

/// One step of splitmix64 from `state`, which advances by a constant each time.
[[nodiscard]] inline std::uint64_t splitmix64(std::uint64_t state) {
  state += 0x9E3779B97F4A7C15;
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

}  // namespace random_detail

VODA_INLINE RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t state = stream == 0 ? seed : seed ^ random_detail::splitmix64(stream);
  for (auto& word : state_) {
    word = random_detail::splitmix64(state);
    state += 0x9E3779B97F4A7C15;
  }
}

VODA_INLINE std::uint64_t RandomStream::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

VODA_INLINE double RandomStream::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

VODA_INLINE std::uint64_t RandomStream::below(std::uint64_t bound) {
  const std::uint64_t unfair = (0 - bound) % bound;  // 2^64 mod bound
  while (true) {
    const std::uint64_t bits = next();
    if (bits >= unfair)
      return bits % bound;
  }
}

VODA_INLINE double RandomStream::exponential() {
  return -portable_log(1 - uniform());
}

VODA_INLINE double RandomStream::normal() {
  while (true) {
    const double x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    const double square = unfused(x * x) + unfused(y * y);
    if (square >= 1 || square <= 0)
      continue;
    return unfused(x * std::sqrt(unfused(-2 * portable_log(square) / square)));
  }
}

}  // namespace voda

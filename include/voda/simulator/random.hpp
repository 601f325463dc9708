#pragma once

#include <array>
#include <cstdint>

#include "voda/config.hpp"

namespace voda {

/// A stream of random numbers that is the same on every machine for the same seed.
///
/// xoshiro256** 1.0 (Blackman and Vigna, Scrambled linear pseudorandom number generators, ACM TOMS
/// 2021), seeded with splitmix64. Standard distributions differ between libraries, so the few that
/// are needed are here.
class RandomStream {
 public:
  /// Streams of one seed with different numbers are independent for all practical purposes.
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);

  /// 64 random bits.
  [[nodiscard]] std::uint64_t next();

  /// Uniform in [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform();

  /// Uniform in 0 .. bound - 1; `bound` > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);

  /// Exponential with mean 1.
  [[nodiscard]] double exponential();

  /// Normal with mean 0 and variance 1 (Marsaglia's polar method).
  [[nodiscard]] double normal();

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/random_inl.hpp"
#endif

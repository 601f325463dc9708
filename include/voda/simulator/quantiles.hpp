#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "voda/config.hpp"

namespace voda {

/// How a quantity is spread: its values at ascending probabilities from 0 to 1.
struct Quantiles {
  std::vector<double> probabilities{};
  std::vector<double> values{};  // one per probability; none falls
  bool operator==(const Quantiles&) const = default;
};

/// How a value is found between two quantiles. Logarithmic is linear where the lower one is not
/// above 0.
enum class Interpolation : std::uint8_t { linear, logarithmic };

/// Throws InvalidInput that names `name` unless there are as many values as probabilities, these
/// ascend from 0 to 1, and the values do not fall and lie from `min` to `max`.
void check(const Quantiles& quantiles, std::string_view name, double min, double max);

/// The value at a probability from 0 to 1, the same bits on every machine. O(log quantiles).
[[nodiscard]] double value_at(const Quantiles& quantiles,
                              double probability,
                              Interpolation interpolation);

/// The smallest member of an ascending sample at or below which at least the share `probability`
/// of it lies; the smallest of all at 0. The sample must not be empty.
[[nodiscard]] double quantile_of(std::span<const double> ascending, double probability);

/// Quantiles of a sample at 0, 1 %, every 5 % from 5 to 95 %, 96, 97, 98, 99, 99.5, 99.9 and 100 %.
///
/// No two neighbours are more than 5 % apart, so the Kolmogorov-Smirnov distance of what
/// value_at() draws from the sample is at most 0.05, however it interpolates. The sample must not
/// be empty.
[[nodiscard]] Quantiles quantiles_of(std::vector<double> sample);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/quantiles_inl.hpp"
#endif

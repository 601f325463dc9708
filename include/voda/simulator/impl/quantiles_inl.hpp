#pragma once

#include "voda/simulator/quantiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "voda/config.hpp"
#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/simulator/portable_math.hpp"

namespace voda {
namespace quantiles_detail {

inline constexpr std::array<double, 28> fitted_probabilities{
    0,    0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3,  0.35, 0.4,  0.45, 0.5,   0.55,  0.6,
    0.65, 0.7,  0.75, 0.8, 0.85, 0.9, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999, 1};

}  // namespace quantiles_detail

VODA_INLINE void check(const Quantiles& quantiles, std::string_view name, double min, double max) {
  const auto& probabilities = quantiles.probabilities;
  const auto& values = quantiles.values;
  if (probabilities.size() < 2 || values.size() != probabilities.size()) {
    throw InvalidInput(
        fmt::format("{}: {} probabilities and {} values; expected a value each, and "
                    "at least two",
                    name,
                    probabilities.size(),
                    values.size()));
  }
  const bool spans_all = probabilities.front() >= 0 && probabilities.front() <= 0 &&
                         probabilities.back() >= 1 && probabilities.back() <= 1;
  if (!spans_all) {
    throw InvalidInput(fmt::format("{}: probabilities from {} to {}; expected them from 0 to 1",
                                   name,
                                   probabilities.front(),
                                   probabilities.back()));
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= min && values[i] <= max)) {
      throw InvalidInput(fmt::format("{}: {} at probability {}; expected a number from {} to {}",
                                     name,
                                     values[i],
                                     probabilities[i],
                                     min,
                                     max));
    }
    if (i == 0)
      continue;
    if (!(probabilities[i - 1] < probabilities[i])) {
      throw InvalidInput(fmt::format("{}: probability {} after {}; expected them to ascend",
                                     name,
                                     probabilities[i],
                                     probabilities[i - 1]));
    }
    if (values[i] < values[i - 1]) {
      throw InvalidInput(
          fmt::format("{}: {} at probability {} after {}; expected no value below "
                      "the one before it",
                      name,
                      values[i],
                      probabilities[i],
                      values[i - 1]));
    }
  }
}

VODA_INLINE double value_at(const Quantiles& quantiles,
                            double probability,
                            Interpolation interpolation) {
  const auto& probabilities = quantiles.probabilities;
  const auto upper = std::ranges::upper_bound(probabilities, probability);
  const auto right = std::min<std::size_t>(static_cast<std::size_t>(upper - probabilities.begin()),
                                           probabilities.size() - 1);
  const std::size_t left = right - 1;
  const double fraction =
      (probability - probabilities[left]) / (probabilities[right] - probabilities[left]);
  const double low = quantiles.values[left];
  const double high = quantiles.values[right];
  if (interpolation == Interpolation::linear || low <= 0)
    return low + unfused((high - low) * fraction);
  const double low_log = portable_log(low);
  const double high_log = portable_log(high);
  return portable_exp(low_log + unfused((high_log - low_log) * fraction));
}

VODA_INLINE double quantile_of(std::span<const double> ascending, double probability) {
  const auto count = static_cast<double>(ascending.size());
  const double rank = std::ceil(unfused(probability * count));  // 1 is the smallest
  return ascending[static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1];
}

VODA_INLINE Quantiles quantiles_of(std::vector<double> sample) {
  std::ranges::sort(sample);
  Quantiles result;
  for (const double probability : quantiles_detail::fitted_probabilities) {
    result.probabilities.push_back(probability);
    result.values.push_back(quantile_of(sample, probability));
  }
  return result;
}

}  // namespace voda

#pragma once

#include "voda/simulator/forecast.hpp"

#include <algorithm>

#include "voda/model/exact.hpp"
#include "voda/simulator/portable_math.hpp"
#include "voda/simulator/quantiles.hpp"

namespace voda {
VODA_INLINE Forecast forecast_of(std::span<const double> sorted_s) {
  return {.p10_s = quantile_of(sorted_s, 0.1),
          .p50_s = quantile_of(sorted_s, 0.5),
          .p90_s = quantile_of(sorted_s, 0.9)};
}

VODA_INLINE double pinball_loss(const Forecast& forecast, double actual_s) {
  const auto loss = [actual_s](double quantile_s, double level) {
    const double above = actual_s - quantile_s;
    return above > 0 ? unfused(level * above) : unfused((level - 1) * above);
  };
  return (loss(forecast.p10_s, 0.1) + loss(forecast.p50_s, 0.5) + loss(forecast.p90_s, 0.9)) / 3;
}

VODA_INLINE Forecast IntervalScale::scaled(const Forecast& forecast) const {
  const double narrow = narrowest_s + unfused(narrowest_share * forecast.p50_s);
  const double below = unfused(lower_ * std::max(narrow, forecast.p50_s - forecast.p10_s));
  const double above = unfused(upper_ * std::max(narrow, forecast.p90_s - forecast.p50_s));
  return {.p10_s = std::max(0.0, forecast.p50_s - below),
          .p50_s = forecast.p50_s,
          .p90_s = forecast.p50_s + above};
}

VODA_INLINE double IntervalScale::learned(double scale, bool is_miss) const {
  const double change = portable_exp(step_ * ((is_miss ? 1 : 0) - miss_share_));
  return std::clamp(unfused(scale * change), narrowest, widest);
}

VODA_INLINE void IntervalScale::learn_lower(bool is_below) {
  lower_ = learned(lower_, is_below);
}

VODA_INLINE void IntervalScale::learn_upper(bool is_above) {
  upper_ = learned(upper_, is_above);
}

}  // namespace voda

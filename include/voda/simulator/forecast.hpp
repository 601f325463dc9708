#pragma once

#include <vector>

#include "voda/config.hpp"

namespace voda {

/// A length of time that is not known yet, as three of its quantiles in seconds: p10 <= p50 <= p90.
struct Forecast {
  double p10_s = 0;
  double p50_s = 0;
  double p90_s = 0;
  bool operator==(const Forecast&) const = default;
};

/// Quantiles of a sample by nearest rank; the sample must not be empty.
[[nodiscard]] Forecast forecast_of(std::vector<double> sample_s);

/// The pinball loss of a forecast, in seconds: for a quantile q of level p it is p (actual - q) above q and (1 - p) (q - actual) below;
/// here the mean over the three. The smaller, the better; no other statement than the true quantiles can expect less (Gneiting and
/// Raftery, JASA 2007).
[[nodiscard]] double pinball_loss(const Forecast& forecast, double actual_s);

/// Widens and narrows the intervals of forecasts so that in the long run 9 % of the outcomes fall below p10 and 9 % above p90: two
/// per cent on the safe side of an 80 % interval.
///
/// An outcome below p10 makes the next lower half wider by e^(0.91 * step), any other narrower by e^(0.09 * step), and likewise above
/// p90: adaptive conformal inference (Gibbs and Candès, NeurIPS 2021) on the logarithm of the width. So the shares hold even where
/// the load drifts away from what was seen.
class IntervalScale {
 public:
  static constexpr double miss_share = 0.09;  // on either side
  static constexpr double step = 0.15;
  static constexpr double narrowest = 0.2;
  static constexpr double widest = 10;
  static constexpr double narrowest_s = 1;
  static constexpr double narrowest_share = 0.01;

  /// The forecast with its lower and upper half scaled, not below 0. A half that is narrower than one second and one per cent of p50
  /// is taken as that wide: futures that all agree may still all be a little wrong.
  [[nodiscard]] Forecast scaled(const Forecast& forecast) const;

  /// Learns from what came of a forecast that scaled() gave.
  void learn(const Forecast& given, double actual_s);

  [[nodiscard]] double lower() const { return lower_; }

  [[nodiscard]] double upper() const { return upper_; }

 private:
  double lower_ = 1;
  double upper_ = 1;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/forecast_inl.hpp"
#endif

#pragma once

#include <span>

#include "voda/config.hpp"

namespace voda {

/// A length of time that is not known yet, as three of its quantiles in seconds: p10 <= p50 <= p90.
struct Forecast {
  double p10_s = 0;
  double p50_s = 0;
  double p90_s = 0;
  bool operator==(const Forecast&) const = default;
};

/// Quantiles of a sample by nearest rank; the sample must ascend and not be empty.
[[nodiscard]] Forecast forecast_of(std::span<const double> sorted_s);

/// The pinball loss of a forecast, in seconds: for a quantile q of level p it is p (actual - q) above q and (1 - p) (q - actual) below;
/// here the mean over the three. The smaller, the better; no other statement than the true quantiles can expect less (Gneiting and
/// Raftery, JASA 2007).
[[nodiscard]] double pinball_loss(const Forecast& forecast, double actual_s);

/// Widens and narrows the intervals of forecasts so that in the long run a share of `miss_share` of the outcomes falls below p10 and
/// as many above p90. Less than 10 % keeps an 80 % interval on the safe side.
///
/// An outcome below p10 makes the next lower half wider by e^((1 - miss_share) * step), any other narrower by e^(miss_share * step),
/// and likewise above p90: adaptive conformal inference (Gibbs and Candès, NeurIPS 2021) on the logarithm of the width. So the
/// shares hold even where the load drifts away from what was seen. That an outcome will be above is known as soon as p90 has
/// passed; telling it then (learn_upper) lets later forecasts profit while the queue stands still.
class IntervalScale {
 public:
  static constexpr double narrowest = 0.2;
  static constexpr double widest = 10;
  static constexpr double narrowest_s = 1;
  static constexpr double narrowest_share = 0.01;

  /// `step` > 0: how much one outcome changes; `miss_share` from 0 to 1.
  explicit IntervalScale(double step = 0.07, double miss_share = 0.08)
      : step_(step), miss_share_(miss_share) {}

  /// The forecast with its lower and upper half scaled, not below 0. A half that is narrower than one second and one per cent of p50
  /// is taken as that wide: futures that all agree may still all be a little wrong.
  [[nodiscard]] Forecast scaled(const Forecast& forecast) const;

  /// Learns whether the outcome of a forecast that scaled() gave was below p10, and whether above p90; once for each.
  void learn_lower(bool is_below);
  void learn_upper(bool is_above);

  [[nodiscard]] double lower() const { return lower_; }

  [[nodiscard]] double upper() const { return upper_; }

 private:
  [[nodiscard]] double learned(double scale, bool is_miss) const;

  double step_ = 0;
  double miss_share_ = 0;
  double lower_ = 1;
  double upper_ = 1;
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/forecast_inl.hpp"
#endif

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "voda/model/exact.hpp"
#include "voda/simulator/impl/workload_fits.hpp"
#include "voda/simulator/portable_math.hpp"
#include "voda/simulator/random.hpp"
#include "voda/simulator/workload_profile.hpp"

/// When jobs arrive: shared by the generator and by what fits it.
namespace voda::workload_detail {

inline constexpr int hours_of_week = 168;

/// Mean arrivals by hour of a week that begins on Monday at 0:00.
class WeeklyRate {
 public:
  explicit WeeklyRate(std::span<const double, hours_of_week> rates) {
    for (const double rate : rates) {
      rate_.push_back(rate);
      sum_.push_back(sum_.back() + rate);
    }
  }

  /// Arrivals up to an instant, in hours.
  [[nodiscard]] double arrivals_until(double hour) const {
    const double weeks = std::floor(hour / hours);
    const double in_week = std::clamp(hour - unfused(weeks * hours), 0.0, hours - 1e-9);
    const auto at = static_cast<std::size_t>(in_week);
    const double part = unfused(rate_[at] * (in_week - static_cast<double>(at)));
    return unfused(weeks * sum_.back()) + (sum_[at] + part);
  }

  /// The inverse of arrivals_until().
  [[nodiscard]] double hour_of(double arrivals) const {
    const double weeks = std::floor(arrivals / sum_.back());
    const double in_week = std::max(0.0, arrivals - unfused(weeks * sum_.back()));
    const auto above = std::ranges::upper_bound(sum_, in_week);
    const auto at =
        std::min<std::size_t>(static_cast<std::size_t>(above - sum_.begin()) - 1, rate_.size() - 1);
    const double into_hour = rate_[at] > 0 ? (in_week - sum_[at]) / rate_[at] : 0;
    const double hour = static_cast<double>(at) + into_hour;
    return unfused(weeks * hours) + hour;
  }

 private:
  static constexpr int hours = hours_of_week;

  std::vector<double> rate_{};
  std::vector<double> sum_{0};  // before hour 0, 1, ...
};

/// The rates of ArrivalPattern::daily.
[[nodiscard]] inline WeeklyRate daily_rate() {
  std::array<double, hours_of_week> rates{};
  for (int hour = 0; hour < hours_of_week; ++hour) {
    const double sine = portable_sine_of_turns((hour % 24 - 9) / 24.0);
    const double weight = hour / 24 >= 5 ? weekend_rate : 1;
    rates[static_cast<std::size_t>(hour)] = unfused(weight * (1 + unfused(daily_amplitude * sine)));
  }
  return WeeklyRate(rates);
}

/// The rates of a model: those of the hour and of the day multiplied.
[[nodiscard]] inline WeeklyRate fitted_rate(const ArrivalModel& model) {
  std::array<double, hours_of_week> rates{};
  for (std::size_t hour = 0; hour < rates.size(); ++hour)
    rates[hour] = unfused(model.hour_of_day[hour % 24] * model.day_of_week[hour / 24]);
  return WeeklyRate(rates);
}

/// Gaps of any squared coefficient of variation: from 1 on, two exponentials of balanced means
/// (each carries half of the time); below, a constant and an exponential.
class VariedGaps {
 public:
  explicit VariedGaps(double squared_variation) : is_mixture_(squared_variation >= 1) {
    if (is_mixture_) {
      const double root = std::sqrt((squared_variation - 1) / (squared_variation + 1));
      short_share_ = (1 + root) / 2;
    } else {
      random_part_ = std::sqrt(squared_variation);
    }
  }

  [[nodiscard]] double draw(RandomStream& random) const {
    if (!is_mixture_)
      return 1 - random_part_ + unfused(random_part_ * random.exponential());
    const bool is_short = random.uniform() < short_share_;
    const double mean = 1 / (2 * (is_short ? short_share_ : 1 - short_share_));
    return unfused(mean * random.exponential());
  }

 private:
  bool is_mixture_ = true;
  double short_share_ = 0.5;
  double random_part_ = 1;
};

[[nodiscard]] inline double draw_bursty_gap(RandomStream& random) {
  const bool is_short = random.uniform() < short_gap_share;
  return unfused((is_short ? short_gap_mean : long_gap_mean) * random.exponential());
}

/// A gap of a model, in any unit.
[[nodiscard]] inline double draw_fitted_gap(const ArrivalModel& model, RandomStream& random) {
  if (model.gaps)
    return value_at(*model.gaps, random.uniform(), Interpolation::logarithmic);
  return VariedGaps(model.squared_variation).draw(random);
}

}  // namespace voda::workload_detail

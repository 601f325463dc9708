#pragma once

#include <map>

#include "voda/model/exact.hpp"
#include "voda/model/speedup_curve.hpp"
#include "voda/model/units.hpp"

namespace voda::measured_curve_detail {

/// Speeds in any unit by GPU count, scaled to S: S(1) = 1, or S(n) = n at the smallest measured n.
[[nodiscard]] inline SpeedupCurve scaled_curve(const std::map<GpuCount, double>& speeds) {
  const auto [first_gpus, first_speed] = *speeds.begin();
  std::map<GpuCount, double> points;
  for (const auto& [gpus, speed] : speeds) {
    points.emplace(gpus, unfused(static_cast<double>(first_gpus) * (speed / first_speed)));
  }
  return SpeedupCurve(points);
}

/// The same from times per iteration, which are divided only once: S(n) = t(1) / t(n).
[[nodiscard]] inline std::map<GpuCount, double> speeds_of_times(
    const std::map<GpuCount, double>& times) {
  const auto [first_gpus, first_time] = *times.begin();
  std::map<GpuCount, double> speeds;
  for (const auto& [gpus, time] : times) {
    speeds.emplace(gpus, unfused(static_cast<double>(first_gpus) * (first_time / time)));
  }
  return speeds;
}

}  // namespace voda::measured_curve_detail

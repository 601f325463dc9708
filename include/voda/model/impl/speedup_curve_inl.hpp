#pragma once

#include "voda/model/speedup_curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace speedup_curve_detail {

inline constexpr double largest_span_factor = 1024;
inline constexpr GpuCount dense_bound = 1024;  // a point at 2^31 GPUs must not cost 16 GB

/// floor(x * 2^24 + 0.5) / 2^24; scaling by a power of two is exact, so nothing can be fused.
[[nodiscard]] inline double round_to_unit(double value) {
  return std::floor(value * SpeedupCurve::units_per_speed + 0.5) / SpeedupCurve::units_per_speed;
}

inline void check_speed(GpuCount gpus, double speed) {
  if (gpus < 0) {
    throw InvalidInput(fmt::format("speedup: {} GPUs; expected a number >= 0", gpus));
  }
  if (gpus == 0 && speed != 0) {
    throw InvalidInput(fmt::format("speedup at 0 GPUs: {}; expected 0", speed));
  }
  if (gpus > 0 &&
      !(speed >= SpeedupCurve::smallest_speed && speed <= SpeedupCurve::largest_speed)) {
    throw InvalidInput(
        fmt::format("speedup at {} GPUs: {}; expected a number from 2^-24 to 2^20", gpus, speed));
  }
}

inline void check_factor(std::int32_t nodes, double factor) {
  if (nodes < 1)
    throw InvalidInput(fmt::format("span: {} nodes; expected a number >= 1", nodes));
  if (nodes == 1 && factor != 1) {
    throw InvalidInput(fmt::format("span at 1 node: {}; expected 1", factor));
  }
  if (!(factor > 0 && factor <= largest_span_factor)) {
    throw InvalidInput(fmt::format("span at {} nodes: {}; expected a number above 0, at most {}",
                                   nodes,
                                   factor,
                                   largest_span_factor));
  }
}

}  // namespace speedup_curve_detail

VODA_INLINE SpeedupCurve::SpeedupCurve(const std::map<GpuCount, double>& points,
                                       const std::map<std::int32_t, double>& span_factors) {
  namespace detail = speedup_curve_detail;
  auto table = std::make_shared<Table>();
  for (const auto& [gpus, speed] : points) {
    detail::check_speed(gpus, speed);
    if (table->points.empty())
      table->points.push_back({});
    if (gpus > 0)
      table->points.push_back({.at = gpus, .value = speed});
  }
  if (table->points.size() == 1)
    throw InvalidInput("speedup: only at 0 GPUs; expected a point at 1 or more GPUs");
  for (const auto& [nodes, factor] : span_factors) {
    detail::check_factor(nodes, factor);
    if (table->span_factors.empty())
      table->span_factors.push_back({.at = 1, .value = 1});
    if (nodes > 1)
      table->span_factors.push_back({.at = nodes, .value = factor});
  }
  if (!table->points.empty()) {
    const GpuCount last = std::min(table->points.back().at, detail::dense_bound);
    for (GpuCount gpus = 0; gpus <= last; ++gpus) {
      table->dense.push_back(detail::round_to_unit(interpolate(table->points, gpus)));
    }
    find_shape(*table);
  }
  if (!table->points.empty() || !table->span_factors.empty())
    table_ = std::move(table);
}

VODA_INLINE void SpeedupCurve::find_shape(Table& table) {
  const auto& speeds = table.dense;
  const std::size_t last = speeds.size() - 1;
  std::size_t rising = 0;
  while (rising < last && speeds[rising + 1] > speeds[rising])
    ++rising;
  std::size_t concave = 1;
  while (concave < last &&
         speeds[concave + 1] - speeds[concave] <= speeds[concave] - speeds[concave - 1])
    ++concave;
  table.rises_to = static_cast<GpuCount>(rising);
  // Flat after the last point: a gain of 0, which only follows a loss if it rises.
  const bool ends_here = table.points.back().at == static_cast<GpuCount>(last);
  const bool never_rises = concave == last && ends_here && speeds[last] >= speeds[last - 1];
  table.concave_to =
      never_rises ? std::numeric_limits<GpuCount>::max() : static_cast<GpuCount>(concave);
}

VODA_INLINE double SpeedupCurve::interpolate(const std::vector<Point>& points, std::int32_t at) {
  const auto right = std::ranges::lower_bound(points, at, {}, &Point::at);
  if (right == points.end())
    return points.back().value;
  if (right->at == at)
    return right->value;
  const auto& b = *right;
  const auto& a = *std::prev(right);
  return a.value +
         (b.value - a.value) * static_cast<double>(at - a.at) / static_cast<double>(b.at - a.at);
}

VODA_INLINE double SpeedupCurve::beyond_table(GpuCount gpus) const {
  if (gpus >= table_->points.back().at) {
    return speedup_curve_detail::round_to_unit(table_->points.back().value);
  }
  return speedup_curve_detail::round_to_unit(interpolate(table_->points, gpus));
}

VODA_INLINE double SpeedupCurve::at_span(GpuCount gpus, std::int32_t nodes) const {
  const double speed = (*this)(gpus);
  if (!has_span_factors() || nodes <= 1)
    return speed;
  return speedup_curve_detail::round_to_unit(speed * interpolate(table_->span_factors, nodes));
}

VODA_INLINE std::map<GpuCount, double> SpeedupCurve::points() const {
  std::map<GpuCount, double> result;
  if (table_ == nullptr)
    return result;
  for (const auto& point : table_->points)
    result.emplace(point.at, point.value);
  if (result.size() > 1)
    result.erase(0);  // (0, 0) is implied by any other point
  return result;
}

VODA_INLINE std::map<std::int32_t, double> SpeedupCurve::span_factors() const {
  std::map<std::int32_t, double> result;
  if (table_ == nullptr)
    return result;
  for (const auto& point : table_->span_factors) {
    if (point.at > 1)
      result.emplace(point.at, point.value);
  }
  return result;
}

VODA_INLINE bool SpeedupCurve::operator==(const SpeedupCurve& other) const {
  return table_ == other.table_ ||
         (points() == other.points() && span_factors() == other.span_factors());
}

}  // namespace voda

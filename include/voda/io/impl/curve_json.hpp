#pragma once

#include <map>

#include "voda/io/impl/json_reader.hpp"
#include "voda/model/speedup_curve.hpp"

namespace voda::json_detail {

/// A speed that a curve may have.
[[nodiscard]] inline double read_speed(const Cursor& value, GpuCount gpus) {
  if (!value.value().is_number())
    value.refuse("a number");
  const auto speed = value.value().get<double>();
  if (gpus == 0 && speed != 0)
    value.refuse("0 at 0 GPUs");
  if (gpus > 0 && !(speed >= SpeedupCurve::smallest_speed && speed <= SpeedupCurve::largest_speed))
    value.refuse("a number from 2^-24 to 2^20");
  return speed;
}

[[nodiscard]] inline std::map<std::int32_t, double> read_span(const Cursor& span) {
  std::map<std::int32_t, double> result;
  span.for_each_member([&result](const std::string& key, const Cursor& factor) {
    const auto nodes = count_key(factor, key, "a number of nodes >= 1");
    result.emplace(nodes, factor.number({.min = 0, .max = 1024}));
  });
  return result;
}

/// Reads {"1": 1.0, "2": 1.9, "span": {"2": 0.92}}.
[[nodiscard]] inline SpeedupCurve read_curve(const Cursor& cursor) {
  std::map<GpuCount, double> points;
  std::map<std::int32_t, double> span;
  cursor.for_each_member([&](const std::string& key, const Cursor& member) {
    if (key == "span") {
      span = read_span(member);
      return;
    }
    const auto gpus = count_key(member, key, "a number of GPUs, or 'span'");
    points.emplace(gpus, read_speed(member, gpus));
  });
  try {
    return SpeedupCurve(points, span);
  } catch (const InvalidInput& error) {
    cursor.fail(error.what());
  }
}

/// The inverse of read_curve().
[[nodiscard]] inline nlohmann::ordered_json to_json(const SpeedupCurve& curve) {
  auto result = nlohmann::ordered_json::object();
  for (const auto& [gpus, speed] : curve.points())
    result[std::to_string(gpus)] = speed;
  if (!curve.has_span_factors())
    return result;
  auto& span = result["span"] = nlohmann::ordered_json::object();
  for (const auto& [nodes, factor] : curve.span_factors())
    span[std::to_string(nodes)] = factor;
  return result;
}

}  // namespace voda::json_detail

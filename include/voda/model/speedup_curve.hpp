#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// Speed of a job on g GPUs relative to one GPU: S(g). Immutable; copies share one table.
///
/// Without points S(g) = g. With points: as given at the points, linear between neighbours, (0, 0) being one of them, flat
/// after the last. Every value is rounded to floor(x * 2^24 + 0.5) / 2^24, so sums, differences and small multiples are
/// exact. Measured curves are neither concave nor monotone; nothing may assume that they are.
///
/// Span factors slow a job down that is split over several nodes: 1 at one node, as given at the given numbers of nodes,
/// linear between, flat after the last.
class SpeedupCurve {
 public:
  SpeedupCurve() = default;

  /// Throws InvalidInput for a point at fewer than 0 GPUs or 0 with a value other than 0, for points at 0 GPUs only, and for a
  /// value outside [2^-24, 2^20]; for a span at fewer than one node, a factor at one node other than 1, or one outside (0, 1024].
  explicit SpeedupCurve(const std::map<GpuCount, double>& points,
                        const std::map<std::int32_t, double>& span_factors = {});

  /// S(gpus); 0 for gpus <= 0.
  [[nodiscard]] double operator()(GpuCount gpus) const {
    if (gpus <= 0)
      return 0;
    if (is_linear())
      return static_cast<double>(gpus);
    const auto& dense = table_->dense;
    const auto at = static_cast<std::size_t>(gpus);
    return at < dense.size() ? dense[at] : beyond_table(gpus);
  }

  /// S(gpus) times the factor of `nodes` nodes, rounded once more to a multiple of 2^-24.
  [[nodiscard]] double at_span(GpuCount gpus, std::int32_t nodes) const;

  /// S(gpus) in units of 2^-24, exact.
  [[nodiscard]] std::int64_t units(GpuCount gpus) const {
    return static_cast<std::int64_t>((*this)(gpus)*units_per_speed);
  }

  /// True without points: S(g) = g.
  [[nodiscard]] bool is_linear() const noexcept {
    return table_ == nullptr || table_->points.empty();
  }

  /// The GPU count from which on the curve is flat; 0 for the linear curve, which never is.
  [[nodiscard]] GpuCount flat_from() const noexcept {
    return is_linear() ? 0 : table_->points.back().at;
  }

  /// An n such that S(0) < S(1) < ... < S(n): the largest one, but at most 1024 for curves with points; the largest number
  /// for the linear curve.
  [[nodiscard]] GpuCount rises_to() const noexcept {
    return is_linear() ? std::numeric_limits<GpuCount>::max() : table_->rises_to;
  }

  /// An n such that the gains S(1) - S(0), S(2) - S(1), ... up to S(n) never rise: the largest one, the largest number when
  /// none ever does; at most 1024 for curves that go on beyond.
  [[nodiscard]] GpuCount concave_to() const noexcept {
    return is_linear() ? std::numeric_limits<GpuCount>::max() : table_->concave_to;
  }

  /// S(gpus + 1) - S(gpus).
  [[nodiscard]] double marginal_gain(GpuCount gpus) const {
    return (*this)(gpus + 1) - (*this)(gpus);
  }

  /// True when the number of nodes changes the speed.
  [[nodiscard]] bool has_span_factors() const noexcept {
    return table_ != nullptr && !table_->span_factors.empty();
  }

  /// The points as given; empty for the linear curve.
  [[nodiscard]] std::map<GpuCount, double> points() const;
  [[nodiscard]] std::map<std::int32_t, double> span_factors() const;

  /// True when both are copies of one curve; jobs of one profile share theirs.
  [[nodiscard]] bool shares_table_with(const SpeedupCurve& other) const noexcept {
    return table_ == other.table_;
  }

  /// Equal for copies of one curve.
  [[nodiscard]] std::size_t table_hash() const noexcept {
    return std::hash<const Table*>{}(table_.get());
  }

  /// Equal points and factors.
  bool operator==(const SpeedupCurve& other) const;

  static constexpr double units_per_speed = 16777216;  // 2^24
  static constexpr double smallest_speed = 1 / units_per_speed;
  static constexpr double largest_speed = 1048576;  // 2^20

 private:
  struct Point {
    std::int32_t at = 0;
    double value = 0;
    bool operator==(const Point&) const = default;
  };

  struct Table {
    std::vector<Point> points{};  // from (0, 0) on; empty: linear
    GpuCount rises_to = 0;
    GpuCount concave_to = 0;
    std::vector<double> dense{};        // S(0), S(1), ... up to the last point or a fixed bound
    std::vector<Point> span_factors{};  // from (1, 1) on; empty: no slowdown
  };

  static void find_shape(Table& table);
  [[nodiscard]] double beyond_table(GpuCount gpus) const;
  [[nodiscard]] static double interpolate(const std::vector<Point>& points, std::int32_t at);

  std::shared_ptr<const Table> table_{};
};

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/model/impl/speedup_curve_inl.hpp"
#endif

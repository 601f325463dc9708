#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "voda/model/allowed_sizes.hpp"
#include "voda/model/speedup_curve.hpp"

namespace voda::allocators_detail {

/// `count` steps of equal cost and gain, one after the other.
struct GrowthRun {
  double gain = 0;  ///< (S(n') - S(n)) / (n' - n), > 0
  GpuCount cost = 0;
  GpuCount count = 0;
};

/// The steps of a job that always takes its best next step (largest gain per GPU, then smallest cost): the edges of the
/// upper hull of its curve, so gains never rise along it.
struct GrowthPath {
  std::vector<GrowthRun> runs{};
  bool is_known =
      false;  ///< false: too long, or gains that rounding makes equal; look at each size instead
};

namespace growth_detail {

struct Vertex {
  GpuCount size = 0;
  std::int64_t units = 0;
};

inline constexpr std::size_t most_vertices = 4096;
inline constexpr std::int64_t exact_limit =
    std::int64_t{1} << 52;  // below it, unequal gains stay unequal as doubles

/// Linear curves gain 1 per GPU by every step, so the smallest is best.
[[nodiscard]] inline GrowthPath linear_path(const AllowedSizes& sizes, GpuCount from) {
  GrowthPath path{.is_known = true};
  for (GpuCount size = from; path.runs.size() < most_vertices;) {
    const GpuCount next = next_size(sizes, size);
    if (next == 0)
      return path;
    GrowthRun run{.gain = 1, .cost = next - size, .count = 1};
    if (run.cost == sizes.step && size >= sizes.min)
      run.count = (largest_size(sizes, sizes.max) - size) / sizes.step;
    size += run.cost * run.count;
    path.runs.push_back(run);
  }
  return {};
}

[[nodiscard]] inline GrowthPath runs_of(const std::vector<Vertex>& hull) {
  GrowthPath path{.is_known = true};
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const GpuCount cost = hull[i].size - hull[i - 1].size;
    const auto units = static_cast<double>(hull[i].units - hull[i - 1].units);
    const double gain = units / SpeedupCurve::units_per_speed / cost;
    const bool goes_on =
        !path.runs.empty() && path.runs.back().cost == cost && !(gain < path.runs.back().gain);
    if (goes_on) {
      ++path.runs.back().count;
    } else {
      path.runs.push_back({.gain = gain, .cost = cost, .count = 1});
    }
  }
  return path;
}

/// Adds a vertex beyond the others to an upper hull that only ascends. Returns false if products would leave exact_limit.
[[nodiscard]] inline bool extend(std::vector<Vertex>& hull, const Vertex& vertex) {
  if (vertex.units <= hull.back().units)
    return true;  // a smaller size is at least as fast
  if (vertex.units > exact_limit / (vertex.size - hull.front().size))
    return false;
  const auto is_below = [&vertex](const Vertex& a, const Vertex& b) {
    return (b.units - a.units) * (vertex.size - b.size) <
           (vertex.units - b.units) * (b.size - a.size);
  };
  while (hull.size() > 1 && is_below(hull[hull.size() - 2], hull.back()))
    hull.pop_back();
  hull.push_back(vertex);
  return true;
}

/// The curve is flat from flat_from() on, so nothing is gained after the first size there.
[[nodiscard]] inline GrowthPath hull_path(const SpeedupCurve& speed,
                                          const AllowedSizes& sizes,
                                          GpuCount from) {
  std::vector<Vertex> hull{{.size = from, .units = speed.units(from)}};
  std::size_t seen = 0;
  for (GpuCount next = next_size(sizes, from); next != 0; next = next_size(sizes, next)) {
    if (++seen > most_vertices || !extend(hull, {.size = next, .units = speed.units(next)}))
      return {};
    if (next >= speed.flat_from())
      break;
  }
  return runs_of(hull);
}

}  // namespace growth_detail

/// The path of a job that holds `from` GPUs.
[[nodiscard]] inline GrowthPath growth_path(const SpeedupCurve& speed,
                                            const AllowedSizes& sizes,
                                            GpuCount from) {
  return speed.is_linear() ? growth_detail::linear_path(sizes, from)
                           : growth_detail::hull_path(speed, sizes, from);
}

}  // namespace voda::allocators_detail

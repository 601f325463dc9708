#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/allocation_builders.hpp"

namespace voda::test {

/// Draws problems full of ties, gaps and border cases. Uses no std distribution: those differ
/// between libraries.
class RandomProblems {
 public:
  explicit RandomProblems(std::uint64_t seed) : random_(seed) {}

  /// A problem with up to `most_jobs` jobs, most of which want up to `most_gpus`.
  [[nodiscard]] AllocationCase draw(int most_jobs = 60, GpuCount most_gpus = 12) {
    const int jobs = chance(20) ? between(0, 2) : between(1, chance(2) ? 8 : most_jobs);
    has_equal_work_ = chance(4);
    has_one_curve_ = chance(5);
    has_concave_curves_ = chance(5);
    shared_curve_ = curve(most_gpus);
    AllocationCase result{};
    GpuCount wanted = 0;
    for (const int number : shuffled(jobs)) {
      result.jobs.push_back(job(number, most_gpus));
      wanted += result.jobs.back().requested;
    }
    result.gpus = capacity(wanted);
    return result;
  }

  /// A whole number in [low, high].
  [[nodiscard]] int between(int low, int high) {
    return low + static_cast<int>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }

  /// True once in `times` draws.
  [[nodiscard]] bool chance(int times) { return between(1, times) == 1; }

  /// One of several values.
  template <class T, std::size_t N>
  [[nodiscard]] T pick(const std::array<T, N>& values) {
    return values[static_cast<std::size_t>(between(0, static_cast<int>(N) - 1))];
  }

  /// The numbers 0 ... count - 1 in random order.
  [[nodiscard]] std::vector<int> shuffled(int count) {
    std::vector<int> result;
    for (int i = 0; i < count; ++i) {
      result.push_back(i);
      std::swap(result.back(), result[static_cast<std::size_t>(between(0, i))]);
    }
    return result;
  }

 private:
  [[nodiscard]] GpuCount capacity(GpuCount wanted) {
    if (chance(15))
      return 0;
    if (chance(4))
      return between(1, 4);
    return between(1, std::max(1, chance(3) ? 2 * wanted : wanted));
  }

  [[nodiscard]] AskingJob job(int number, GpuCount most_gpus) {
    AskingJob result{};
    // Text order is not numeric order: "j10" before "j9".
    result.id = "j" + std::to_string(number);
    result.submitted_s = pick(std::array{0.0, 0.0, 10.0, 10.000001, 700.0, 4999.0, 5000.0});
    draw_sizes(result, most_gpus);
    draw_work(result);
    draw_progress(result);
    return result;
  }

  void draw_sizes(AskingJob& job, GpuCount most_gpus) {
    const GpuCount limit = chance(12) ? 4 * most_gpus : most_gpus;
    job.min = chance(3) ? 1 : between(1, limit);
    job.max = chance(6) ? job.min : between(job.min, limit);
    job.requested = between(job.min, job.max);
    if (chance(4))
      job.sizes = {.kind = SizeRule::Kind::step, .step = between(1, 5)};
    if (chance(5))
      job.sizes = {.kind = SizeRule::Kind::powers_of_two};
    if (chance(5)) {
      job.gpus_per_worker = between(2, 4);
      job.max = std::max(
          job.max, (job.min + job.gpus_per_worker - 1) / job.gpus_per_worker * job.gpus_per_worker);
    }
    job.speedup = has_one_curve_ ? shared_curve_ : curve(most_gpus);
  }

  void draw_work(AskingJob& job) {
    job.work_s = pick(std::array{0.0, 1.0, 100.0, 100.0, 3600.0, 48369.0, 1e6});
    if (chance(3))
      job.work_s = between(1, 1000000) / 8.0;
    if (has_equal_work_)
      job.work_s = 1000;
    // 0 / S where S is rounded to 0: the specification does not say what that is.
    if (*job.work_s <= 0 && !(SpeedupCurve(job.speedup)(1) > 0))
      job.work_s = 1;
  }

  void draw_progress(AskingJob& job) {
    if (chance(2))
      job.current = job.requested;
    if (chance(6))
      job.current = job.min;
    if (job.current > 0 || chance(2)) {
      job.last_started_s = pick(std::array{0.0, 10.0, 10.0, 800.0, 4999.999999});
    }
    if (!job.last_started_s) {
      job.waited_s = pick(std::array{0.0, 0.0, 50.0});
      return;
    }
    // At and around thresholds 1000, 3600 and 5000, and promotions due exactly now or in a
    // microsecond.
    job.service_s =
        pick(std::array{0.0, 999.999999, 1000.0, 3599.0, 3600.0, 3600.000001, 5000.0, 1e5});
    job.executed_s = pick(std::array{0.0, 0.000001, 10.0, 100.0, 449.125, 3600.0});
    job.waited_s = pick(std::array{0.0, 80.0, 800.0, 799.999999, 800.000001, 5000.0, 3593.0});
    if (chance(3))
      job.waited_s = 8 * job.executed_s;
  }

  /// Speedups as given; empty: linear.
  [[nodiscard]] std::map<GpuCount, double> curve(GpuCount most_gpus) {
    const int shape = has_concave_curves_ ? between(0, 1) : between(0, 6);
    const int slowdown = between(0, 20);
    const GpuCount last = between(1, most_gpus + 2);
    std::map<GpuCount, double> result;
    if (shape == 0)
      return result;
    for (GpuCount n = 1; n <= last; ++n) {
      const bool is_gap = shape > 1 && n < last && chance(4);  // also in front: (0, 0) is a point
      if (!is_gap)
        result[n] = speed(shape, n, slowdown, result);
    }
    return result;
  }

  [[nodiscard]] double speed(int shape,
                             GpuCount n,
                             int slowdown,
                             const std::map<GpuCount, double>& so_far) {
    const double before = so_far.empty() ? 1.0 : so_far.rbegin()->second;
    switch (shape) {
      case 1:
        return n / (1.0 + slowdown * (n - 1) / 100.0);  // concave
      case 2:
        return n * (0.5 + between(0, 100) / 100.0);  // noisy
      case 3:
        return std::exp2(std::floor(std::log2(n)));  // staircase at powers of two
      case 4:
        return between(1, 4) * 0.5;  // few values: ties, not monotone
      case 5:
        return chance(3) ? before : before + between(-1, 3) * 0.25 + 1;
      default:
        return std::max(0x1p-24,
                        n * between(0, 3) * 0x1p-24);  // near the resolution; S(1) may round to 0
    }
  }

  std::mt19937_64 random_;
  bool has_equal_work_ = false;
  bool has_one_curve_ = false;
  bool has_concave_curves_ = false;
  std::map<GpuCount, double> shared_curve_{};
};

}  // namespace voda::test

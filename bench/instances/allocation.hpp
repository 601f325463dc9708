#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "voda/model/job.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/simulator/workload.hpp"

namespace voda::bench {

/// What the jobs of an allocation problem look like.
enum class Demand : std::uint8_t {
  concave,       // a curve g / (1 + a (g - 1)) of its own for each job; the base of all comparisons
  few_curves,    // the nine shipped curves
  noisy,         // concave times a random factor at every point: neither concave nor monotone
  staircases,    // flat between powers of two, slopes of their own
  equal_curves,  // one curve and one amount of work for all: everything ties
  plateaus,      // flat over eight GPUs, then a jump
  one_huge,      // concave, and one job that takes the whole cluster and scales linearly
  single_gpu,    // every job wants one GPU
  half_too_large  // every other job needs more GPUs than there are
};

struct NamedDemand {
  Demand demand{};
  std::string_view name{};
};

/// Those that are meant to hurt; the name after the ~ of a benchmark.
inline constexpr std::array hard_demands{NamedDemand{Demand::few_curves, "few_curves"},
                                         NamedDemand{Demand::noisy, "noisy"},
                                         NamedDemand{Demand::staircases, "staircases"},
                                         NamedDemand{Demand::equal_curves, "equal_curves"},
                                         NamedDemand{Demand::plateaus, "plateaus"},
                                         NamedDemand{Demand::one_huge, "one_huge"},
                                         NamedDemand{Demand::single_gpu, "single_gpu"},
                                         NamedDemand{Demand::half_too_large, "half_too_large"}};

/// Draws the jobs of one allocation problem: up to 64 GPUs each, requests from 1 to 16, work from a minute to a month on one
/// GPU; half of them run at their request.
class JobSource {
 public:
  JobSource(Demand demand, GpuCount capacity) : demand_(demand), capacity_(capacity) {
    for (const auto& [name, profile] : workload_profiles())
      shipped_.push_back(profile);
  }

  [[nodiscard]] Job draw() {
    const std::string digits = std::to_string(drawn_);
    Job job{.id = {"job-" + std::string(7 - digits.size(), '0') + digits}};
    job.submitted = time_from_seconds(static_cast<double>(drawn_), "submitted");
    job.spec.requested_gpus = std::array{1, 1, 2, 4, 8, 16}[random_() % 6];
    job.spec.max_gpus = most_gpus;
    job.speedup = curve();
    const double minute = 60 * static_cast<double>(1 + random_() % 60);
    job.work = RemainingWork{.left_s = minute * static_cast<double>(1 + random_() % 700)};
    auto& counters = job.progress.since_promotion;
    counters.executed = Duration(static_cast<std::int64_t>(random_() % 7'200'000'000));
    counters.service.gpu_microseconds = counters.executed.count() * job.spec.requested_gpus;
    if (random_() % 2 == 0) {
      job.progress.last_started =
          time_from_seconds(static_cast<double>(random_() % 1'000'000), "start");
    }
    harden(job);
    ++drawn_;
    return job;
  }

 private:
  static constexpr GpuCount most_gpus = 64;

  [[nodiscard]] SpeedupCurve curve() {
    if (demand_ == Demand::few_curves)
      return shipped_[random_() % shipped_.size()];
    const double loss = static_cast<double>(random_() % 1000) / 5000;
    if (demand_ == Demand::equal_curves)
      return equal_;
    std::map<GpuCount, double> points;
    for (GpuCount gpus = 1; gpus <= most_gpus; ++gpus)
      points[gpus] = speed(gpus, loss);
    return SpeedupCurve(points);
  }

  [[nodiscard]] double speed(GpuCount gpus, double loss) {
    GpuCount used = gpus;
    if (demand_ == Demand::staircases)
      used = static_cast<GpuCount>(std::exp2(std::floor(std::log2(gpus))));
    if (demand_ == Demand::plateaus)
      used = 1 + (gpus - 1) / 8 * 8;
    const double factor =
        demand_ == Demand::noisy ? 0.8 + static_cast<double>(random_() % 1000) / 2500 : 1.0;
    return factor * used / (1 + loss * (used - 1));
  }

  void harden(Job& job) {
    if (demand_ == Demand::equal_curves)
      job.work->left_s = 36000;
    if (demand_ == Demand::single_gpu)
      job.spec.requested_gpus = job.spec.max_gpus = 1;
    if (demand_ == Demand::one_huge && drawn_ == 0) {
      job.spec.requested_gpus = job.spec.max_gpus = capacity_;
      job.speedup = SpeedupCurve();
    }
    if (demand_ == Demand::half_too_large && drawn_ % 2 == 0)
      job.spec.min_gpus = job.spec.requested_gpus = job.spec.max_gpus = capacity_ + 1;
  }

  Demand demand_{};
  GpuCount capacity_ = 0;
  std::vector<SpeedupCurve> shipped_{};
  SpeedupCurve equal_ = workload_profiles().begin()->second;
  std::size_t drawn_ = 0;
  std::mt19937_64 random_{2026};
};

/// The same problem for every policy.
[[nodiscard]] inline AllocationProblem allocation_problem(Demand demand,
                                                          std::int64_t jobs,
                                                          std::int64_t gpus) {
  const auto capacity = static_cast<GpuCount>(gpus);
  JobSource source(demand, capacity);
  const TimePoint now = time_from_seconds(1e6, "now");
  auto columns = std::make_shared<JobColumns>();
  auto order = std::make_shared<std::vector<JobIndex>>();
  columns->resize(static_cast<std::size_t>(jobs));
  for (std::size_t i = 0; i < columns->size(); ++i) {
    const Job job = source.draw();
    const bool runs = job.progress.last_started && job.spec.requested_gpus <= capacity;
    order->push_back(Allocation::index_of(i));
    columns->set(order->back(), job, runs ? job.spec.requested_gpus : 0, now);
  }
  sort_by_arrival(*order, *columns);
  return {.now = now, .capacity = capacity, .columns = columns, .arrival_order = order};
}

}  // namespace voda::bench

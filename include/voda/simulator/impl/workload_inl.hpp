#pragma once

#include "voda/simulator/workload.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/simulator/impl/workload_fits.hpp"
#include "voda/simulator/portable_math.hpp"
#include "voda/simulator/random.hpp"

namespace voda {
namespace workload_detail {

/// Streams of one seed, one for each property of a job.
enum class Stream : std::uint8_t { arrivals = 1, sizes, run_times, profiles, elastic };

[[nodiscard]] inline RandomStream stream(const WorkloadOptions& options, Stream which) {
  return RandomStream(options.seed, static_cast<std::uint64_t>(which));
}

[[nodiscard]] inline std::span<const SizeClass> size_classes(DemandProfile demand) {
  switch (demand) {
    case DemandProfile::philly:
      return philly_sizes;
    case DemandProfile::itp:
      return itp_sizes;
  }
  return {};
}

[[nodiscard]] inline const SizeClass& draw_size(std::span<const SizeClass> classes,
                                                double uniform) {
  for (const SizeClass& size : classes) {
    uniform -= size.share;
    if (uniform < 0)
      return size;
  }
  return classes.front();
}

/// Inverse of the distribution of run times, interpolated in log time, in whole milliseconds.
[[nodiscard]] inline double run_time_s(const SizeClass& size, double uniform) {
  const auto upper = std::ranges::upper_bound(probabilities, uniform);
  const auto right = std::min<std::size_t>(static_cast<std::size_t>(upper - probabilities.begin()),
                                           probabilities.size() - 1);
  const std::size_t left = right - 1;
  const double fraction =
      (uniform - probabilities[left]) / (probabilities[right] - probabilities[left]);
  const double low = portable_log(size.run_s[left]);
  const double high = portable_log(size.run_s[right]);
  const double run_s = portable_exp(low + unfused((high - low) * fraction));
  return std::floor(unfused(run_s * 1000) + 0.5) / 1000;
}

/// Mean arrivals by hour of a week that begins on Monday at 0:00.
class WeeklyRate {
 public:
  WeeklyRate() {
    for (int hour = 0; hour < hours; ++hour) {
      const double sine = portable_sine_of_turns((hour % 24 - 9) / 24.0);
      const double weight = hour / 24 >= 5 ? weekend_rate : 1;
      rate_.push_back(unfused(weight * (1 + unfused(daily_amplitude * sine))));
      sum_.push_back(sum_.back() + rate_.back());
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
    const double hour = static_cast<double>(at) + (in_week - sum_[at]) / rate_[at];
    return unfused(weeks * hours) + hour;
  }

 private:
  static constexpr int hours = 168;

  std::vector<double> rate_{};
  std::vector<double> sum_{0};  // before hour 0, 1, ...
};

[[nodiscard]] inline double draw_gap(ArrivalPattern pattern, RandomStream& random) {
  if (pattern != ArrivalPattern::bursty)
    return random.exponential();
  const bool is_short = random.uniform() < short_gap_share;
  return unfused((is_short ? short_gap_mean : long_gap_mean) * random.exponential());
}

/// Arrivals from 0 to `span_s` in seconds, ascending.
[[nodiscard]] inline std::vector<double> draw_arrivals(const WorkloadOptions& options,
                                                       double span_s) {
  RandomStream random = stream(options, Stream::arrivals);
  std::vector<double> position{0};
  for (std::int64_t i = 1; i < options.jobs; ++i) {
    position.push_back(position.back() + draw_gap(options.arrivals, random));
  }
  const double end = position.back() > 0 ? position.back() : 1;
  const WeeklyRate rate;
  const double all = rate.arrivals_until(span_s / 3600);
  double previous = 0;
  for (double& at : position) {
    const double fraction = at / end;
    const double time_s = options.arrivals == ArrivalPattern::daily
                              ? unfused(3600 * rate.hour_of(unfused(fraction * all)))
                              : unfused(fraction * span_s);
    at = previous = std::clamp(time_s, previous, span_s);
  }
  if (position.size() > 1)
    position.back() = span_s;
  return position;
}

/// Jobs with everything but their arrival.
[[nodiscard]] inline Trace draw_jobs(const WorkloadOptions& options) {
  const auto sizes = size_classes(options.demand);
  const Profiles profiles = workload_profiles();
  RandomStream size_random = stream(options, Stream::sizes);
  RandomStream run_random = stream(options, Stream::run_times);
  RandomStream profile_random = stream(options, Stream::profiles);
  const std::size_t width = fmt::format("{}", std::max<std::int64_t>(1, options.jobs) - 1).size();
  Trace trace;
  for (std::int64_t i = 0; i < options.jobs; ++i) {
    const SizeClass& size = draw_size(sizes, size_random.uniform());
    const GpuCount gpus = std::min(size.gpus, options.gpus);
    const double run_s = run_time_s(size, run_random.uniform());
    const auto profile = std::next(
        profiles.begin(), static_cast<std::ptrdiff_t>(profile_random.below(profiles.size())));
    Job job{.id = {fmt::format("{:0{}}", i, width)},
            .spec = {.min_gpus = gpus, .requested_gpus = gpus, .max_gpus = gpus},
            .speedup = profile->second};
    job.work = RemainingWork{.left_s = unfused(run_s * job.speedup(gpus))};
    trace.profiles.emplace(job.id, profile->first);
    trace.jobs.push_back(std::move(job));
  }
  return trace;
}

/// Makes a share of the jobs elastic, up to the whole cluster.
[[nodiscard]] inline Trace with_some_elastic(Trace trace, const WorkloadOptions& options) {
  RandomStream random = stream(options, Stream::elastic);
  const Trace elastic = with_elastic_jobs(trace, options.elasticity);
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    if (!(random.uniform() < options.elastic_share))
      continue;
    JobSpec& spec = trace.jobs[i].spec;
    spec = elastic.jobs[i].spec;
    spec.max_gpus = std::min(spec.max_gpus, options.gpus);
  }
  return trace;
}

}  // namespace workload_detail

VODA_INLINE void check(const WorkloadOptions& options) {
  if (options.jobs < 0 || options.jobs > WorkloadOptions::most_jobs) {
    throw InvalidInput(fmt::format(
        "jobs: {}; expected a number from 0 to {}", options.jobs, WorkloadOptions::most_jobs));
  }
  if (options.gpus < 1) {
    throw InvalidInput(fmt::format("gpus: {}; expected a number >= 1", options.gpus));
  }
  if (!(options.load >= 1e-6 && options.load <= 1e6)) {
    throw InvalidInput(fmt::format("load: {}; expected a number from 1e-6 to 1e6", options.load));
  }
  if (!(options.elastic_share >= 0 && options.elastic_share <= 1)) {
    throw InvalidInput(
        fmt::format("elastic share: {}; expected a number from 0 to 1", options.elastic_share));
  }
  check(options.elasticity);
}

VODA_INLINE Profiles workload_profiles() {
  constexpr GpuCount largest = 64;
  Profiles result;
  for (const auto& fit : workload_detail::curve_fits) {
    std::map<GpuCount, double> points;
    for (GpuCount gpus = 1; gpus <= largest; ++gpus) {
      const double n = gpus;
      const double shared = unfused(fit.b * (1 / n - 1));
      const double synchronised = unfused(fit.d * portable_log2(n)) + unfused(fit.e * (n - 1));
      points.emplace(gpus, 1 / (1 + shared + synchronised));
    }
    result.emplace(fit.name, SpeedupCurve(points));
  }
  return result;
}

VODA_INLINE Trace generate_workload(const WorkloadOptions& options) {
  namespace detail = workload_detail;
  check(options);
  Trace trace = detail::with_some_elastic(detail::draw_jobs(options), options);
  if (trace.jobs.empty())
    return trace;
  const double capacity = unfused(options.load * static_cast<double>(options.gpus));
  const double span_s = load_of(trace).requested_gpu_s / capacity;
  if (!(span_s <= max_seconds)) {
    throw InvalidInput(fmt::format("load: {}; expected one that spreads the jobs over at most {} s",
                                   options.load,
                                   max_seconds));
  }
  const auto arrivals = detail::draw_arrivals(options, span_s);
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    Job& job = trace.jobs[i];
    job.submitted =
        time_from_seconds(std::floor(unfused(arrivals[i] * 1000) + 0.5) / 1000, "arrival");
    job.work->since = job.submitted;
  }
  return trace;
}

}  // namespace voda

#pragma once

#include "voda/simulator/goodness_of_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/simulator/impl/arrival_fit.hpp"
#include "voda/simulator/workload_fit.hpp"

namespace voda {
namespace goodness_detail {

inline constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::array<double, 3> shown_probabilities{0.5, 0.9, 0.99};

[[nodiscard]] inline double total_of(const Counts& counts) {
  double result = 0;
  for (const auto& [word, count] : counts)
    result += count;
  return result;
}

[[nodiscard]] inline double share_of(const Counts& counts, std::string_view word, double total) {
  const auto found = counts.find(word);
  return found == counts.end() ? 0 : found->second / total;
}

/// The mean of the Kolmogorov distribution, sqrt(pi / 2) ln 2, over the root of the sample size.
[[nodiscard]] inline double ks_by_chance(double n, double m) {
  if (!(n > 0 && m > 0))
    return no_number;
  constexpr double kolmogorov_mean = 0.868731160636159;
  return kolmogorov_mean * std::sqrt(1 / n + 1 / m);
}

/// Half the sum of mean absolute differences of two binomial shares, as if they were normal.
[[nodiscard]] inline double total_variation_by_chance(const Counts& a, const Counts& b) {
  if (a.empty() || b.empty())
    return no_number;
  Counts both = a;
  for (const auto& [word, count] : b)
    both[word] += count;
  const double total = total_of(both);
  constexpr double pi = 3.14159265358979323846;
  const double scale = 2 / pi * (1 / total_of(a) + 1 / total_of(b));
  double result = 0;
  for (const auto& [word, count] : both) {
    const double share = count / total;
    result += std::sqrt(scale * share * (1 - share)) / 2;
  }
  return result;
}

[[nodiscard]] inline std::array<double, 3> shown_quantiles(std::vector<double> sample) {
  std::array<double, 3> result{no_number, no_number, no_number};
  if (sample.empty())
    return result;
  std::ranges::sort(sample);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = quantile_of(sample, shown_probabilities[i]);
  return result;
}

[[nodiscard]] inline MarginalFit compared(std::string name,
                                          const std::vector<double>& trace,
                                          const std::vector<double>& generated) {
  return {.name = std::move(name),
          .kind = DistanceKind::ks,
          .jobs = trace.size(),
          .distance = ks_distance(trace, generated),
          .by_chance = ks_by_chance(static_cast<double>(trace.size()),
                                    static_cast<double>(generated.size())),
          .trace_quantiles = shown_quantiles(trace),
          .generated_quantiles = shown_quantiles(generated)};
}

[[nodiscard]] inline MarginalFit compared(std::string name,
                                          const Counts& trace,
                                          const Counts& generated) {
  return {.name = std::move(name),
          .kind = DistanceKind::total_variation,
          .jobs = static_cast<std::size_t>(total_of(trace)),
          .distance = total_variation(trace, generated),
          .by_chance = total_variation_by_chance(trace, generated),
          .trace_quantiles = shown_quantiles({}),
          .generated_quantiles = shown_quantiles({})};
}

template <class F>
[[nodiscard]] Counts counted(std::span<const Trace> traces, F word_of) {
  Counts result;
  workload_fit_detail::for_each_job(
      traces, [&](const Trace& trace, const Job& job) { ++result[word_of(trace, job)]; });
  return result;
}

/// Run times of the sizes in `pool`, or of all when it is empty.
[[nodiscard]] inline std::vector<double> run_times(std::span<const Trace> traces,
                                                   const std::vector<GpuCount>& pool) {
  std::vector<double> result;
  workload_fit_detail::for_each_job(traces, [&](const Trace&, const Job& job) {
    if (pool.empty() || std::ranges::find(pool, job.spec.requested_gpus) != pool.end())
      result.push_back(requested_run_s(job));
  });
  return result;
}

[[nodiscard]] inline std::vector<double> slacks(std::span<const Trace> traces) {
  std::vector<double> result;
  workload_fit_detail::for_each_job(traces, [&result](const Trace&, const Job& job) {
    if (job.spec.deadline) {
      const double run_s = std::max(0.001, requested_run_s(job));
      result.push_back(to_seconds(*job.spec.deadline - job.submitted) / run_s);
    }
  });
  return result;
}

/// One second when every submission of the traces is a whole one, else a millisecond.
[[nodiscard]] inline Duration clock_step(std::span<const Trace> traces) {
  Duration result = std::chrono::seconds(1);
  workload_fit_detail::for_each_job(traces, [&result](const Trace&, const Job& job) {
    if (job.submitted.time_since_epoch() % std::chrono::seconds(1) != Duration::zero())
      result = std::chrono::milliseconds(1);
  });
  return result;
}

/// Gaps between submissions in seconds, rounded to steps.
[[nodiscard]] inline std::vector<double> gaps_s(std::span<const Trace> traces, Duration step) {
  std::vector<double> result;
  for (const Trace& trace : traces) {
    for (std::size_t i = 1; i < trace.jobs.size(); ++i) {
      const Duration gap = trace.jobs[i].submitted - trace.jobs[i - 1].submitted;
      result.push_back(to_seconds((gap + step / 2) / step * step));
    }
  }
  return result;
}

/// Variance over squared mean; not a number for samples without.
[[nodiscard]] inline double squared_variation(const std::vector<double>& sample) {
  double mean = 0;
  for (const double value : sample)
    mean += value / static_cast<double>(sample.size());
  double variance = 0;
  for (const double value : sample)
    variance += (value - mean) * (value - mean) / static_cast<double>(sample.size());
  return mean > 0 ? variance / (mean * mean) : no_number;
}

/// Submissions by slot of the week.
[[nodiscard]] inline Counts slot_counts(std::span<const Trace> traces,
                                        const std::optional<TimePoint>& monday,
                                        Duration length,
                                        std::int64_t kinds) {
  Counts result;
  for (const Trace& trace : traces) {
    for (const Duration offset : workload_fit_detail::offsets_in_weeks(trace, monday))
      ++result[fmt::format("{}", offset / length % kinds)];
  }
  return result;
}

[[nodiscard]] inline std::string pool_name(const std::vector<GpuCount>& pool) {
  const bool is_one = pool.size() == 1;
  if (is_one)
    return fmt::format("run time, {} GPU{}", pool.front(), pool.front() == 1 ? "" : "s");
  return fmt::format("run time, {}-{} GPUs", pool.front(), pool.back());
}

/// The pair of samples that a report compares.
struct Pair {
  std::span<const Trace> trace{};
  std::span<const Trace> generated{};
};

inline void compare_demand(WorkloadFitReport& report, Pair pair, const GoodnessOptions& options) {
  const auto size = [](const Trace&, const Job& job) {
    return fmt::format("{}", job.spec.requested_gpus);
  };
  report.marginals.push_back(
      compared("sizes", counted(pair.trace, size), counted(pair.generated, size)));
  report.marginals.push_back(
      compared("run time, all", run_times(pair.trace, {}), run_times(pair.generated, {})));
  for (const auto& pool : options.pools) {
    report.marginals.push_back(
        compared(pool_name(pool), run_times(pair.trace, pool), run_times(pair.generated, pool)));
  }
}

inline void compare_arrivals(WorkloadFitReport& report, Pair pair, const GoodnessOptions& options) {
  const Duration step = clock_step(pair.trace);
  const auto trace = gaps_s(pair.trace, step);
  const auto generated = gaps_s(pair.generated, step);
  report.trace_gap_variation = squared_variation(trace);
  report.generated_gap_variation = squared_variation(generated);
  report.marginals.push_back(compared("gaps", trace, generated));
  constexpr Duration hour = std::chrono::hours(1);
  const auto slots = [&](std::string name, Duration length, std::int64_t kinds) {
    report.marginals.push_back(compared(std::move(name),
                                        slot_counts(pair.trace, options.monday, length, kinds),
                                        slot_counts(pair.generated, TimePoint(), length, kinds)));
  };
  slots("hour of the day", hour, 24);
  slots("day of the week", 24 * hour, 7);
}

/// Only what the traces have.
inline void compare_names(WorkloadFitReport& report, Pair pair) {
  const auto add = [&](std::string name, auto word_of) {
    const Counts trace = counted(pair.trace, word_of);
    const bool has_words = trace.size() > 1 || !trace.begin()->first.empty();
    if (has_words)
      report.marginals.push_back(
          compared(std::move(name), trace, counted(pair.generated, word_of)));
  };
  add("speedup profile", [](const Trace& trace, const Job& job) {
    const auto name = trace.profiles.find(job.id);
    return name == trace.profiles.end() ? std::string() : name->second;
  });
  add("size range", [](const Trace&, const Job& job) {
    const JobSpec& spec = job.spec;
    if (spec.min_gpus >= spec.max_gpus)
      return std::string();
    return fmt::format("{}:{}:{}", spec.min_gpus, spec.requested_gpus, spec.max_gpus);
  });
  const auto field = [](std::string JobSpec::* member) {
    return [member](const Trace&, const Job& job) { return job.spec.*member; };
  };
  add("GPU type", field(&JobSpec::gpu_type));
  add("user", field(&JobSpec::user));
  add("queue", field(&JobSpec::queue));
  add("virtual cluster", field(&JobSpec::virtual_cluster));
}

[[nodiscard]] inline Trace part_of(const Trace& trace, std::size_t first, std::size_t end) {
  Trace result;
  for (std::size_t i = first; i < end; ++i) {
    result.jobs.push_back(trace.jobs[i]);
    const auto profile = trace.profiles.find(trace.jobs[i].id);
    if (profile != trace.profiles.end())
      result.profiles.insert(*profile);
  }
  return result;
}

}  // namespace goodness_detail

VODA_INLINE double ks_distance(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty())
    return goodness_detail::no_number;
  std::ranges::sort(a);
  std::ranges::sort(b);
  double result = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] <= at)
      ++i;
    while (j < b.size() && b[j] <= at)
      ++j;
    const double difference = static_cast<double>(i) / static_cast<double>(a.size()) -
                              static_cast<double>(j) / static_cast<double>(b.size());
    result = std::max(result, std::abs(difference));
  }
  return result;
}

VODA_INLINE double total_variation(const Counts& a, const Counts& b) {
  namespace detail = goodness_detail;
  const double total_a = detail::total_of(a);
  const double total_b = detail::total_of(b);
  if (!(total_a > 0 && total_b > 0))
    return detail::no_number;
  double result = 0;
  for (const auto& [word, count] : a)
    result += std::abs(count / total_a - detail::share_of(b, word, total_b)) / 2;
  for (const auto& [word, count] : b)
    result += a.contains(word) ? 0 : count / total_b / 2;
  return result;
}

VODA_INLINE std::vector<std::vector<GpuCount>> pools_of(const WorkloadProfile& profile) {
  std::vector<std::vector<GpuCount>> result;
  for (const DemandClass& demand : profile.demand) {
    result.emplace_back();
    for (const auto& [gpus, share] : demand.sizes)
      result.back().push_back(gpus);
  }
  return result;
}

VODA_INLINE WorkloadFitReport goodness_of_fit(std::span<const Trace> traces,
                                              const GoodnessOptions& options) {
  namespace detail = goodness_detail;
  double span_s = 0;
  double gaps = 0;
  for (const Trace& trace : traces) {
    span_s += to_seconds(load_of(trace).span);
    gaps += trace.jobs.empty() ? 0 : static_cast<double>(trace.jobs.size() - 1);
  }
  if (!(workload_fit_detail::job_count(traces) > 0))
    throw InvalidInput("no jobs; expected at least one to compare a workload with");
  WorkloadOptions workload = options.workload;
  workload.gpus = std::numeric_limits<GpuCount>::max();
  workload.mean_gap_s = gaps > 0 ? span_s / gaps : 0;
  const Trace generated = generate_workload(workload);
  const detail::Pair pair{.trace = traces, .generated = {&generated, 1}};
  WorkloadFitReport result;
  detail::compare_demand(result, pair, options);
  detail::compare_arrivals(result, pair, options);
  detail::compare_names(result, pair);
  if (auto slack = detail::slacks(traces); !slack.empty())
    result.marginals.push_back(
        detail::compared("deadline slack", slack, detail::slacks(pair.generated)));
  return result;
}

VODA_INLINE std::array<Trace, 2> halves_of(const Trace& trace) {
  const std::size_t middle = trace.jobs.size() / 2;
  return {goodness_detail::part_of(trace, 0, middle),
          goodness_detail::part_of(trace, middle, trace.jobs.size())};
}

}  // namespace voda

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "voda/config.hpp"
#include "voda/simulator/trace.hpp"
#include "voda/simulator/workload.hpp"

namespace voda {

/// The largest difference of two samples' distribution functions (Kolmogorov and Smirnov), from 0 to
/// 1; not a number when one is empty. O(n log n).
[[nodiscard]] double ks_distance(std::vector<double> a, std::vector<double> b);

/// What a word stands for is counted by it.
using Counts = std::map<std::string, double, std::less<>>;

/// Half the sum of differences of the shares (total variation), from 0 to 1; not a number when
/// there is nothing in one of them.
[[nodiscard]] double total_variation(const Counts& a, const Counts& b);

/// How two samples are compared.
enum class DistanceKind : std::uint8_t { ks, total_variation };

/// One property of jobs in a trace, and in generated jobs.
struct MarginalFit {
  std::string name{};
  DistanceKind kind = DistanceKind::ks;
  std::size_t jobs = 0;  // of the trace that have it
  double distance = 0;   // of the generated jobs from the trace; not a number without jobs
  double by_chance = 0;  // about its mean if both were independent draws of one distribution
  std::array<double, 3> trace_quantiles{};  // at 50, 90 and 99 %; not numbers unless `kind` is ks
  std::array<double, 3> generated_quantiles{};
};

/// How well generated jobs match traces.
struct WorkloadFitReport {
  std::vector<MarginalFit> marginals{};
  double trace_gap_variation = 0;  // squared coefficient of variation of the gaps
  double generated_gap_variation = 0;
};

/// What is compared, and how.
struct GoodnessOptions {
  WorkloadOptions workload{};                  // whose jobs; gpus, load and mean_gap_s are replaced
  std::vector<std::vector<GpuCount>> pools{};  // sizes whose run times are compared by themselves
  std::optional<TimePoint> monday{};           // as in WorkloadFitOptions
};

/// The pools of sizes of a profile.
[[nodiscard]] std::vector<std::vector<GpuCount>> pools_of(const WorkloadProfile& profile);

/// Compares traces, taken together, with a workload generated at their mean gap on a cluster without
/// limit: sizes, run times (of all jobs and by pool), gaps, hours of the day, days of the week, and
/// what the traces have of profiles, size ranges, slacks and labels.
///
/// Sizes, hours, days, profiles, ranges and labels are compared by total variation, the others by
/// ks_distance(); gaps in whole seconds if all submissions of the traces are, else in
/// milliseconds. Throws InvalidInput when there is no job, and as generate_workload() does.
[[nodiscard]] WorkloadFitReport goodness_of_fit(std::span<const Trace> traces,
                                                const GoodnessOptions& options);

/// The first half of a trace's jobs, in arrival order, and the others.
[[nodiscard]] std::array<Trace, 2> halves_of(const Trace& trace);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/goodness_of_fit_inl.hpp"
#endif

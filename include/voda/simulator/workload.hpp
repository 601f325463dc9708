#pragma once

#include <cstdint>
#include <optional>

#include "voda/config.hpp"
#include "voda/model/units.hpp"
#include "voda/simulator/trace.hpp"
#include "voda/simulator/workload_profile.hpp"

namespace voda {

/// How submissions are spread over time.
enum class ArrivalPattern : std::uint8_t {
  poisson,  // independent of each other
  bursty,   // gaps from a mixture: 95 % short, 5 % long, squared coefficient of variation 37
  daily,    // Poisson with a rate that follows the hour of the day and rests at the weekend
  fitted    // as WorkloadOptions::profile says
};

/// What to generate.
struct WorkloadOptions {
  std::int64_t jobs = 2000;  // from 0 to `most_jobs`
  GpuCount gpus = 256;       // of the cluster it is meant for; larger requests are cut to it
  double load = 0.9;         // TraceLoad::offered_load(gpus) of the result; > 0
  std::optional<double> mean_gap_s{};  // between two submissions; read instead of `load`
  ArrivalPattern arrivals = ArrivalPattern::daily;
  DemandProfile demand = DemandProfile::philly;
  std::optional<WorkloadProfile> profile{};  // instead of the shipped one that `demand` names
  double elastic_share = 0.5;                // of the jobs, from 0 to 1; the others are rigid
  Elasticity elasticity{.min = {.value = 1}, .max = {.value = 4}};  // of the elastic ones
  LabelShares labels{};                      // of the users and so on of the jobs
  std::optional<DeadlineModel> deadlines{};  // absent: none
  std::uint64_t seed = 1;

  static constexpr std::int64_t most_jobs = 10000000;
};

/// The options with everything that a profile says: demand, speedup profiles, arrivals, elasticity,
/// deadlines and labels. What it says nothing of stays as it is.
[[nodiscard]] WorkloadOptions with_profile(WorkloadOptions options, WorkloadProfile profile);

/// Throws InvalidInput that names the option, its value and what was expected.
void check(const WorkloadOptions& options);

/// The nine shipped speedup curves, named voda/vgg and so on: T(n) / T(1) = 1 + b (1/n - 1) + d log2 n + e (n - 1), fitted by
/// us to measurements published by the authors of AFS (NSDI 2021), at 1 to 64 GPUs; worst relative
/// error 2 to 13 %.
[[nodiscard]] Profiles workload_profiles();

/// Makes a trace; a pure function of its options, byte-identical on every machine. O(jobs log
/// jobs).
///
/// Each job draws its number of GPUs from fitted probabilities, its run time at that size from
/// fitted quantiles of that size (interpolated in log time) and its profile from those of the
/// workload profile or from workload_profiles(); its work is that run time * S(GPUs). The first job
/// arrives at 0, which is Monday, 0:00; the last one when the offered load is `load`. Changing one
/// option leaves alone what it does not concern: every property has its own random stream. Of
/// `profile` only `demand`, `profiles` and, for ArrivalPattern::fitted, `arrivals` are read; the
/// rest are options. Throws InvalidInput as check() does, and for a job with more work or a later
/// submission or deadline than a trace can hold.
[[nodiscard]] Trace generate_workload(const WorkloadOptions& options);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/workload_inl.hpp"
#endif

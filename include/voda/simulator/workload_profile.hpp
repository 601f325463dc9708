#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/speedup_curve.hpp"
#include "voda/model/units.hpp"
#include "voda/simulator/quantiles.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// Which cluster a shipped profile is fitted to.
enum class DemandProfile : std::uint8_t {
  philly,  // Microsoft Philly, 2017: 1 to 8 GPUs, run times from seconds to weeks
  itp      // Microsoft ITP, 2021: mostly 1 GPU, some up to 64, run times of hours
};

/// Shares of the jobs by name, which add up to 1; the empty name stands for jobs without one.
using Shares = std::map<std::string, double, std::less<>>;

/// Numbers of GPUs with the same run times.
struct DemandClass {
  std::map<GpuCount, double> sizes{};  // shares of all jobs
  Quantiles run_s{};                   // at the requested size; interpolated in log time
  bool operator==(const DemandClass&) const = default;
};

/// The jobs of one speedup profile.
struct ProfileShare {
  double share = 0;
  SpeedupCurve speedup{};
  bool operator==(const ProfileShare&) const = default;
};

/// The same rate, 1, for every hour or day.
template <std::size_t n>
[[nodiscard]] constexpr std::array<double, n> equal_rates() {
  std::array<double, n> result{};
  for (double& rate : result)
    rate = 1;
  return result;
}

/// How submissions are spread: gaps that are independent of each other, in a time that runs
/// faster in busy hours.
struct ArrivalModel {
  std::optional<double> mean_gap_s{};  // between two submissions, over the whole week
  std::array<double, 24> hour_of_day = equal_rates<24>();  // relative to each other, >= 0
  std::array<double, 7> day_of_week = equal_rates<7>();    // the same, Monday first
  double squared_variation = 1;     // of the gaps: variance / mean^2; read unless `gaps` is set
  std::optional<Quantiles> gaps{};  // in any unit; interpolated in log
  bool operator==(const ArrivalModel&) const = default;
};

/// Which jobs are elastic, and how far.
struct ElasticModel {
  double share = 0;  // of the jobs that the sizes give room to; the others stay rigid
  Elasticity sizes{};
  bool operator==(const ElasticModel&) const = default;
};

/// Which jobs have a deadline: submitted + slack * run time at the requested size.
struct DeadlineModel {
  double share = 0;
  Quantiles slack{};  // interpolated linearly
  bool operator==(const DeadlineModel&) const = default;
};

/// Who submits to where; a table without entries leaves the field of all jobs empty.
struct LabelShares {
  Shares gpu_types{};
  Shares users{};
  Shares queues{};
  Shares virtual_clusters{};
  bool operator==(const LabelShares&) const = default;
};

/// What generate_workload() knows of a workload. Properties are independent of each other, but for
/// the run time, which depends on the size.
struct WorkloadProfile {
  std::string description{};
  std::vector<DemandClass> demand{};
  /// Absent: the nine shipped ones, equally often; the empty name: linear jobs without one.
  std::optional<std::map<std::string, ProfileShare, std::less<>>> profiles{};
  std::optional<ArrivalModel> arrivals{};
  std::optional<ElasticModel> elastic{};
  std::optional<DeadlineModel> deadlines{};
  LabelShares labels{};
  bool operator==(const WorkloadProfile&) const = default;

  static constexpr double least_share = 1e-12;
  static constexpr double longest_run_s = 1e11;
  static constexpr double most_slack = 1e6;
};

/// Throws InvalidInput that names the field, its value and what was expected: no size, a size given
/// twice, shares that are not above 0 or do not add up to 1 (within 1e-6), bad quantiles, a week
/// without any hour of arrivals, an elasticity or a number out of range.
void check(const WorkloadProfile& profile);

/// As check() does for a table of shares; `name` is named in the message.
void check(const Shares& shares, std::string_view name);

/// As check() does for the tables of labels.
void check(const LabelShares& labels);

/// As check() does for deadlines.
void check(const DeadlineModel& deadlines);

/// The profile fitted to a cluster, rounded to two digits.
[[nodiscard]] WorkloadProfile shipped_workload_profile(DemandProfile cluster);

/// Shares of `users` names, the i-th proportional to 1 / i (Zipf's law): user-1, user-2, ..., with
/// zeros before short numbers. Throws InvalidInput unless there are from 1 to 1,000,000.
[[nodiscard]] Shares zipf_users(std::int64_t users);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/workload_profile_inl.hpp"
#endif

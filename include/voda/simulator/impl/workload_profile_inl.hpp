#pragma once

#include "voda/simulator/workload_profile.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>
#include <string>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/impl/workload_fits.hpp"

namespace voda {
namespace workload_profile_detail {

inline void check_share(double share, std::string_view name, double least) {
  if (share >= least && share <= 1)
    return;
  throw InvalidInput(fmt::format("{}: {}; expected a share from {} to 1", name, share, least));
}

inline void check_total(double total, std::string_view name) {
  if (std::abs(total - 1) <= 1e-6)
    return;
  throw InvalidInput(fmt::format("{}: shares that add up to {}; expected 1", name, total));
}

inline void check_demand(const std::vector<DemandClass>& demand) {
  std::set<GpuCount> sizes;
  double total = 0;
  for (std::size_t i = 0; i < demand.size(); ++i) {
    const std::string name = fmt::format("demand[{}]", i);
    if (demand[i].sizes.empty())
      throw InvalidInput(fmt::format("{}.gpus: no size; expected at least one", name));
    for (const auto& [gpus, share] : demand[i].sizes) {
      if (gpus < 1)
        throw InvalidInput(fmt::format("{}.gpus: {}; expected a number >= 1", name, gpus));
      if (!sizes.insert(gpus).second)
        throw InvalidInput(fmt::format("{}.gpus: {} is there twice; expected it once", name, gpus));
      check_share(share, fmt::format("{}.gpus.{}", name, gpus), WorkloadProfile::least_share);
      total += share;
    }
    check(demand[i].run_s, name + ".run_s", 0, WorkloadProfile::longest_run_s);
  }
  check_total(total, "demand");
}

template <std::size_t n>
void check_rates(const std::array<double, n>& rates, std::string_view name) {
  double total = 0;
  for (const double rate : rates) {
    if (!(rate >= 0 && rate <= 1e6))
      throw InvalidInput(fmt::format("arrivals.{}: {}; expected rates from 0 to 1e6", name, rate));
    total += rate;
  }
  if (!(total >= 1e-6))
    throw InvalidInput(fmt::format("arrivals.{}: no rate above 0; expected one", name));
}

inline void check_arrivals(const ArrivalModel& arrivals) {
  const auto mean = arrivals.mean_gap_s;
  if (mean && !(*mean >= 1e-6 && *mean <= max_seconds)) {
    throw InvalidInput(fmt::format(
        "arrivals.mean_gap_s: {}; expected a number from 1e-6 to {}", *mean, max_seconds));
  }
  check_rates(arrivals.hour_of_day, "hour_of_day");
  check_rates(arrivals.day_of_week, "day_of_week");
  if (!arrivals.gaps) {
    if (!(arrivals.squared_variation >= 0 && arrivals.squared_variation <= 1e6)) {
      throw InvalidInput(
          fmt::format("arrivals.squared_variation: {}; expected a number from 0 to 1e6",
                      arrivals.squared_variation));
    }
    return;
  }
  check(*arrivals.gaps, "arrivals.gaps", 0, max_seconds);
  if (!(arrivals.gaps->values.back() > 0))
    throw InvalidInput("arrivals.gaps: every gap is 0; expected one above 0");
}

}  // namespace workload_profile_detail

VODA_INLINE void check(const Shares& shares, std::string_view name) {
  namespace detail = workload_profile_detail;
  if (shares.empty())
    return;
  double total = 0;
  for (const auto& [key, share] : shares) {
    if (has_control_characters(key) || find_invalid_utf8(key)) {
      throw InvalidInput(fmt::format(
          "{}: name '{}'; expected UTF-8 without control characters", name, shown(key)));
    }
    detail::check_share(
        share, fmt::format("{}.{}", name, shown(key)), WorkloadProfile::least_share);
    total += share;
  }
  detail::check_total(total, name);
}

VODA_INLINE void check(const DeadlineModel& deadlines) {
  workload_profile_detail::check_share(deadlines.share, "deadlines.share", 0);
  constexpr double most = WorkloadProfile::most_slack;
  check(deadlines.slack, "deadlines.slack", -most, most);
}

VODA_INLINE void check(const LabelShares& labels) {
  check(labels.gpu_types, "gpu_types");
  check(labels.users, "users");
  check(labels.queues, "queues");
  check(labels.virtual_clusters, "virtual_clusters");
}

VODA_INLINE void check(const WorkloadProfile& profile) {
  namespace detail = workload_profile_detail;
  if (has_control_characters(profile.description) || find_invalid_utf8(profile.description)) {
    throw InvalidInput(fmt::format("description: '{}'; expected UTF-8 without control characters",
                                   shown(profile.description)));
  }
  detail::check_demand(profile.demand);
  if (profile.profiles) {
    if (profile.profiles->empty())
      throw InvalidInput("profiles: none; expected at least one, or the empty name");
    Shares shares;
    for (const auto& [name, entry] : *profile.profiles)
      shares.emplace(name, entry.share);
    check(shares, "profiles");
  }
  if (profile.arrivals)
    detail::check_arrivals(*profile.arrivals);
  if (profile.elastic) {
    detail::check_share(profile.elastic->share, "elastic.share", 0);
    check(profile.elastic->sizes);
  }
  if (profile.deadlines)
    check(*profile.deadlines);
  check(profile.labels);
}

VODA_INLINE WorkloadProfile shipped_workload_profile(DemandProfile cluster) {
  namespace detail = workload_detail;
  const bool is_philly = cluster == DemandProfile::philly;
  const std::span<const detail::SizeClass> classes =
      is_philly ? std::span<const detail::SizeClass>(detail::philly_sizes) : detail::itp_sizes;
  WorkloadProfile result;
  result.description = is_philly ? "Philly virtual clusters 0e4a51 and 103959, 2017, 5,142 jobs"
                                 : "ITP cluster 01, 2021, 1,595 jobs";
  for (const detail::SizeClass& size : classes) {
    const bool is_new =
        result.demand.empty() || !std::ranges::equal(result.demand.back().run_s.values, size.run_s);
    if (is_new) {
      const auto& at = detail::probabilities;
      result.demand.push_back({.run_s = {.probabilities = {at.begin(), at.end()},
                                         .values = {size.run_s.begin(), size.run_s.end()}}});
    }
    result.demand.back().sizes.emplace(size.gpus, size.share);
  }
  return result;
}

VODA_INLINE Shares zipf_users(std::int64_t users) {
  if (users < 1 || users > 1000000)
    throw InvalidInput(fmt::format("users: {}; expected a number from 1 to 1000000", users));
  double total = 0;
  for (std::int64_t i = 1; i <= users; ++i)
    total += 1 / static_cast<double>(i);
  const std::size_t width = fmt::format("{}", users).size();
  Shares result;
  for (std::int64_t i = 1; i <= users; ++i)
    result.emplace(fmt::format("user-{:0{}}", i, width), 1 / (static_cast<double>(i) * total));
  return result;
}

}  // namespace voda

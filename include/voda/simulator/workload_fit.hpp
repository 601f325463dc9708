#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "voda/config.hpp"
#include "voda/model/units.hpp"
#include "voda/simulator/trace.hpp"
#include "voda/simulator/workload_profile.hpp"

namespace voda {

/// How a workload is fitted.
struct WorkloadFitOptions {
  std::optional<TimePoint> monday{};  // a Monday, 0:00, on the traces' clock; absent: monday_of()
  std::string description{};
};

/// The profile from which generate_workload() makes jobs like those of the traces, taken together.
///
/// - Sizes: their shares. Run times at the requested size, in whole milliseconds: quantiles_of()
///   those of each size; sizes are pooled upwards until a pool has `least_pool` jobs, and what is
///   left joins the last pool.
/// - Arrivals, if there are gaps: mean gap; rates of the hours of the day and of the days of the
///   week over the whole hours and days within the traces, where each was seen twice. Rates are drawn to
///   1 by the share of their variance that the spread between days explains (James and Stein), so
///   that a single burst makes no daily cycle. Quantiles of the gaps, in seconds of a clock that
///   runs with these rates.
/// - Speedup profiles, GPU types, users, queues and virtual clusters: shares of their names.
/// - Elasticity, if a job has a range: the rule MIN:MAX, each bound a number of GPUs or a factor, that
///   gives most such jobs their ends, and the share of elastic jobs among those that it gives room.
/// - Deadlines: the share of jobs that have one and quantiles of their slack, (deadline -
///   submitted) / run time at the requested size, at least a millisecond.
///
/// Priorities and what jobs have received are not fitted. Throws InvalidInput when there is no job,
/// and for a job whose run time or slack no profile can hold.
[[nodiscard]] WorkloadProfile fit_workload(std::span<const Trace> traces,
                                           const WorkloadFitOptions& options = {});

/// Jobs in a pool of sizes that share their run times, if there are as many.
inline constexpr std::size_t least_pool = 30;

/// Seconds that a job runs at its requested size, in whole milliseconds. The job must have work.
[[nodiscard]] double requested_run_s(const Job& job);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/simulator/impl/workload_fit_inl.hpp"
#endif

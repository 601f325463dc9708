#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "voda/model/exact.hpp"
#include "voda/simulator/impl/arrivals.hpp"
#include "voda/simulator/trace.hpp"
#include "voda/simulator/workload_profile.hpp"

/// What fit_workload() learns from submissions.
namespace voda::workload_fit_detail {

/// Calls `function` for every job of all traces, in their order.
template <class F>
void for_each_job(std::span<const Trace> traces, F function) {
  for (const Trace& trace : traces) {
    for (const Job& job : trace.jobs)
      function(trace, job);
  }
}

[[nodiscard]] inline double job_count(std::span<const Trace> traces) {
  double result = 0;
  for (const Trace& trace : traces)
    result += static_cast<double>(trace.jobs.size());
  return result;
}

[[nodiscard]] inline std::int64_t floor_divided(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Submissions after a Monday, 0:00, at most a week before the first; in arrival order.
[[nodiscard]] inline std::vector<Duration> offsets_in_weeks(
    const Trace& trace, const std::optional<TimePoint>& monday) {
  std::vector<Duration> result;
  if (trace.jobs.empty())
    return result;
  const TimePoint zero = monday.value_or(monday_of(trace));
  constexpr Duration week = std::chrono::hours(24 * 7);
  const auto since = trace.jobs.front().submitted - zero;
  const auto weeks = floor_divided(since.count(), week.count());
  const TimePoint start = zero + weeks * week;
  for (const Job& job : trace.jobs)
    result.push_back(job.submitted - start);
  return result;
}

/// Counts of submissions in slots of equal length, by the kind of the slot: the hour of the day, the
/// day of the week.
template <std::size_t kinds>
class SlotCounts {
 public:
  explicit SlotCounts(Duration length) : length_(length) {}

  /// The first and the last slot of a trace are not seen whole and left out.
  void add(std::span<const Duration> offsets) {
    if (offsets.empty())
      return;
    const std::int64_t first = slot_of(offsets.front()) + 1;
    const std::int64_t end = slot_of(offsets.back());
    std::map<std::int64_t, std::int64_t> count_of;
    for (const Duration offset : offsets)
      ++count_of[slot_of(offset)];
    for (const auto& [slot, count] : count_of) {
      if (slot < first || slot >= end)
        continue;
      Kind& kind = kinds_[static_cast<std::size_t>(slot) % kinds];
      kind.sum += static_cast<double>(count);
      kind.squares += unfused(static_cast<double>(count) * static_cast<double>(count));
    }
    const std::int64_t whole = std::max<std::int64_t>(0, end - first);
    constexpr auto period = static_cast<std::int64_t>(kinds);
    for (std::int64_t i = 0; i < period; ++i) {
      const auto slots = (whole + period - 1 - i) / period;
      kinds_[static_cast<std::size_t>(first + i) % kinds].slots += static_cast<double>(slots);
    }
  }

  /// Rates with mean 1, drawn to it by the share of their variance that chance explains; all 1 when
  /// a kind was seen less than twice.
  [[nodiscard]] std::array<double, kinds> rates() const {
    auto result = equal_rates<kinds>();
    double all = 0;
    double chance = 0;
    for (const Kind& kind : kinds_) {
      if (kind.slots < 2)
        return result;
      const double mean = kind.sum / kind.slots;
      const double variance = (kind.squares - unfused(mean * kind.sum)) / (kind.slots - 1);
      all += mean / kinds;
      chance += std::max(0.0, variance) / kind.slots / kinds;
    }
    double between = 0;
    for (const Kind& kind : kinds_) {
      const double difference = kind.sum / kind.slots - all;
      between += unfused(difference * difference) / (kinds - 1);
    }
    if (!(between > chance))
      return result;
    const double kept = 1 - chance / between;
    for (std::size_t i = 0; i < kinds; ++i) {
      const double relative = kinds_[i].sum / kinds_[i].slots / all - 1;
      result[i] = std::floor(unfused((1 + unfused(kept * relative)) * 1e4) + 0.5) / 1e4;
    }
    return result;
  }

 private:
  struct Kind {
    double slots = 0;
    double sum = 0;
    double squares = 0;
  };

  [[nodiscard]] std::int64_t slot_of(Duration offset) const {
    return offset.count() / length_.count();
  }

  Duration length_{};
  std::array<Kind, kinds> kinds_{};
};

/// Gaps in seconds of a clock that runs with the rates of a model, in whole milliseconds.
[[nodiscard]] inline std::vector<double> even_gaps_s(
    const ArrivalModel& model, std::span<const std::vector<Duration>> offsets) {
  const auto rate = workload_detail::fitted_rate(model);
  const double per_week = rate.arrivals_until(workload_detail::hours_of_week);
  const double seconds_per_arrival = 3600 * workload_detail::hours_of_week / per_week;
  std::vector<double> result;
  for (const auto& trace : offsets) {
    std::optional<double> previous;
    for (const Duration offset : trace) {
      const double at_s =
          unfused(rate.arrivals_until(to_seconds(offset) / 3600) * seconds_per_arrival);
      if (previous)
        result.push_back(
            std::max(0.0, std::floor(unfused((at_s - *previous) * 1000) + 0.5) / 1000));
      previous = at_s;
    }
  }
  return result;
}

/// Nothing when no time passes between submissions.
[[nodiscard]] inline std::optional<ArrivalModel> fit_arrivals(
    std::span<const Trace> traces, const std::optional<TimePoint>& monday) {
  std::vector<std::vector<Duration>> offsets;
  SlotCounts<24> hours(std::chrono::hours(1));
  SlotCounts<7> days(std::chrono::hours(24));
  double span_s = 0;
  double gaps = 0;
  for (const Trace& trace : traces) {
    offsets.push_back(offsets_in_weeks(trace, monday));
    if (offsets.back().empty())
      continue;
    hours.add(offsets.back());
    days.add(offsets.back());
    span_s += to_seconds(offsets.back().back() - offsets.back().front());
    gaps += static_cast<double>(offsets.back().size() - 1);
  }
  if (!(span_s > 0) || !(span_s / gaps >= 1e-6))
    return std::nullopt;
  ArrivalModel result{
      .mean_gap_s = span_s / gaps, .hour_of_day = hours.rates(), .day_of_week = days.rates()};
  result.gaps = quantiles_of(even_gaps_s(result, offsets));
  if (!(result.gaps->values.back() > 0))
    result.gaps.reset();
  return result;
}

}  // namespace voda::workload_fit_detail

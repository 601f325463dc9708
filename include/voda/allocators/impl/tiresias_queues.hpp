#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "voda/allocators/impl/serving.hpp"
#include "voda/model/error.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/options.hpp"

namespace voda::allocators_detail {

/// The thresholds and the knob of Tiresias-L, in exact units.
struct TiresiasRules {
  std::vector<std::int64_t> thresholds{};  // GPU-microseconds, ascending
  double knob = 0;                         // 0: no promotion

  [[nodiscard]] std::size_t queue_of(std::int64_t service) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(thresholds, service) -
                                    thresholds.begin());
  }

  /// Waiting time at which a job is promoted, ceil(knob * executed) in whole microseconds.
  [[nodiscard]] std::int64_t promotion_wait(Duration executed) const {
    const double wait = std::ceil(knob * static_cast<double>(executed.count()));
    constexpr auto limit = std::numeric_limits<std::int64_t>::max();
    return wait < 9.2e18 ? static_cast<std::int64_t>(wait) : limit;
  }
};

/// Reads the two options; throws InvalidInput when the thresholds do not ascend.
inline void read_tiresias_options(OptionReader& reader,
                                  std::vector<double>& thresholds,
                                  double& knob) {
  reader
      .read("thresholds",
            thresholds,
            {.min = 0, .max = max_seconds},
            "attained service in GPU-seconds at which a job falls into the next queue")
      .read("knob",
            knob,
            {.min = 0, .max = 1e9},
            "a waiting job is promoted after knob times its executed time; 0: never");
}

[[nodiscard]] inline TiresiasRules tiresias_rules(std::span<const double> thresholds,
                                                  double knob,
                                                  std::string_view policy) {
  TiresiasRules rules{.knob = knob};
  for (const double threshold : thresholds) {
    const auto exact = duration_from_seconds(threshold, "thresholds").count();
    if (!rules.thresholds.empty() && exact <= rules.thresholds.back()) {
      throw InvalidInput(
          fmt::format("policy '{}': option 'thresholds': '{}'; expected ascending numbers",
                      policy,
                      fmt::join(thresholds, "/")));
    }
    rules.thresholds.push_back(exact);
  }
  return rules;
}

/// One job as Tiresias sees it now, after promotions.
struct QueuedJob {
  JobIndex job{};
  std::uint32_t arrival = 0;
  std::size_t queue = 0;
  Counters counters{};
};

struct TiresiasOrder {
  std::vector<QueuedJob> jobs{};     // queue, holders first, last start (never: last), arrival
  std::vector<JobIndex> promoted{};  // ids ascending
};

[[nodiscard]] inline QueuedJob enqueue(const AllocationProblem& problem,
                                       const TiresiasRules& rules,
                                       JobIndex job,
                                       std::vector<JobIndex>& promoted) {
  QueuedJob result{.job = job, .counters = problem.since_promotion(job)};
  result.queue = rules.queue_of(result.counters.service.gpu_microseconds);
  const bool is_due =
      rules.knob > 0 && result.queue > 0 && problem.columns->current[job] == 0 &&
      result.counters.waited.count() >= rules.promotion_wait(result.counters.executed);
  if (is_due) {
    promoted.push_back(job);
    result.counters = {};
    result.queue = rules.queue_of(0);
  }
  return result;
}

[[nodiscard]] inline TiresiasOrder tiresias_order(const AllocationProblem& problem,
                                                  const TiresiasRules& rules) {
  const JobColumns& columns = *problem.columns;
  TiresiasOrder result;
  result.jobs.reserve(problem.arrival_order->size());
  for (const JobIndex job : *problem.arrival_order) {
    result.jobs.push_back(enqueue(problem, rules, job, result.promoted));
    result.jobs.back().arrival = static_cast<std::uint32_t>(result.jobs.size());
  }
  const auto key = [&columns](const QueuedJob& queued) {
    return std::tuple(queued.queue,
                      columns.current[queued.job] == 0,
                      columns.last_started[queued.job],
                      queued.arrival);
  };
  std::ranges::sort(result.jobs, {}, key);
  std::ranges::sort(result.promoted, {}, [&columns](JobIndex job) -> const std::string& {
    return columns.id[job].value;
  });
  return result;
}

/// The base step: requested sizes in Tiresias order; returns what is left.
[[nodiscard]] inline GpuCount serve_requested(const AllocationProblem& problem,
                                              const TiresiasOrder& order,
                                              Allocation& gpus) {
  GpuCount left = problem.capacity;
  for (const QueuedJob& queued : order.jobs) {
    const GpuCount wanted = rigid_size(*problem.columns, queued.job, RigidSize::requested);
    if (wanted > left)
      continue;
    gpus[queued.job] = wanted;
    left -= wanted;
  }
  return left;
}

/// Microseconds from now on until the queue of a job may change under `gpus`; nothing when it does not.
[[nodiscard]] inline std::optional<std::int64_t> time_to_change(const QueuedJob& queued,
                                                                GpuCount gpus,
                                                                const TiresiasRules& rules) {
  if (gpus > 0) {
    if (queued.queue == rules.thresholds.size())
      return std::nullopt;
    const std::int64_t missing =
        rules.thresholds[queued.queue] - queued.counters.service.gpu_microseconds;
    return missing / gpus + (missing % gpus > 0 ? 1 : 0);
  }
  if (queued.queue == 0 || !(rules.knob > 0))
    return std::nullopt;
  const std::int64_t wait =
      rules.promotion_wait(queued.counters.executed) - queued.counters.waited.count();
  return wait > 0 ? std::optional(wait)
                  : std::nullopt;  // one that is due already waits for the next decision
}

/// The earliest change after now; saturated instants never come.
[[nodiscard]] inline std::optional<TimePoint> next_review(const AllocationProblem& problem,
                                                          const TiresiasOrder& order,
                                                          const TiresiasRules& rules,
                                                          const Allocation& gpus) {
  std::optional<std::int64_t> earliest;
  for (const QueuedJob& queued : order.jobs) {
    const auto wait = time_to_change(queued, gpus[queued.job], rules);
    if (wait && (!earliest || *wait < *earliest))
      earliest = wait;
  }
  if (!earliest)
    return std::nullopt;
  const auto at = saturating_add(problem.now.time_since_epoch().count(), *earliest);
  if (at == never.time_since_epoch().count())
    return std::nullopt;
  return TimePoint(Duration(at));
}

}  // namespace voda::allocators_detail

#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "voda/allocators/impl/ranking.hpp"
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

/// Where Tiresias sees a job: queue, holders first, last start (never: last).
struct TiresiasKey {
  std::uint64_t queue_and_waits = 0;  ///< twice the queue, plus 1 for a job that holds nothing
  std::int64_t last_started = 0;

  [[nodiscard]] std::size_t queue() const { return queue_and_waits / 2; }

  [[nodiscard]] bool operator<(const TiresiasKey& other) const {
    return queue_and_waits != other.queue_and_waits ? queue_and_waits < other.queue_and_waits
                                                    : last_started < other.last_started;
  }
};

/// The jobs in Tiresias order after promotions, and what their next changes depend on.
class TiresiasQueues {
 public:
  using Entry = Ranking<TiresiasKey>::Entry;

  void update(const AllocationProblem& problem, const TiresiasRules& rules) {
    const JobColumns& columns = *problem.columns;
    promoted_.clear();
    counters_.clear();
    counters_.reserve(problem.arrival_order->size());
    order_ = ranking_.rank(
        *problem.arrival_order, columns.size(), [&](JobIndex job, std::uint32_t /*arrival*/) {
          return enqueue(problem, rules, job);
        });
    std::ranges::sort(promoted_, {}, [&columns](JobIndex job) -> const std::string& {
      return columns.id[job].value;
    });
  }

  /// In Tiresias order; valid until the next update.
  [[nodiscard]] std::span<const Entry> order() const { return order_; }

  /// Ids ascending.
  [[nodiscard]] const std::vector<JobIndex>& promoted() const { return promoted_; }

  /// Since arrival or promotion, up to now.
  [[nodiscard]] const Counters& counters(const Entry& entry) const {
    return counters_[entry.arrival];
  }

 private:
  [[nodiscard]] TiresiasKey enqueue(const AllocationProblem& problem,
                                    const TiresiasRules& rules,
                                    JobIndex job) {
    const bool waits = problem.columns->current[job] == 0;
    Counters counters = problem.since_promotion(job);
    std::size_t queue = rules.queue_of(counters.service.gpu_microseconds);
    const bool is_due = rules.knob > 0 && queue > 0 && waits &&
                        counters.waited.count() >= rules.promotion_wait(counters.executed);
    if (is_due) {
      promoted_.push_back(job);
      counters = {};
      queue = rules.queue_of(0);
    }
    counters_.push_back(counters);
    return {.queue_and_waits = std::uint64_t{queue} * 2 + (waits ? 1 : 0),
            .last_started = problem.columns->last_started[job].time_since_epoch().count()};
  }

  Ranking<TiresiasKey> ranking_{};
  std::vector<Counters> counters_{};  // in arrival order
  std::vector<JobIndex> promoted_{};
  std::span<const Entry> order_{};
};

/// The base step: requested sizes in Tiresias order; returns what is left.
[[nodiscard]] inline GpuCount serve_requested(const AllocationProblem& problem,
                                              const TiresiasQueues& queues,
                                              Allocation& gpus) {
  return serve_in_order(queues.order(), problem.capacity, gpus, [&problem](JobIndex job) {
    return rigid_size(*problem.columns, job, RigidSize::requested);
  });
}

/// Microseconds from now on until the queue of a job may change under `gpus`; nothing when it does not.
[[nodiscard]] inline std::optional<std::int64_t> time_to_change(std::size_t queue,
                                                                const Counters& counters,
                                                                GpuCount gpus,
                                                                const TiresiasRules& rules) {
  if (gpus > 0) {
    if (queue == rules.thresholds.size())
      return std::nullopt;
    const std::int64_t missing = rules.thresholds[queue] - counters.service.gpu_microseconds;
    return missing / gpus + (missing % gpus > 0 ? 1 : 0);
  }
  if (queue == 0 || !(rules.knob > 0))
    return std::nullopt;
  const std::int64_t wait = rules.promotion_wait(counters.executed) - counters.waited.count();
  return wait > 0 ? std::optional(wait)
                  : std::nullopt;  // one that is due already waits for the next decision
}

/// The earliest change after now; saturated instants never come.
[[nodiscard]] inline std::optional<TimePoint> next_review(const AllocationProblem& problem,
                                                          const TiresiasQueues& queues,
                                                          const TiresiasRules& rules,
                                                          const Allocation& gpus) {
  std::optional<std::int64_t> earliest;
  for (const auto& entry : queues.order()) {
    const auto wait =
        time_to_change(entry.key.queue(), queues.counters(entry), gpus[entry.job], rules);
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

/// As above, for jobs that hold something else than they were given.
[[nodiscard]] inline std::optional<TimePoint> next_review(const AllocationProblem& problem,
                                                          const TiresiasRules& rules,
                                                          const Allocation& gpus) {
  TiresiasQueues queues;
  queues.update(problem, rules);
  return next_review(problem, queues, rules, gpus);
}

}  // namespace voda::allocators_detail

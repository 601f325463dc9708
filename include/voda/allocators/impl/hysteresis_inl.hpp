#pragma once

#include "voda/allocators/hysteresis.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/allocators/impl/explaining.hpp"
#include "voda/model/error.hpp"

namespace voda {
namespace hysteresis_detail {

inline constexpr Duration hour = std::chrono::hours(1);

/// Why a running job keeps its size, and until when it does whatever happens; no instant when only the gain is too small.
struct Hold {
  JobIndex job{};
  GpuCount wanted = 0;  // by the inner policy
  ReasonCode cause{};
  std::optional<TimePoint> until{};
};

/// The end of a hold that began at `from`; nothing when it is over.
[[nodiscard]] inline std::optional<TimePoint> end_after(TimePoint from,
                                                        Duration length,
                                                        TimePoint now) {
  const TimePoint end = from > never - length ? never : from + length;
  return end > now ? std::optional(end) : std::nullopt;
}

[[nodiscard]] inline bool gains_too_little(const JobColumns& columns,
                                           JobIndex job,
                                           GpuCount wanted,
                                           double min_gain) {
  const SpeedupCurve& speedup = columns.speedup[job];
  const double speed = speedup(columns.current[job]);
  return std::abs(speedup(wanted) - speed) < min_gain * speed;
}

[[nodiscard]] inline std::optional<Hold> hold_of(const AllocationProblem& problem,
                                                 const HysteresisOptions& options,
                                                 JobIndex job,
                                                 GpuCount wanted) {
  const JobColumns& columns = *problem.columns;
  const GpuCount current = columns.current[job];
  if (current == 0 || wanted == current || !is_allowed(columns.sizes[job], current))
    return std::nullopt;
  if (gains_too_little(columns, job, wanted, options.min_gain))
    return Hold{.job = job, .wanted = wanted, .cause = ReasonCode::held_small_gain};
  std::optional<Hold> result;
  const auto consider = [&](ReasonCode cause, std::optional<TimePoint> until) {
    if (until && (!result || *until > *result->until))
      result = Hold{.job = job, .wanted = wanted, .cause = cause, .until = until};
  };
  const SizeChanges& changes = columns.size_changes[job];
  if (changes.last()) {
    consider(
        ReasonCode::held_min_run,
        end_after(
            *changes.last(), duration_from_seconds(options.min_run_s, "min_run_s"), problem.now));
  }
  if (!options.max_resizes_per_hour)
    return result;
  const auto budget = static_cast<std::size_t>(*options.max_resizes_per_hour);
  const auto resizes = changes.resizes();
  if (budget == 0)
    consider(ReasonCode::held_budget, never);
  else if (resizes.size() >= budget)
    consider(ReasonCode::held_budget,
             end_after(resizes[resizes.size() - budget], hour, problem.now));
  return result;
}

/// The jobs that are held against the inner answer, in arrival order.
[[nodiscard]] inline std::vector<Hold> holds(const AllocationProblem& problem,
                                             const HysteresisOptions& options,
                                             const Allocation& wanted) {
  std::vector<Hold> result;
  for (const JobIndex job : *problem.arrival_order) {
    if (const auto hold = hold_of(problem, options, job, wanted[job]))
      result.push_back(*hold);
  }
  return result;
}

/// Takes back held growth, then gives held sizes back while the GPUs suffice.
inline void apply(const AllocationProblem& problem, std::span<const Hold> holds, Allocation& gpus) {
  const IndexedVector<JobIndex, GpuCount>& current = problem.columns->current;
  for (const Hold& hold : holds)
    gpus[hold.job] = std::min(gpus[hold.job], current[hold.job]);
  std::int64_t left = problem.capacity;
  for (const JobIndex job : *problem.arrival_order)
    left -= gpus[job];
  for (const Hold& hold : holds) {
    const GpuCount more = current[hold.job] - gpus[hold.job];
    if (more > left)
      continue;
    left -= more;
    gpus[hold.job] = current[hold.job];
  }
}

[[nodiscard]] inline std::optional<TimePoint> earlier(std::optional<TimePoint> a,
                                                      std::optional<TimePoint> b) {
  return a && b ? std::min(a, b) : a ? a : b;
}

/// Turns an inner answer into the held one.
inline void hold_back(const Allocator& inner,
                      const HysteresisOptions& options,
                      const AllocationProblem& problem,
                      AllocationDecision& decision) {
  const std::vector<Hold> held = holds(problem, options, decision.gpus);
  if (held.empty())
    return;
  apply(problem, held, decision.gpus);
  for (const Hold& hold : held) {
    if (hold.until && *hold.until != never && decision.gpus[hold.job] != hold.wanted)
      decision.review_at = earlier(decision.review_at, hold.until);
  }
  decision.review_at = earlier(decision.review_at, inner.review_of(problem, decision.gpus));
}

class Session final : public AllocatorSession {
 public:
  Session(std::shared_ptr<const Allocator> inner, const HysteresisOptions& options)
      : inner_(std::move(inner)), session_(inner_->session()), options_(options) {}

  [[nodiscard]] const AllocationDecision& update(const AllocationProblem& problem,
                                                 std::span<const JobIndex> changed) override {
    if (session_ == nullptr) {
      decision_ = inner_->allocate(problem);
    } else {
      decision_ = session_->update(problem, changed);
    }
    hold_back(*inner_, options_, problem, decision_);
    return decision_;
  }

 private:
  std::shared_ptr<const Allocator> inner_{};
  std::unique_ptr<AllocatorSession> session_{};
  HysteresisOptions options_{};
  AllocationDecision decision_{};
};

inline void check(const HysteresisOptions& options) {
  const auto refuse = [](std::string_view option, double value, std::string_view expected) {
    throw InvalidInput(
        fmt::format("hysteresis: option '{}': '{}'; expected {}", option, value, expected));
  };
  if (!(options.min_gain >= 0))
    refuse("min_gain", options.min_gain, "a number >= 0");
  if (!(options.min_run_s >= 0 && options.min_run_s <= max_seconds))
    refuse("min_run_s", options.min_run_s, "seconds >= 0");
  const auto budget = options.max_resizes_per_hour;
  if (budget && !(*budget >= 0 && *budget <= HysteresisOptions::most_resizes_per_hour &&
                  *budget == std::floor(*budget)))
    refuse("max_resizes_per_hour", *budget, "a whole number from 0 to 16, or none");
}

inline void append_hold(const AllocationProblem& problem,
                        const HysteresisOptions& options,
                        const Hold& hold,
                        Explanation& explanation) {
  namespace detail = allocators_detail;
  const GpuCount current = problem.columns->current[hold.job];
  if (explanation.gpus != current) {
    detail::append(explanation,
                   ReasonCode::not_held,
                   {detail::gpu_fact("gpus", current), detail::gpu_fact("to", explanation.gpus)});
    return;
  }
  std::vector<Fact> facts{detail::gpu_fact("gpus", current), detail::gpu_fact("to", hold.wanted)};
  if (hold.cause == ReasonCode::held_small_gain) {
    facts.emplace_back("min_gain", options.min_gain);
  } else {
    facts.emplace_back("until", hold.until.value_or(never));
  }
  detail::append(explanation, hold.cause, std::move(facts));
}

}  // namespace hysteresis_detail

VODA_INLINE void HysteresisOptions::read(OptionReader& reader) {
  reader
      .read("min_gain",
            min_gain,
            {.min = 0, .max = 1e6},
            "smallest change of speed, as a share of the speed at the present size, for which a "
            "running job changes its size")
      .read("min_run_s",
            min_run_s,
            {.min = 0, .max = max_seconds},
            "seconds that a job keeps a size before it changes again")
      .read("max_resizes_per_hour",
            max_resizes_per_hour,
            {.min = 0, .max = most_resizes_per_hour},
            "whole number of times that a job may change its size within an hour");
}

VODA_INLINE Hysteresis::Hysteresis(std::shared_ptr<const Allocator> inner,
                                   HysteresisOptions options)
    : inner_(std::move(inner)), options_(options) {
  if (inner_ == nullptr)
    throw InvalidInput("hysteresis: no inner policy; expected one");
  hysteresis_detail::check(options_);
}

VODA_INLINE AllocationDecision Hysteresis::allocate(const AllocationProblem& problem) const {
  AllocationDecision decision = inner_->allocate(problem);
  hysteresis_detail::hold_back(*inner_, options_, problem, decision);
  return decision;
}

VODA_INLINE std::unique_ptr<AllocatorSession> Hysteresis::session() const {
  return std::make_unique<hysteresis_detail::Session>(inner_, options_);
}

VODA_INLINE std::optional<TimePoint> Hysteresis::review_of(const AllocationProblem& problem,
                                                           const Allocation& gpus) const {
  return inner_->review_of(problem, gpus);
}

VODA_INLINE Explanation Hysteresis::explain(const AllocationProblem& problem,
                                            const AllocationDecision& decision,
                                            JobIndex job) const {
  const AllocationDecision inner = inner_->allocate(problem);
  Explanation result = inner_->explain(problem, inner, job);
  result.gpus = decision.gpus[job];
  if (const auto hold = hysteresis_detail::hold_of(problem, options_, job, inner.gpus[job]))
    hysteresis_detail::append_hold(problem, options_, *hold, result);
  return result;
}

VODA_INLINE HysteresisWrapper::HysteresisWrapper(HysteresisOptions options) : options_(options) {
  hysteresis_detail::check(options_);
}

VODA_INLINE std::shared_ptr<const Allocator> HysteresisWrapper::wrap(
    std::shared_ptr<const Allocator> inner) const {
  return std::make_shared<Hysteresis>(std::move(inner), options_);
}

}  // namespace voda

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "voda/model/error.hpp"
#include "voda/policy/explain.hpp"
#include "voda/policy/impl/option_values.hpp"

namespace voda::explain_detail {

/// The other jobs that hold GPUs, most first, then by arrival.
[[nodiscard]] inline std::vector<Holder> holders_by_gpus(const AllocationProblem& problem,
                                                         const AllocationDecision& decision,
                                                         JobIndex job) {
  std::vector<Holder> result;
  for (const JobIndex other : *problem.arrival_order) {
    if (other != job && decision.gpus[other] > 0)
      result.push_back({.job = other, .gpus = decision.gpus[other]});
  }
  const JobColumns& columns = *problem.columns;
  std::ranges::sort(result, [&columns](const Holder& a, const Holder& b) {
    return a.gpus != b.gpus ? a.gpus > b.gpus : arrives_before(columns, a.job, b.job);
  });
  return result;
}

/// The problem at `at`, after `decision` was obeyed from problem.now on and nothing else happened.
[[nodiscard]] inline AllocationProblem continued(const AllocationProblem& problem,
                                                 const AllocationDecision& decision,
                                                 TimePoint at) {
  auto columns = std::make_shared<JobColumns>(*problem.columns);
  for (const JobIndex job : *problem.arrival_order) {
    JobClock& clock = columns->clock[job];
    const bool starts = clock.running == 0 && decision.gpus[job] > 0;
    if (starts)
      columns->last_started[job] = problem.now;
    clock = {.since_promotion = problem.since_promotion(job),
             .counted_at = problem.now,
             .running = decision.gpus[job]};
    columns->current[job] = decision.gpus[job];
    if (columns->has_work[job] != 0) {
      RemainingWork& work = columns->work[job];
      work = work.continued(problem.now, columns->speedup[job](decision.gpus[job]));
    }
  }
  for (const JobIndex job : decision.resets)
    columns->clock[job].since_promotion = {};
  AllocationProblem result = problem;
  result.now = at;
  result.columns = std::move(columns);
  return result;
}

/// Numbers from `low` to `high` in order of their distance from `from`, the smaller of two first; from itself is left out.
template <class Below, class Above>
[[nodiscard]] std::vector<GpuCount> by_distance(GpuCount from,
                                                int count,
                                                Below below,
                                                Above above) {
  std::vector<GpuCount> result;
  GpuCount down = below(from);
  GpuCount up = above(from);
  while (count-- > 0 && (down > 0 || up > 0)) {
    const bool goes_down = down > 0 && (up == 0 || from - down <= up - from);
    GpuCount& next = goes_down ? down : up;
    result.push_back(next);
    next = goes_down ? below(next) : above(next);
  }
  return result;
}

/// Decides changed problems until one gives the job more.
class ChangeSearch {
 public:
  /// All must outlive the search.
  ChangeSearch(const Allocator& allocator,
               const AllocationProblem& problem,
               const AllocationDecision& decision,
               JobIndex job)
      : allocator_(&allocator), problem_(&problem), decision_(&decision), job_(job) {}

  [[nodiscard]] Change more_gpus(GpuCount most) const {
    AllocationProblem changed = *problem_;
    for (GpuCount more = 1; more <= most; ++more) {
      if (problem_->capacity > std::numeric_limits<GpuCount>::max() - more)
        break;
      changed.capacity = problem_->capacity + more;
      if (const auto gpus = helps(changed))
        return {
            .kind = ChangeKind::more_gpus, .facts = {{"more", std::int64_t{more}}}, .gpus = gpus};
    }
    return {.kind = ChangeKind::more_gpus};
  }

  /// `kind` is own_minimum, own_request or own_maximum.
  [[nodiscard]] Change own_size(ChangeKind kind, int tries) const {
    auto columns = std::make_shared<JobColumns>(*problem_->columns);
    AllocationProblem changed = *problem_;
    changed.columns = columns;
    const AllowedSizes sizes = columns->sizes[job_];
    const GpuCount requested = columns->requested[job_];
    for (const GpuCount value : candidates(kind, sizes, requested, tries)) {
      AllowedSizes& now_sizes = columns->sizes[job_];
      now_sizes = sizes;
      columns->requested[job_] = requested;
      if (kind == ChangeKind::own_minimum) {
        now_sizes = voda::allowed_sizes(value, sizes.max, rule_of(sizes), sizes.gpus_per_worker);
        if (requested <= sizes.max)
          columns->requested[job_] = std::max(value, largest_size(now_sizes, requested));
      } else if (kind == ChangeKind::own_request) {
        columns->requested[job_] = value;
      } else {
        now_sizes.max = value;
      }
      if (const auto gpus = helps(changed))
        return {.kind = kind, .facts = {{"gpus", std::int64_t{value}}}, .gpus = gpus};
    }
    return {.kind = kind};
  }

  /// Tries those that hold what is lacking first, the smallest and latest of them first, then the others, the largest
  /// first.
  [[nodiscard]] Change holder_gone(std::vector<Holder> by_gpus,
                                   std::int64_t lacking,
                                   std::size_t most) const {
    AllocationProblem changed = *problem_;
    const auto others = std::ranges::partition_point(
        by_gpus, [lacking](const Holder& holder) { return holder.gpus >= lacking; });
    std::reverse(by_gpus.begin(), others);
    by_gpus.resize(std::min(by_gpus.size(), most));
    for (const Holder& holder : by_gpus) {
      auto order = std::make_shared<std::vector<JobIndex>>(*problem_->arrival_order);
      std::erase(*order, holder.job);
      changed.arrival_order = std::move(order);
      if (const auto gpus = helps(changed))
        return {.kind = ChangeKind::holder_gone, .facts = {{"job", holder.job}}, .gpus = gpus};
    }
    return {.kind = ChangeKind::holder_gone};
  }

  /// Goes on from review to review while nobody comes, goes or changes.
  [[nodiscard]] Change later(std::size_t reviews) const {
    AllocationProblem problem = *problem_;
    AllocationDecision decision = *decision_;
    for (std::size_t i = 0; i < reviews && decision.review_at && can_grow(problem); ++i) {
      problem = continued(problem, decision, *decision.review_at);
      decision = allocator_->allocate(problem);
      if (decision.gpus[job_] > decision_->gpus[job_])
        return {
            .kind = ChangeKind::later, .facts = {{"at", problem.now}}, .gpus = decision.gpus[job_]};
    }
    return {.kind = ChangeKind::later};
  }

  /// Appends one change for each option that helps, or one that says that none does.
  void options(const NamedPolicy& policy, int tries, std::vector<Change>& changes) const {
    const std::size_t before = changes.size();
    for (const OptionDescription& option : policy.entry->options) {
      for (const std::string& value : other_values(option, value_of(policy, option), tries)) {
        Options changed = policy.options;
        changed.insert_or_assign(option.name, OptionValue(value));
        const auto gpus = helps_with(policy, changed);
        if (!gpus)
          continue;
        changes.push_back({.kind = ChangeKind::option,
                           .facts = {{"option", option.name}, {"value", value}},
                           .gpus = gpus});
        break;
      }
    }
    if (changes.size() == before)
      changes.push_back({.kind = ChangeKind::option});
  }

 private:
  [[nodiscard]] std::optional<GpuCount> more(const AllocationDecision& decision) const {
    const GpuCount gpus = decision.gpus[job_];
    return gpus > decision_->gpus[job_] ? std::optional(gpus) : std::nullopt;
  }

  /// False for a job that has its largest size.
  [[nodiscard]] bool can_grow(const AllocationProblem& problem) const {
    return next_size(problem.columns->sizes[job_], decision_->gpus[job_]) != 0;
  }

  [[nodiscard]] std::optional<GpuCount> helps(const AllocationProblem& changed) const {
    return can_grow(changed) ? more(allocator_->allocate(changed)) : std::nullopt;
  }

  /// Values that contradict other options are no candidates.
  [[nodiscard]] std::optional<GpuCount> helps_with(const NamedPolicy& policy,
                                                   const Options& options) const {
    if (!can_grow(*problem_))
      return std::nullopt;
    std::shared_ptr<const Allocator> other;
    try {
      other = policy.entry->make(options);
      if (policy.wrap)
        other = policy.wrap(std::move(other));
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
    return more(other->allocate(*problem_));
  }

  [[nodiscard]] static SizeRule rule_of(const AllowedSizes& sizes) {
    if (sizes.step == 0)
      return {.kind = SizeRule::Kind::powers_of_two};
    return {.kind = SizeRule::Kind::step, .step = sizes.step};
  }

  [[nodiscard]] static std::vector<GpuCount> candidates(ChangeKind kind,
                                                        const AllowedSizes& sizes,
                                                        GpuCount requested,
                                                        int tries) {
    const GpuCount per_worker = sizes.gpus_per_worker;
    const auto smaller = [&](GpuCount size) { return largest_size(sizes, size - 1); };
    if (kind == ChangeKind::own_minimum) {
      const GpuCount most = std::min(requested, sizes.max);  // a cap may lie below the request
      return by_distance(
          sizes.min,
          tries,
          [&](GpuCount size) { return std::max(0, size - per_worker); },
          [&](GpuCount size) { return size <= most - per_worker ? size + per_worker : 0; });
    }
    if (kind == ChangeKind::own_request) {
      return by_distance(
          requested, tries, smaller, [&](GpuCount size) { return next_size(sizes, size); });
    }
    AllowedSizes endless = sizes;
    endless.max = std::numeric_limits<GpuCount>::max() / 2;
    return by_distance(
        sizes.max,
        tries,
        [&](GpuCount size) { return smaller(size) >= requested ? smaller(size) : 0; },
        [&](GpuCount size) { return next_size(endless, size); });
  }

  const Allocator* allocator_ = nullptr;
  const AllocationProblem* problem_ = nullptr;
  const AllocationDecision* decision_ = nullptr;
  JobIndex job_{};
};

}  // namespace voda::explain_detail

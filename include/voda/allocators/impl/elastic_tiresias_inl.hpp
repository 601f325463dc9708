#pragma once

#include "voda/allocators/elastic_tiresias.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "voda/allocators/impl/expansion.hpp"
#include "voda/allocators/impl/session.hpp"
#include "voda/allocators/impl/tiresias_explaining.hpp"
#include "voda/allocators/impl/tiresias_queues.hpp"

namespace voda {
namespace elastic_tiresias_detail {

using allocators_detail::TiresiasQueues;

/// Shrinks jobs of the lower queues, last in Tiresias order first, as far as needed.
class Compaction {
 public:
  /// `columns` and `gpus` must outlive the next run.
  void begin(const JobColumns& columns,
             const TiresiasQueues& queues,
             Allocation& gpus,
             GpuCount left) {
    columns_ = &columns;
    gpus_ = &gpus;
    left_ = left;
    freeable_ = 0;
    was_shrunk_.assign(columns.size(), 0);
    donors_.clear();
    for (const auto& entry : queues.order()) {
      const GpuCount spare = gpus[entry.job] - columns.sizes[entry.job].min;
      if (entry.key.queue() == 0 || spare <= 0)
        continue;
      donors_.push_back(entry.job);
      freeable_ += spare;
    }
  }

  /// Starts a job at its minimum if enough is free or can be freed.
  void start(JobIndex job) {
    const GpuCount minimum = allocators_detail::useful_minimum(*columns_, job);
    if (minimum - left_ > freeable_)
      return;
    while (left_ < minimum)
      shrink_last(minimum - left_);
    (*gpus_)[job] = minimum;
    left_ -= minimum;
  }

  [[nodiscard]] GpuCount left() const { return left_; }

  /// GPUs that running jobs can still give.
  [[nodiscard]] std::int64_t freeable() const { return freeable_; }

  [[nodiscard]] bool was_shrunk(JobIndex job) const { return was_shrunk_[position(job)] != 0; }

 private:
  void shrink_last(GpuCount needed) {
    const JobIndex donor = donors_.back();
    const AllowedSizes& sizes = columns_->sizes[donor];
    const GpuCount before = (*gpus_)[donor];
    const GpuCount after = std::max(sizes.min, largest_size(sizes, before - needed));
    if (after == sizes.min)
      donors_.pop_back();
    (*gpus_)[donor] = after;
    was_shrunk_[position(donor)] = 1;
    left_ += before - after;
    freeable_ -= before - after;
  }

  const JobColumns* columns_ = nullptr;
  Allocation* gpus_ = nullptr;
  GpuCount left_ = 0;
  std::int64_t freeable_ = 0;
  std::vector<JobIndex> donors_{};
  std::vector<std::uint8_t> was_shrunk_{};
};

class Workspace {
 public:
  void decide(const ElasticTiresiasOptions& options,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    namespace detail = allocators_detail;
    const JobColumns& columns = *problem.columns;
    const auto rules =
        detail::tiresias_rules(options.thresholds, options.knob, ElasticTiresias::name);
    queues_.update(problem, rules);
    detail::clear(problem, decision);
    const GpuCount left = detail::serve_requested(problem, queues_, decision.gpus);
    compaction_.begin(columns, queues_, decision.gpus, left);
    if (waiting(decision.gpus) > options.compact_above) {
      for (const auto& entry : queues_.order()) {
        if (decision.gpus[entry.job] == 0)
          compaction_.start(entry.job);
      }
    }
    if (compaction_.left() > 0)
      decision.effort = expand(columns, decision.gpus);
    decision.review_at = detail::next_review(problem, queues_, rules, decision.gpus);
    decision.resets = queues_.promoted();
  }

  /// Goes through the steps of decide() and says what each did for the job.
  void explain(const ElasticTiresiasOptions& options,
               const AllocationProblem& problem,
               const AllocationDecision& decision,
               Explanation& explanation) {
    namespace detail = allocators_detail;
    const JobIndex job = explanation.job;
    const auto rules =
        detail::tiresias_rules(options.thresholds, options.knob, ElasticTiresias::name);
    queues_.update(problem, rules);
    Allocation gpus(problem.columns->size(), 0);
    const GpuCount left = detail::serve_requested(problem, queues_, gpus);
    const GpuCount left_at_turn =
        detail::explain_queues(problem, queues_, rules, gpus, explanation);
    const GpuCount base = gpus[job];
    if (base > 0)
      detail::append_started(base, left_at_turn, explanation);
    const std::int64_t waiting_jobs = waiting(gpus);
    compaction_.begin(*problem.columns, queues_, gpus, left);
    if (waiting_jobs > options.compact_above)
      explain_compaction(*problem.columns, gpus, explanation);
    const GpuCount size = gpus[job];
    if (base > size) {
      detail::append(explanation,
                     ReasonCode::compaction_shrunk,
                     {detail::gpu_fact("from", base), detail::gpu_fact("to", size)});
      return;
    }
    if (base == 0 && waiting_jobs <= options.compact_above) {
      detail::append(explanation,
                     ReasonCode::compaction_off,
                     {{"waiting", waiting_jobs}, {"above", options.compact_above}});
    }
    if (explanation.gpus > size) {
      const SpeedupCurve& speed = problem.columns->speedup[job];
      detail::append(
          explanation,
          ReasonCode::grew,
          {detail::gpu_fact("from", size),
           detail::gpu_fact("to", explanation.gpus),
           {"gain", (speed(explanation.gpus) - speed(size)) / (explanation.gpus - size)}});
    }
    append_bound(problem, left_over(problem, decision), LooksAt::any_speed, explanation);
  }

 private:
  [[nodiscard]] std::int64_t waiting(const Allocation& gpus) const {
    return std::ranges::count_if(
        queues_.order(), [&](const TiresiasQueues::Entry& entry) { return gpus[entry.job] == 0; });
  }

  /// Runs the compaction and says what it did when it came to the job, or to the job's GPUs.
  void explain_compaction(const JobColumns& columns, Allocation& gpus, Explanation& explanation) {
    for (const auto& entry : queues_.order()) {
      if (gpus[entry.job] != 0)
        continue;
      const GpuCount left = compaction_.left();
      const std::int64_t freeable = compaction_.freeable();
      compaction_.start(entry.job);
      if (entry.job == explanation.job)
        append_compaction(columns, gpus[entry.job], left, freeable, explanation);
    }
  }

  static void append_compaction(const JobColumns& columns,
                                GpuCount gpus,
                                GpuCount left,
                                std::int64_t freeable,
                                Explanation& explanation) {
    namespace detail = allocators_detail;
    const GpuCount minimum = detail::useful_minimum(columns, explanation.job);
    if (gpus > 0) {
      detail::append(
          explanation,
          ReasonCode::compaction_started,
          {detail::gpu_fact("gpus", gpus), detail::gpu_fact("freed", std::max(0, gpus - left))});
    } else if (minimum > 0) {
      detail::append(explanation,
                     ReasonCode::compaction_short,
                     {detail::gpu_fact("needed", minimum - left), {"freeable", freeable}});
    }
  }

  [[nodiscard]] std::int64_t expand(const JobColumns& columns, Allocation& gpus) {
    expansion_.begin(columns, queues_.order().size());
    for (const auto& entry : queues_.order()) {
      if (!compaction_.was_shrunk(entry.job))
        expansion_.add(entry.job, gpus[entry.job]);
    }
    return expansion_.run(compaction_.left(), gpus);
  }

  TiresiasQueues queues_{};
  Compaction compaction_{};
  allocators_detail::Expansion expansion_{};
};

}  // namespace elastic_tiresias_detail

VODA_INLINE void ElasticTiresiasOptions::read(OptionReader& reader) {
  allocators_detail::read_tiresias_options(reader, thresholds, knob);
  reader.read("compact_above",
              compact_above,
              {.min = 0, .max = 1e9},
              "running jobs shrink for waiting ones when more than this many hold nothing");
}

VODA_INLINE ElasticTiresias::ElasticTiresias(ElasticTiresiasOptions options)
    : options_(std::move(options)) {
  static_cast<void>(allocators_detail::tiresias_rules(options_.thresholds, options_.knob, name));
}

VODA_INLINE AllocationDecision ElasticTiresias::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<elastic_tiresias_detail::Workspace>(options_, problem);
}

VODA_INLINE std::optional<TimePoint> ElasticTiresias::review_of(const AllocationProblem& problem,
                                                                const Allocation& gpus) const {
  const auto rules = allocators_detail::tiresias_rules(options_.thresholds, options_.knob, name);
  return allocators_detail::next_review(problem, rules, gpus);
}

VODA_INLINE Explanation ElasticTiresias::explain(const AllocationProblem& problem,
                                                 const AllocationDecision& decision,
                                                 JobIndex job) const {
  Explanation result = allocators_detail::begin_explanation(decision, job);
  elastic_tiresias_detail::Workspace workspace;
  workspace.explain(options_, problem, decision, result);
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> ElasticTiresias::session() const {
  return allocators_detail::make_session<elastic_tiresias_detail::Workspace>(options_);
}

}  // namespace voda

#pragma once

#include "voda/simulator/workload_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/simulator/impl/arrival_fit.hpp"
#include "voda/simulator/impl/trace_inl.hpp"

namespace voda {
namespace workload_fit_detail {

[[nodiscard]] inline std::vector<DemandClass> fit_demand(std::span<const Trace> traces) {
  std::map<GpuCount, std::vector<double>> run_s;
  for_each_job(traces, [&run_s](const Trace&, const Job& job) {
    const double run = requested_run_s(job);
    if (!(run <= WorkloadProfile::longest_run_s)) {
      throw InvalidInput(fmt::format("job '{}': it runs for {} s; expected at most {}",
                                     job.id.value,
                                     run,
                                     WorkloadProfile::longest_run_s));
    }
    run_s[job.spec.requested_gpus].push_back(run);
  });
  const double jobs = job_count(traces);
  std::vector<DemandClass> result;
  std::vector<std::vector<double>> samples;
  for (const auto& [gpus, sample] : run_s) {
    if (samples.empty() || samples.back().size() >= least_pool) {
      samples.emplace_back();
      result.emplace_back();
    }
    result.back().sizes.emplace(gpus, static_cast<double>(sample.size()) / jobs);
    samples.back().insert(samples.back().end(), sample.begin(), sample.end());
  }
  if (samples.size() > 1 && samples.back().size() < least_pool) {
    auto& last = samples[samples.size() - 2];
    last.insert(last.end(), samples.back().begin(), samples.back().end());
    result[result.size() - 2].sizes.merge(result.back().sizes);
    samples.pop_back();
    result.pop_back();
  }
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i].run_s = quantiles_of(std::move(samples[i]));
  return result;
}

[[nodiscard]] inline std::map<std::string, ProfileShare, std::less<>> fit_profiles(
    std::span<const Trace> traces) {
  std::map<std::string, ProfileShare, std::less<>> result;
  const double jobs = job_count(traces);
  std::map<std::string, double> counts;
  for_each_job(traces, [&](const Trace& trace, const Job& job) {
    const auto name = trace.profiles.find(job.id);
    const bool has_name = name != trace.profiles.end();
    const std::string key = has_name ? name->second : std::string();
    result.try_emplace(key, ProfileShare{.speedup = has_name ? job.speedup : SpeedupCurve()});
    ++counts[key];
  });
  for (auto& [name, entry] : result)
    entry.share = counts[name] / jobs;
  return result;
}

/// Nothing when no job has a name there.
[[nodiscard]] inline Shares fit_labels(std::span<const Trace> traces,
                                       std::string JobSpec::* field) {
  Shares result;
  for_each_job(traces, [&](const Trace&, const Job& job) { ++result[job.spec.*field]; });
  if (result.size() == 1 && result.begin()->first.empty())
    return {};
  const double jobs = job_count(traces);
  for (auto& [name, share] : result)
    share /= jobs;
  return result;
}

/// One end of the size ranges of the elastic jobs.
class RangeEnds {
 public:
  void add(GpuCount end, GpuCount requested) {
    ++counts_[{end, requested}];
    candidates_.emplace(SizeBound::Kind::gpus, static_cast<double>(end));
    candidates_.emplace(SizeBound::Kind::factor,
                        static_cast<double>(end) / static_cast<double>(requested));
  }

  /// The bound that `is_possible` and gives most jobs their end by `rule`, which says what a job gets
  /// from the bound's GPUs and its request; of equals one of the kind `preferred`, then the smaller.
  template <class Rule, class F>
  [[nodiscard]] SizeBound described(SizeBound::Kind preferred, Rule rule, F is_possible) const {
    SizeBound result;
    std::int64_t most = 0;
    for (const auto& [kind, value] : candidates_) {
      const SizeBound bound{.kind = kind, .value = value};
      const std::int64_t met = is_possible(bound) ? jobs_met(bound, rule) : 0;
      const bool wins_tie = met == most && kind == preferred && result.kind != preferred;
      if (met == 0 || met < most || (met == most && !wins_tie))
        continue;
      most = met;
      result = bound;
    }
    return result;
  }

 private:
  template <class Rule>
  [[nodiscard]] std::int64_t jobs_met(SizeBound bound, Rule rule) const {
    std::int64_t result = 0;
    for (const auto& [ends, count] : counts_) {
      const auto [end, requested] = ends;
      if (rule(trace_detail::gpus_at(bound, requested), requested) == end)
        result += count;
    }
    return result;
  }

  std::map<std::pair<GpuCount, GpuCount>, std::int64_t> counts_{};  // by end and request
  std::set<std::pair<SizeBound::Kind, double>> candidates_{};
};

/// Nothing when every job is rigid.
[[nodiscard]] inline std::optional<ElasticModel> fit_elasticity(std::span<const Trace> traces) {
  RangeEnds lower;
  RangeEnds upper;
  double elastic = 0;
  for_each_job(traces, [&](const Trace&, const Job& job) {
    const JobSpec& spec = job.spec;
    if (spec.min_gpus >= spec.max_gpus)
      return;
    ++elastic;
    lower.add(spec.min_gpus, spec.requested_gpus);
    upper.add(spec.max_gpus, spec.requested_gpus);
  });
  if (elastic <= 0)
    return std::nullopt;
  ElasticModel result;
  const auto smaller = [](GpuCount a, GpuCount b) { return std::min(a, b); };
  const auto larger = [](GpuCount a, GpuCount b) { return std::max(a, b); };
  // A smallest number of GPUs and a largest factor are what users write: 1:4x.
  using Kind = SizeBound::Kind;
  result.sizes.min = lower.described(Kind::gpus, smaller, [](SizeBound) { return true; });
  result.sizes.max = upper.described(Kind::factor, larger, [&result](SizeBound bound) {
    const SizeBound& min = result.sizes.min;
    return bound.kind != min.kind || bound.kind == Kind::factor || bound.value >= min.value;
  });
  double with_room = 0;
  for (const Trace& trace : traces) {
    for (const Job& job : with_elastic_jobs(trace, result.sizes).jobs)
      with_room += job.spec.min_gpus < job.spec.max_gpus ? 1 : 0;
  }
  result.share = with_room > 0 ? std::min(1.0, elastic / with_room) : 1;
  return result;
}

[[nodiscard]] inline std::optional<DeadlineModel> fit_deadlines(std::span<const Trace> traces) {
  std::vector<double> slacks;
  for_each_job(traces, [&slacks](const Trace&, const Job& job) {
    if (!job.spec.deadline)
      return;
    const double run_s = std::max(0.001, requested_run_s(job));
    const double slack = to_seconds(*job.spec.deadline - job.submitted) / run_s;
    if (!(std::abs(slack) <= WorkloadProfile::most_slack)) {
      throw InvalidInput(
          fmt::format("job '{}': its deadline is {} run times after its submission; expected at "
                      "most {}",
                      job.id.value,
                      slack,
                      WorkloadProfile::most_slack));
    }
    slacks.push_back(std::floor(unfused(slack * 1e6) + 0.5) / 1e6);
  });
  if (slacks.empty())
    return std::nullopt;
  const double share = static_cast<double>(slacks.size()) / job_count(traces);
  return DeadlineModel{.share = share, .slack = quantiles_of(std::move(slacks))};
}

}  // namespace workload_fit_detail

VODA_INLINE double requested_run_s(const Job& job) {
  const double run_s = job.work->left_s / job.speedup(job.spec.requested_gpus);
  return std::floor(unfused(run_s * 1000) + 0.5) / 1000;
}

VODA_INLINE WorkloadProfile fit_workload(std::span<const Trace> traces,
                                         const WorkloadFitOptions& options) {
  namespace detail = workload_fit_detail;
  if (!(detail::job_count(traces) > 0))
    throw InvalidInput("no jobs; expected at least one to fit a workload to");
  return {.description = options.description,
          .demand = detail::fit_demand(traces),
          .profiles = detail::fit_profiles(traces),
          .arrivals = detail::fit_arrivals(traces, options.monday),
          .elastic = detail::fit_elasticity(traces),
          .deadlines = detail::fit_deadlines(traces),
          .labels = {.gpu_types = detail::fit_labels(traces, &JobSpec::gpu_type),
                     .users = detail::fit_labels(traces, &JobSpec::user),
                     .queues = detail::fit_labels(traces, &JobSpec::queue),
                     .virtual_clusters = detail::fit_labels(traces, &JobSpec::virtual_cluster)}};
}

}  // namespace voda

#pragma once

#include "voda/simulator/workload.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/simulator/impl/arrivals.hpp"
#include "voda/simulator/impl/workload_fits.hpp"
#include "voda/simulator/portable_math.hpp"
#include "voda/simulator/random.hpp"

namespace voda {
namespace workload_detail {

/// Streams of one seed, one for each property of a job.
enum class Stream : std::uint8_t {
  arrivals = 1,
  sizes,
  run_times,
  profiles,
  elastic,
  gpu_types,
  users,
  queues,
  virtual_clusters,
  deadlines,
  slacks
};

[[nodiscard]] inline RandomStream stream(const WorkloadOptions& options, Stream which) {
  return RandomStream(options.seed, static_cast<std::uint64_t>(which));
}

[[nodiscard]] inline double whole_milliseconds(double seconds) {
  return std::floor(unfused(seconds * 1000) + 0.5) / 1000;
}

/// A size and the class that it belongs to.
struct SizeEntry {
  GpuCount gpus = 1;
  double share = 0;
  const DemandClass* demand = nullptr;
};

/// The sizes of a profile, which must outlive them.
[[nodiscard]] inline std::vector<SizeEntry> size_entries(const WorkloadProfile& profile) {
  std::vector<SizeEntry> result;
  for (const DemandClass& demand : profile.demand) {
    for (const auto& [gpus, share] : demand.sizes)
      result.push_back({.gpus = gpus, .share = share, .demand = &demand});
  }
  return result;
}

[[nodiscard]] inline const SizeEntry& draw_size(std::span<const SizeEntry> sizes, double uniform) {
  for (const SizeEntry& size : sizes) {
    uniform -= size.share;
    if (uniform < 0)
      return size;
  }
  return sizes.front();
}

/// Draws positions 0, 1, ... with given shares.
class ShareDraw {
 public:
  void add(double share) { sums_.push_back((sums_.empty() ? 0 : sums_.back()) + share); }

  [[nodiscard]] std::size_t draw(RandomStream& random) const {
    const double at = unfused(random.uniform() * sums_.back());
    const auto above = std::ranges::upper_bound(sums_, at);
    return std::min<std::size_t>(static_cast<std::size_t>(above - sums_.begin()), sums_.size() - 1);
  }

 private:
  std::vector<double> sums_{};
};

/// Draws speedup profiles: the shipped ones, equally often, unless the workload has its own.
class ProfileDraw {
 public:
  explicit ProfileDraw(const WorkloadProfile& profile) : has_shares_(profile.profiles.has_value()) {
    if (!has_shares_) {
      for (auto& [name, curve] : workload_profiles())
        profiles_.emplace_back(name, curve);
      return;
    }
    for (const auto& [name, entry] : *profile.profiles) {
      profiles_.emplace_back(name, entry.speedup);
      shares_.add(entry.share);
    }
  }

  [[nodiscard]] const std::pair<std::string, SpeedupCurve>& draw(RandomStream& random) const {
    return profiles_[has_shares_ ? shares_.draw(random) : random.below(profiles_.size())];
  }

 private:
  bool has_shares_ = false;
  std::vector<std::pair<std::string, SpeedupCurve>> profiles_{};
  ShareDraw shares_{};
};

[[nodiscard]] inline double draw_gap(const WorkloadOptions& options, RandomStream& random) {
  switch (options.arrivals) {
    case ArrivalPattern::poisson:
    case ArrivalPattern::daily:
      return random.exponential();
    case ArrivalPattern::bursty:
      return draw_bursty_gap(random);
    case ArrivalPattern::fitted:
      return draw_fitted_gap(*options.profile->arrivals, random);
  }
  return 0;
}

/// Nothing for a rate that never changes.
[[nodiscard]] inline std::optional<WeeklyRate> rate_of(const WorkloadOptions& options) {
  if (options.arrivals == ArrivalPattern::daily)
    return daily_rate();
  if (options.arrivals == ArrivalPattern::fitted)
    return fitted_rate(*options.profile->arrivals);
  return std::nullopt;
}

/// Arrivals from 0 to `span_s` in seconds, ascending.
[[nodiscard]] inline std::vector<double> draw_arrivals(const WorkloadOptions& options,
                                                       double span_s) {
  RandomStream random = stream(options, Stream::arrivals);
  std::vector<double> position{0};
  for (std::int64_t i = 1; i < options.jobs; ++i) {
    position.push_back(position.back() + draw_gap(options, random));
  }
  const double end = position.back() > 0 ? position.back() : 1;
  const auto rate = rate_of(options);
  const double all = rate ? rate->arrivals_until(span_s / 3600) : 0;
  double previous = 0;
  for (double& at : position) {
    const double fraction = at / end;
    const double time_s =
        rate ? unfused(3600 * rate->hour_of(unfused(fraction * all))) : unfused(fraction * span_s);
    at = previous = std::clamp(time_s, previous, span_s);
  }
  if (position.size() > 1)
    position.back() = span_s;
  return position;
}

/// Throws InvalidInput for more work than a trace can hold.
inline void check_work_of(const Job& job, double run_s) {
  const double work_s = job.work->left_s;
  if (work_s <= max_seconds)
    return;
  throw InvalidInput(
      fmt::format("run time: {} s on {} GPUs is work of {} s; expected at most {} s on one GPU",
                  run_s,
                  job.spec.requested_gpus,
                  work_s,
                  max_seconds));
}

/// Jobs with size, run time and speedup profile.
[[nodiscard]] inline Trace draw_jobs(const WorkloadOptions& options,
                                     const WorkloadProfile& profile) {
  const auto sizes = size_entries(profile);
  const ProfileDraw profiles(profile);
  RandomStream size_random = stream(options, Stream::sizes);
  RandomStream run_random = stream(options, Stream::run_times);
  RandomStream profile_random = stream(options, Stream::profiles);
  const std::size_t width = fmt::format("{}", std::max<std::int64_t>(1, options.jobs) - 1).size();
  Trace trace;
  for (std::int64_t i = 0; i < options.jobs; ++i) {
    const SizeEntry& size = draw_size(sizes, size_random.uniform());
    const GpuCount gpus = std::min(size.gpus, options.gpus);
    const double run_s = whole_milliseconds(
        value_at(size.demand->run_s, run_random.uniform(), Interpolation::logarithmic));
    const auto& [name, curve] = profiles.draw(profile_random);
    Job job{.id = {fmt::format("{:0{}}", i, width)},
            .spec = {.min_gpus = gpus, .requested_gpus = gpus, .max_gpus = gpus},
            .speedup = curve};
    job.work = RemainingWork{.left_s = unfused(run_s * job.speedup(gpus))};
    check_work_of(job, run_s);
    if (!name.empty())
      trace.profiles.emplace(job.id, name);
    trace.jobs.push_back(std::move(job));
  }
  return trace;
}

/// Makes a share of the jobs elastic, up to the whole cluster.
[[nodiscard]] inline Trace with_some_elastic(Trace trace, const WorkloadOptions& options) {
  RandomStream random = stream(options, Stream::elastic);
  const Trace elastic = with_elastic_jobs(trace, options.elasticity);
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    if (!(random.uniform() < options.elastic_share))
      continue;
    JobSpec& spec = trace.jobs[i].spec;
    spec = elastic.jobs[i].spec;
    spec.max_gpus = std::min(spec.max_gpus, options.gpus);
  }
  return trace;
}

/// Fills one field of every job from a table of shares, if it has entries.
inline void draw_labels(Trace& trace,
                        const Shares& shares,
                        std::string JobSpec::* field,
                        RandomStream random) {
  if (shares.empty())
    return;
  std::vector<std::string_view> names;
  ShareDraw table;
  for (const auto& [name, share] : shares) {
    names.emplace_back(name);
    table.add(share);
  }
  for (Job& job : trace.jobs)
    job.spec.*field = names[table.draw(random)];
}

inline void draw_all_labels(Trace& trace, const WorkloadOptions& options) {
  const LabelShares& labels = options.labels;
  draw_labels(trace, labels.gpu_types, &JobSpec::gpu_type, stream(options, Stream::gpu_types));
  draw_labels(trace, labels.users, &JobSpec::user, stream(options, Stream::users));
  draw_labels(trace, labels.queues, &JobSpec::queue, stream(options, Stream::queues));
  draw_labels(trace,
              labels.virtual_clusters,
              &JobSpec::virtual_cluster,
              stream(options, Stream::virtual_clusters));
}

/// Gives a share of the jobs, which have arrived, a deadline.
inline void draw_deadlines(Trace& trace, const WorkloadOptions& options) {
  if (!options.deadlines)
    return;
  RandomStream random = stream(options, Stream::deadlines);
  RandomStream slack_random = stream(options, Stream::slacks);
  for (Job& job : trace.jobs) {
    const bool has_deadline = random.uniform() < options.deadlines->share;
    const double slack =
        value_at(options.deadlines->slack, slack_random.uniform(), Interpolation::linear);
    if (!has_deadline)
      continue;
    const double run_s = job.work->left_s / job.speedup(job.spec.requested_gpus);
    const double deadline_s = to_seconds(job.submitted) + unfused(slack * run_s);
    job.spec.deadline = time_from_seconds(whole_milliseconds(deadline_s), "deadline");
  }
}

/// From the first submission to the last.
[[nodiscard]] inline double span_s_of(const Trace& trace, const WorkloadOptions& options) {
  const double capacity = unfused(options.load * static_cast<double>(options.gpus));
  const double span_s = options.mean_gap_s
                            ? *options.mean_gap_s * static_cast<double>(options.jobs - 1)
                            : load_of(trace).requested_gpu_s / capacity;
  if (span_s <= max_seconds)
    return span_s;
  throw InvalidInput(fmt::format(
      "load: {}; expected one that spreads the jobs over at most {} s", options.load, max_seconds));
}

}  // namespace workload_detail

VODA_INLINE WorkloadOptions with_profile(WorkloadOptions options, WorkloadProfile profile) {
  if (profile.arrivals)
    options.arrivals = ArrivalPattern::fitted;
  if (profile.elastic) {
    options.elastic_share = profile.elastic->share;
    options.elasticity = profile.elastic->sizes;
  }
  if (profile.deadlines)
    options.deadlines = profile.deadlines;
  const auto take = [](Shares& to, const Shares& from) {
    if (!from.empty())
      to = from;
  };
  take(options.labels.gpu_types, profile.labels.gpu_types);
  take(options.labels.users, profile.labels.users);
  take(options.labels.queues, profile.labels.queues);
  take(options.labels.virtual_clusters, profile.labels.virtual_clusters);
  options.profile = std::move(profile);
  return options;
}

VODA_INLINE void check(const WorkloadOptions& options) {
  if (options.jobs < 0 || options.jobs > WorkloadOptions::most_jobs) {
    throw InvalidInput(fmt::format(
        "jobs: {}; expected a number from 0 to {}", options.jobs, WorkloadOptions::most_jobs));
  }
  if (options.gpus < 1) {
    throw InvalidInput(fmt::format("gpus: {}; expected a number >= 1", options.gpus));
  }
  if (!(options.load >= 1e-6 && options.load <= 1e6)) {
    throw InvalidInput(fmt::format("load: {}; expected a number from 1e-6 to 1e6", options.load));
  }
  if (!(options.elastic_share >= 0 && options.elastic_share <= 1)) {
    throw InvalidInput(
        fmt::format("elastic share: {}; expected a number from 0 to 1", options.elastic_share));
  }
  check(options.elasticity);
  if (options.mean_gap_s && !(*options.mean_gap_s >= 0 && *options.mean_gap_s <= max_seconds)) {
    throw InvalidInput(fmt::format(
        "mean gap: {} s; expected a number from 0 to {}", *options.mean_gap_s, max_seconds));
  }
  if (options.profile)
    check(*options.profile);
  if (options.arrivals == ArrivalPattern::fitted &&
      !(options.profile && options.profile->arrivals)) {
    throw InvalidInput("arrivals: fitted; expected a workload profile that has arrivals");
  }
  check(options.labels);
  if (options.deadlines)
    check(*options.deadlines);
}

VODA_INLINE Profiles workload_profiles() {
  constexpr GpuCount largest = 64;
  Profiles result;
  for (const auto& fit : workload_detail::curve_fits) {
    std::map<GpuCount, double> points;
    for (GpuCount gpus = 1; gpus <= largest; ++gpus) {
      const double n = gpus;
      const double shared = unfused(fit.b * (1 / n - 1));
      const double synchronised = unfused(fit.d * portable_log2(n)) + unfused(fit.e * (n - 1));
      points.emplace(gpus, 1 / (1 + shared + synchronised));
    }
    result.emplace(fit.name, SpeedupCurve(points));
  }
  return result;
}

VODA_INLINE Trace generate_workload(const WorkloadOptions& options) {
  namespace detail = workload_detail;
  check(options);
  const WorkloadProfile profile =
      options.profile ? *options.profile : shipped_workload_profile(options.demand);
  Trace trace = detail::with_some_elastic(detail::draw_jobs(options, profile), options);
  detail::draw_all_labels(trace, options);
  if (trace.jobs.empty())
    return trace;
  const double span_s = detail::span_s_of(trace, options);
  const auto arrivals = detail::draw_arrivals(options, span_s);
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    Job& job = trace.jobs[i];
    job.submitted = time_from_seconds(detail::whole_milliseconds(arrivals[i]), "arrival");
    job.work->since = job.submitted;
  }
  detail::draw_deadlines(trace, options);
  return trace;
}

}  // namespace voda

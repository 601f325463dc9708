#pragma once

#include "voda/simulator/past_jobs.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"

namespace voda {
namespace past_jobs_detail {

inline constexpr int most_draws = 30;
inline constexpr double fewest_left_s = 1;

}  // namespace past_jobs_detail

VODA_INLINE PastJobs::PastJobs(Duration memory) : memory_(memory) {
  if (memory.count() <= 0)
    throw InvalidInput(fmt::format("memory {} s; expected seconds > 0", to_seconds(memory)));
}

VODA_INLINE void PastJobs::submitted(Job job) {
  if (!jobs_.empty() && job.submitted < jobs_.back().submitted) {
    throw InvalidInput(fmt::format("job '{}': submitted {} s; expected an instant not before {} s",
                                   job.id.value,
                                   to_seconds(job.submitted),
                                   to_seconds(jobs_.back().submitted)));
  }
  if (!told_s_.try_emplace(job.id.value, job.work ? job.work->left_s : 0).second) {
    throw InvalidInput(fmt::format("job '{}': submitted twice; expected unique ids", job.id.value));
  }
  job.progress = {};
  jobs_.push_back(std::move(job));
  while (jobs_.front().submitted < jobs_.back().submitted - memory_)
    jobs_.pop_front();
}

VODA_INLINE void PastJobs::found(const JobId& id, double work_s) {
  told_s_.try_emplace(id.value, work_s);
}

VODA_INLINE void PastJobs::told(const JobId& id, double work_s) {
  if (const auto told = told_s_.find(id.value); told != told_s_.end())
    told->second = work_s;
}

VODA_INLINE void PastJobs::ended(const JobId& id, double work_s) {
  const auto told = told_s_.find(id.value);
  if (told == told_s_.end())
    return;
  if (told->second > 0 && work_s > 0) {
    ratios_.push_back(work_s / told->second);
    if (ratios_.size() > most_errors)
      ratios_.pop_front();
  }
  told_s_.erase(told);
}

VODA_INLINE void PastJobs::forget_unless(const std::unordered_set<std::string>& ids) {
  std::erase_if(told_s_, [&ids](const auto& told) { return !ids.contains(told.first); });
}

VODA_INLINE std::optional<double> PastJobs::told_s(const JobId& id) const {
  const auto told = told_s_.find(id.value);
  return told == told_s_.end() ? std::nullopt : std::optional(told->second);
}

VODA_INLINE Trace PastJobs::arrivals(TimePoint now, RandomStream& random) const {
  const auto first = std::ranges::lower_bound(jobs_, now - memory_, {}, &Job::submitted);
  const auto count = static_cast<std::size_t>(jobs_.end() - first);
  Trace result;
  if (count < 2)
    return result;
  const Duration window = std::max(Duration(1), now - first->submitted);
  const TimePoint from =
      first->submitted +
      Duration(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(window.count()))));
  const auto begin =
      std::ranges::lower_bound(first, jobs_.end(), from, {}, &Job::submitted) - first;
  const std::size_t many = std::min(3 * count, most_arrivals);
  result.jobs.reserve(many);
  for (std::size_t i = 0; i < many; ++i) {
    const std::size_t place = static_cast<std::size_t>(begin) + i;
    const Job& job = first[static_cast<std::ptrdiff_t>(place % count)];
    const Duration lap = window * static_cast<std::int64_t>(place / count);
    Job again = job;
    again.submitted = std::max(now, now + (job.submitted - from) + lap);
    if (again.spec.deadline)
      *again.spec.deadline += again.submitted - job.submitted;
    again.id.value = fmt::format("{} again {:06}", job.id.value, i);
    result.jobs.push_back(std::move(again));
  }
  std::ranges::sort(
      result.jobs, {}, [](const Job& job) { return std::tie(job.submitted, job.id.value); });
  return result;
}

VODA_INLINE double PastJobs::true_left_s(const JobId& id,
                                         double left_s,
                                         RandomStream& random) const {
  const auto told = told_s_.find(id.value);
  if (told == told_s_.end() || !(told->second > 0) || ratios_.size() < fewest_errors)
    return std::max(0.0, left_s);
  const double done_s = told->second - left_s;
  for (int draw = 0; draw < past_jobs_detail::most_draws; ++draw) {
    const double ratio = ratios_[static_cast<std::size_t>(random.below(ratios_.size()))];
    const double true_left = unfused(told->second * ratio) - done_s;
    if (true_left > 0)
      return std::min(max_seconds, true_left);
  }
  // It outlasted all that was seen: what has lasted so long may last up to as long again.
  return std::clamp(
      unfused(done_s * random.uniform()), past_jobs_detail::fewest_left_s, max_seconds);
}

}  // namespace voda

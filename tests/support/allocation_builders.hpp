#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "voda/model/job.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/model/units.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::test {

/// What a test says about one job of an allocation problem; times in seconds.
struct AskingJob {
  std::string id{};
  double submitted_s = 0;
  GpuCount min = 1;
  GpuCount requested = 1;
  GpuCount max = 1;
  SizeRule sizes{};
  GpuCount gpus_per_worker = 1;
  std::optional<double> work_s{};        // at `now`
  std::map<GpuCount, double> speedup{};  // empty: linear
  double service_s = 0;  // GPU-seconds; like the next two up to `now`, since arrival or promotion
  double executed_s = 0;
  double waited_s = 0;
  std::optional<double> last_started_s{};
  GpuCount current = 0;
  std::optional<double> last_changed_s{};
  std::vector<double> resized_s{};  // ascending
};

/// A problem as a test writes it.
struct AllocationCase {
  GpuCount gpus = 0;
  std::vector<AskingJob> jobs{};
  double now_s = 5000;
};

[[nodiscard]] inline Job job_of(const AskingJob& asking, TimePoint now) {
  Job job{.id = {asking.id}, .submitted = time_from_seconds(asking.submitted_s, "submitted")};
  job.spec.min_gpus = asking.min;
  job.spec.requested_gpus = asking.requested;
  job.spec.max_gpus = asking.max;
  job.spec.sizes = asking.sizes;
  job.spec.gpus_per_worker = asking.gpus_per_worker;
  Counters& counters = job.progress.since_promotion;
  counters.service.gpu_microseconds = duration_from_seconds(asking.service_s, "service").count();
  counters.executed = duration_from_seconds(asking.executed_s, "executed");
  counters.waited = duration_from_seconds(asking.waited_s, "waited");
  if (asking.last_started_s) {
    job.progress.last_started = time_from_seconds(*asking.last_started_s, "last_started");
  }
  if (asking.last_changed_s)
    job.progress.last_changed = time_from_seconds(*asking.last_changed_s, "last_changed");
  for (const double at_s : asking.resized_s)
    job.progress.resized.push_back(time_from_seconds(at_s, "resized"));
  if (asking.work_s)
    job.work = RemainingWork{.left_s = *asking.work_s, .since = now};
  job.speedup = SpeedupCurve(asking.speedup);
  return job;
}

/// Builds a problem; `slot_of[i]` is the slot of job i, slots between stay free. Empty: job i in
/// slot i.
[[nodiscard]] inline AllocationProblem problem_of(const AllocationCase& from,
                                                  std::vector<std::size_t> slot_of = {}) {
  if (slot_of.empty()) {
    slot_of.resize(from.jobs.size());
    std::iota(slot_of.begin(), slot_of.end(), std::size_t{0});
  }
  std::size_t slots = 0;
  for (const std::size_t slot : slot_of)
    slots = std::max(slots, slot + 1);
  const TimePoint now = time_from_seconds(from.now_s, "now");
  auto columns = std::make_shared<JobColumns>();
  columns->resize(slots);
  auto order = std::make_shared<std::vector<JobIndex>>();
  for (std::size_t i = 0; i < from.jobs.size(); ++i) {
    const JobIndex slot = Allocation::index_of(slot_of[i]);
    columns->set(slot, job_of(from.jobs[i], now), from.jobs[i].current, now);
    order->push_back(slot);
  }
  sort_by_arrival(*order, *columns);
  return {.now = now,
          .capacity = from.gpus,
          .columns = std::move(columns),
          .arrival_order = std::move(order)};
}

/// GPUs by the id of the job.
using GpusById = std::map<std::string, GpuCount>;

[[nodiscard]] inline GpusById gpus_by_id(const AllocationProblem& problem,
                                         const AllocationDecision& decision) {
  GpusById result;
  for (const JobIndex job : *problem.arrival_order) {
    result[problem.columns->id[job].value] = decision.gpus[job];
  }
  return result;
}

/// Ids of the jobs whose counters a decision resets, in its order.
[[nodiscard]] inline std::vector<std::string> reset_ids(const AllocationProblem& problem,
                                                        const AllocationDecision& decision) {
  std::vector<std::string> result;
  for (const JobIndex job : decision.resets)
    result.push_back(problem.columns->id[job].value);
  return result;
}

/// The instant of the next review in seconds.
[[nodiscard]] inline std::optional<double> review_s(const AllocationDecision& decision) {
  if (!decision.review_at)
    return std::nullopt;
  return to_seconds(*decision.review_at);
}

}  // namespace voda::test

#pragma once

#include "voda/scheduler/pool_state.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace pool_state_detail {

/// The value behind a pointer for writing: cloned first when somebody else still reads it.
template <class T>
[[nodiscard]] T& edit(std::shared_ptr<T>& shared) {
  if (shared.use_count() > 1)
    shared = std::make_shared<T>(*shared);
  return *shared;
}

[[nodiscard]] inline Counters sum(const Counters& a, const Counters& b) {
  return {.service = {saturating_add(a.service.gpu_microseconds, b.service.gpu_microseconds)},
          .executed = Duration(saturating_add(a.executed.count(), b.executed.count())),
          .waited = Duration(saturating_add(a.waited.count(), b.waited.count()))};
}

/// What `whole` holds beyond `part`, at least 0 in each counter.
[[nodiscard]] inline Counters beyond(const Counters& whole, const Counters& part) {
  const auto rest = [](std::int64_t a, std::int64_t b) { return a > b ? a - b : 0; };
  return {.service = {rest(whole.service.gpu_microseconds, part.service.gpu_microseconds)},
          .executed = Duration(rest(whole.executed.count(), part.executed.count())),
          .waited = Duration(rest(whole.waited.count(), part.waited.count()))};
}

}  // namespace pool_state_detail

VODA_INLINE JobColumns& PoolState::edit_jobs() {
  return pool_state_detail::edit(columns_);
}

VODA_INLINE NodeColumns& PoolState::edit_nodes() {
  return pool_state_detail::edit(nodes_);
}

VODA_INLINE std::vector<JobIndex>& PoolState::edit_order() {
  return pool_state_detail::edit(arrival_order_);
}

VODA_INLINE Job PoolState::job(JobIndex job, TimePoint now) const {
  const JobColumns& columns = *columns_;
  const Record& record = records_[job];
  const AllocationProblem problem{.now = now, .columns = columns_};
  Job result{.id = columns.id[job],
             .submitted = columns.submitted[job],
             .spec = record.spec,
             .speedup = columns.speedup[job]};
  result.progress.since_promotion = problem.since_promotion(job);
  result.progress.lifetime =
      pool_state_detail::sum(record.lifetime_before, result.progress.since_promotion);
  result.progress.first_started = record.first_started;
  if (columns.last_started[job] != never)
    result.progress.last_started = columns.last_started[job];
  result.progress.last_changed = columns.size_changes[job].last();
  const auto resizes = columns.size_changes[job].resizes();
  result.progress.resized.assign(resizes.begin(), resizes.end());
  if (columns.has_work[job] != 0) {
    const RemainingWork& work = columns.work[job];
    result.work = now > work.since ? work.continued(now, work.rate) : work;
  }
  return result;
}

VODA_INLINE AllocationProblem PoolState::allocation_problem(TimePoint now) const {
  return {.now = now, .capacity = capacity_, .columns = columns_, .arrival_order = arrival_order_};
}

VODA_INLINE PlacementProblem PoolState::placement_problem(Allocation allocation) const {
  PlacementProblem problem{.nodes = nodes_,
                           .jobs = columns_,
                           .arrival_order = arrival_order_,
                           .allocation = std::move(allocation),
                           .current = assigned_};
  for (const JobIndex job : *arrival_order_) {
    const GpuCount gpus_per_worker = columns_->sizes[job].gpus_per_worker;
    const auto workers = static_cast<std::size_t>(problem.allocation[job] / gpus_per_worker);
    problem.current.truncate(job, workers);
  }
  return problem;
}

VODA_INLINE JobIndex PoolState::take_slot() {
  if (!free_slots_.empty()) {
    const JobIndex slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
  }
  const std::size_t slots = columns_->size();
  edit_jobs().resize(slots + 1);
  records_.resize(slots + 1);
  assigned_.resize(slots + 1);
  observed_.resize(slots + 1);
  return Allocation::index_of(slots);
}

VODA_INLINE JobIndex PoolState::submit(const JobSubmitted& event, TimePoint now) {
  check(event.job);
  const JobSpec& spec = event.job.spec;
  const auto workers = static_cast<std::int64_t>(event.node_of_worker.size());
  if (event.held < 0 || (workers > 0 && workers * spec.gpus_per_worker != event.held)) {
    throw InvalidInput(
        fmt::format("job '{}': holds {} GPUs on {} workers; expected workers times {}",
                    event.job.id.value,
                    event.held,
                    workers,
                    spec.gpus_per_worker));
  }
  const JobIndex slot = take_slot();
  JobColumns& columns = edit_jobs();
  columns.set(slot, event.job, event.held, now);
  records_[slot] = {.spec = spec,
                    .lifetime_before = pool_state_detail::beyond(
                        event.job.progress.lifetime, event.job.progress.since_promotion),
                    .first_started = event.job.progress.first_started};
  const auto places = node_positions(event.node_of_worker);
  assigned_.set(slot, places);
  observed_.set(slot, places);
  held_gpus_ += event.held;
  records_[slot].span = span_of(places);
  if (columns.has_work[slot] != 0) {
    RemainingWork& work = columns.work[slot];
    work.since = now;
    work.rate = columns.speedup[slot].at_span(event.held, records_[slot].span);
  }
  auto& order = edit_order();
  const auto before = [&columns](JobIndex a, JobIndex b) { return arrives_before(columns, a, b); };
  order.insert(std::ranges::upper_bound(order, slot, before), slot);
  resolve_eligible(slot);
  is_due_ = true;
  return slot;
}

VODA_INLINE void PoolState::finish(JobIndex job) {
  auto& order = edit_order();
  const JobColumns& read = *columns_;
  const auto before = [&read](JobIndex a, JobIndex b) { return arrives_before(read, a, b); };
  order.erase(std::ranges::lower_bound(order, job, before));
  JobColumns& columns = edit_jobs();
  held_gpus_ -= columns.current[job];
  columns.id[job] = {};
  columns.current[job] = 0;
  columns.clock[job] = {};
  columns.speedup[job] = {};
  columns.eligible[job] = nullptr;
  columns.has_work[job] = 0;
  records_[job] = {};
  assigned_.clear(job);
  observed_.clear(job);
  free_slots_.push_back(job);
  is_due_ = true;
}

VODA_INLINE void PoolState::change(JobIndex job, const JobSpec& spec, TimePoint now) {
  check(spec, columns_->id[job]);
  if (spec.gpus_per_worker != records_[job].spec.gpus_per_worker && columns_->current[job] > 0) {
    throw InvalidInput(fmt::format("job '{}': gpus_per_worker {}; expected {} while it holds GPUs",
                                   columns_->id[job].value,
                                   spec.gpus_per_worker,
                                   records_[job].spec.gpus_per_worker));
  }
  settle(job, now);
  JobColumns& columns = edit_jobs();
  columns.sizes[job] = allowed_sizes(spec);
  const GpuCount rounded = largest_size(columns.sizes[job], spec.requested_gpus);
  columns.requested[job] = rounded > 0 ? rounded : columns.sizes[job].min;
  records_[job].spec = spec;
  resolve_eligible(job);
  is_due_ = true;
}

VODA_INLINE void PoolState::measure(JobIndex job, const JobMeasured& event, TimePoint now) {
  if (event.remaining_s)
    check_work(*event.remaining_s, event.job);
  JobColumns& columns = edit_jobs();
  if (event.speedup)
    columns.speedup[job] = *event.speedup;
  if (event.remaining_s && columns.has_work[job] == 0) {
    columns.has_work[job] = 1;
    columns.work[job] = {.since = now};
  }
  if (columns.has_work[job] == 0)
    return;
  const double rate = columns.speedup[job].at_span(columns.clock[job].running, records_[job].span);
  RemainingWork& work = columns.work[job];
  work = work.continued(now, rate);
  if (event.remaining_s)
    work.left_s = *event.remaining_s;
  if (event.stalled_until)
    work.stalled_until = *event.stalled_until;
}

VODA_INLINE void PoolState::settle(JobIndex job, TimePoint now) {
  JobClock& clock = edit_jobs().clock[job];
  if (now > clock.counted_at) {
    accrue(clock.since_promotion, clock.running, now - clock.counted_at);
    clock.counted_at = now;
  }
}

VODA_INLINE std::int32_t PoolState::span_of(std::span<const NodeIndex> workers) {
  std::int32_t span = 0;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    const auto seen = workers.first(i);
    if (i > 0 && workers[i] == workers[i - 1])
      continue;
    if (std::ranges::find(seen, workers[i]) == seen.end())
      ++span;
  }
  return span;
}

VODA_INLINE void PoolState::run(JobIndex job, GpuCount gpus, std::int32_t span, TimePoint now) {
  JobColumns& columns = edit_jobs();
  JobClock& clock = columns.clock[job];
  if (clock.running == gpus && records_[job].span == span)
    return;
  settle(job, now);
  if (clock.running == 0) {
    columns.last_started[job] = now;
    if (!records_[job].first_started)
      records_[job].first_started = now;
  }
  clock.running = gpus;
  records_[job].span = span;
  if (columns.has_work[job] == 0)
    return;
  RemainingWork& work = columns.work[job];
  work = work.continued(now, columns.speedup[job].at_span(gpus, span));
}

VODA_INLINE void PoolState::assign(JobIndex job, GpuCount gpus, TimePoint now) {
  JobColumns& columns = edit_jobs();
  held_gpus_ += std::int64_t{gpus} - columns.current[job];
  columns.size_changes[job].add(columns.current[job], gpus, now);
  columns.current[job] = gpus;
  if (observation_ == Observation::assumed)
    run(job, gpus, span_of(assigned_[job]), now);
}

VODA_INLINE void PoolState::see_workers(JobIndex job,
                                        std::span<const NodeId> node_of_worker,
                                        TimePoint now) {
  const auto places = node_positions(node_of_worker);
  const auto gpus = static_cast<GpuCount>(places.size()) * columns_->sizes[job].gpus_per_worker;
  if (observation_ == Observation::assumed) {
    if (gpus == columns_->current[job] && same_nodes(assigned_[job], places))
      return;
    assigned_.set(job, places);
    assign(job, gpus, now);
    is_due_ = true;
    return;
  }
  observed_.set(job, places);
  run(job, gpus, span_of(places), now);
}

VODA_INLINE void PoolState::lose_worker(JobIndex job, const NodeId& node, TimePoint now) {
  const auto found = node_of_id_.find(node.value);
  const auto workers = assigned_[job];
  std::vector<NodeIndex> kept(workers.begin(), workers.end());
  const auto lost =
      found == node_of_id_.end() ? kept.end() : std::ranges::find(kept, found->second);
  if (lost == kept.end()) {
    throw InvalidInput(fmt::format("job '{}': no worker on node '{}'; expected one of its nodes",
                                   columns_->id[job].value,
                                   node.value));
  }
  kept.erase(lost);
  assigned_.set(job, kept);
  assign(job, columns_->current[job] - columns_->sizes[job].gpus_per_worker, now);
  is_due_ = true;
}

VODA_INLINE void PoolState::start_anew(JobIndex job, TimePoint now) {
  settle(job, now);
  Counters& counters = edit_jobs().clock[job].since_promotion;
  records_[job].lifetime_before = pool_state_detail::sum(records_[job].lifetime_before, counters);
  counters = {};
}

VODA_INLINE void PoolState::commit(TimePoint now,
                                   const AllocationDecision& decision,
                                   const Placement* placement) {
  for (const JobIndex job : decision.resets)
    start_anew(job, now);
  for (const JobIndex job : *arrival_order_) {
    const GpuCount gpus = decision.gpus[job];
    const bool is_moved = placement != nullptr && !same_nodes(assigned_[job], (*placement)[job]);
    if (gpus == columns_->current[job] && !is_moved)
      continue;
    if (placement != nullptr) {
      assigned_.set(job, (*placement)[job]);
    } else {
      assigned_.clear(job);
    }
    assign(job, gpus, now);
  }
  review_at_ = decision.review_at;
  is_due_ = false;
}

}  // namespace voda

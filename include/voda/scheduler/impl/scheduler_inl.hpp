#pragma once

#include "voda/scheduler/scheduler.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/policy/validate.hpp"
#include "voda/scheduler/diff.hpp"
#include "voda/scheduler/impl/capped_problem.hpp"

namespace voda {
namespace scheduler_detail {

inline constexpr std::int32_t capping_rounds = 3;
inline constexpr int offer_rounds = 16;           // bounds the time, not reached by small clusters
inline constexpr std::size_t single_offers = 16;  // the same

}  // namespace scheduler_detail

VODA_INLINE Scheduler::Scheduler(std::shared_ptr<const Allocator> allocator,
                                 std::shared_ptr<const Placer> placer,
                                 ClusterState state,
                                 PolicyTables tables)
    : allocator_(std::move(allocator)),
      placer_(std::move(placer)),
      state_(std::move(state)),
      tables_(std::move(tables)) {
  if (allocator_ == nullptr)
    throw InvalidInput("allocator: null; expected a policy");
}

VODA_INLINE void Scheduler::forget_decision() {
  has_decision_ = false;
}

VODA_INLINE void Scheduler::set_policies(std::shared_ptr<const Allocator> allocator,
                                         std::shared_ptr<const Placer> placer) {
  if (allocator == nullptr)
    throw InvalidInput("allocator: null; expected a policy");
  allocator_ = std::move(allocator);
  placer_ = std::move(placer);
  sessions_.clear();
  policies_changed_ = true;
  forget_decision();
}

VODA_INLINE void Scheduler::restore(ClusterState state) {
  state_ = std::move(state);
  sessions_.clear();
  forget_decision();
}

VODA_INLINE Scheduler::Policies Scheduler::policies_of(const PolicyChanged& event) const {
  Policies result{.allocator = allocator_, .placer = placer_};
  if (!event.allocator.empty())
    result.allocator = make_allocator(tables_, event.allocator);
  if (!event.placer.empty())
    result.placer = make_placer(tables_, event.placer);
  return result;
}

VODA_INLINE void Scheduler::observe(const Event& event) {
  const auto* change = std::get_if<PolicyChanged>(&event.body);
  const auto policies = change == nullptr ? Policies{} : policies_of(*change);
  state_.apply(event);
  if (change != nullptr)
    set_policies(policies.allocator, policies.placer);
  forget_decision();
  if (sink_)
    sink_(event);
}

VODA_INLINE const Decision& Scheduler::decide(TimePoint now) {
  std::vector<std::size_t> all(state_.pools().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return decide(now, all);
}

VODA_INLINE const Decision& Scheduler::decide(TimePoint now, std::span<const std::size_t> pools) {
  if (now < state_.now()) {
    throw InvalidInput(
        fmt::format("decide at {} s; expected an instant not before the last event, {} s",
                    to_seconds(now),
                    to_seconds(state_.now())));
  }
  forget_decision();
  Decision decision{.at = now};
  for (const std::size_t pool : pools)
    decision.pools.push_back(decide_pool(pool, now));
  decision_ = std::move(decision);
  has_decision_ = true;
  return decision_;
}

VODA_INLINE const Scheduler::PoolSessions& Scheduler::sessions_of(std::size_t pool) {
  while (sessions_.size() <= pool) {
    sessions_.push_back({.allocator = allocator_->session(),
                         .placer = placer_ == nullptr ? nullptr : placer_->session()});
  }
  return sessions_[pool];
}

VODA_INLINE AllocationDecision Scheduler::allocate(std::size_t pool,
                                                   const AllocationProblem& problem) {
  const PoolSessions& sessions = sessions_of(pool);
  AllocationDecision decision = sessions.allocator == nullptr
                                    ? allocator_->allocate(problem)
                                    : sessions.allocator->update(problem, *problem.arrival_order);
  validate(problem, decision);
  return decision;
}

VODA_INLINE PlacementDecision Scheduler::place(std::size_t pool, const Allocation& gpus) {
  const PlacementProblem problem = state_.pools()[pool].placement_problem(gpus);
  const PoolSessions& sessions = sessions_of(pool);
  PlacementDecision decision =
      sessions.placer == nullptr ? placer_->place(problem) : sessions.placer->update(problem);
  validate(problem, decision);
  return decision;
}

VODA_INLINE PoolDecision Scheduler::decide_pool(std::size_t pool, TimePoint now) {
  const PoolState& state = state_.pools()[pool];
  const AllocationProblem problem = state.allocation_problem(now);
  PoolDecision result{.pool = pool, .allocation = allocate(pool, problem)};
  if (placer_ == nullptr) {
    result.plan = diff(now, state, result.allocation.gpus, nullptr);
    return result;
  }
  result.placement = place(pool, result.allocation.gpus);
  if (!result.placement->unplaced.empty()) {
    decide_with_caps(problem, result);
    offer_leftovers(problem, result);
  }
  result.plan = diff(now, state, result.allocation.gpus, &result.placement->placement);
  return result;
}

VODA_INLINE void Scheduler::decide_with_caps(const AllocationProblem& problem,
                                             PoolDecision& result) {
  while (!result.placement->unplaced.empty() && result.rounds <= scheduler_detail::capping_rounds) {
    scheduler_detail::add_caps(problem, result);
    result.allocation =
        allocate(result.pool, scheduler_detail::capped_problem(problem, result.capped));
    result.placement = place(result.pool, result.allocation.gpus);
    ++result.rounds;
  }
  scheduler_detail::add_caps(problem, result);
  for (const Unplaced& failed : result.placement->unplaced)
    result.allocation.gpus[failed.job] = 0;
  for (Capped& capped : result.capped)
    capped.cap = result.allocation.gpus[capped.job] == 0 ? 0 : capped.cap;
}

VODA_INLINE void Scheduler::offer_leftovers(const AllocationProblem& problem,
                                            PoolDecision& result) {
  const NodeColumns& nodes = state_.pools()[result.pool].nodes();
  for (int round = 0; round < scheduler_detail::offer_rounds; ++round) {
    const auto offer = scheduler_detail::leftover_problem(problem, nodes, result);
    if (offer.arrival_order->empty())
      break;
    const AllocationDecision taken = allocator_->allocate(offer);
    validate(offer, taken);
    if (!admit(offer, taken, result))
      break;
    scheduler_detail::add_review(*problem.columns, taken, result.allocation);
  }
  const auto waiting =
      scheduler_detail::waiting_problem(problem, scheduler_detail::left_out(problem, result));
  const AllocationDecision waits = allocator_->allocate(waiting);
  validate(waiting, waits);
  scheduler_detail::add_review(*problem.columns, waits, result.allocation);
}

VODA_INLINE bool Scheduler::admit(const AllocationProblem& offer,
                                  const AllocationDecision& taken,
                                  PoolDecision& result) {
  std::vector<JobIndex> jobs;
  for (const JobIndex job : *offer.arrival_order) {
    if (taken.gpus[job] > 0)
      jobs.push_back(job);
  }
  const auto try_to_admit = [&](std::span<const JobIndex> some) {
    Allocation gpus = result.allocation.gpus;
    for (const JobIndex job : some)
      gpus[job] = taken.gpus[job];
    PlacementDecision placement = place(result.pool, gpus);
    if (!placement.unplaced.empty())
      return false;
    result.allocation.gpus = std::move(gpus);
    result.placement = std::move(placement);
    scheduler_detail::raise_caps(offer, result);
    return true;
  };
  if (jobs.empty() || try_to_admit(jobs))
    return !jobs.empty();
  // Together they push others out.
  jobs.resize(std::min(jobs.size(), scheduler_detail::single_offers));
  return std::ranges::any_of(jobs, [&](const JobIndex& job) { return try_to_admit({&job, 1}); });
}

VODA_INLINE void Scheduler::commit() {
  if (!has_decision_)
    throw InvalidInput("commit: no decision, or an event came after it; expected decide() first");
  if (sink_) {
    for (const Event& event : decided())
      sink_(event);
  }
  for (const PoolDecision& pool : decision_.pools) {
    state_.commit(pool.pool,
                  decision_.at,
                  pool.allocation,
                  pool.placement ? &pool.placement->placement : nullptr);
  }
  policies_changed_ = false;
  forget_decision();
}

VODA_INLINE std::vector<Event> Scheduler::decided() const {
  std::vector<Event> result;
  for (const PoolDecision& decided : decision_.pools) {
    const PoolState& pool = state_.pools()[decided.pool];
    Decided body{.gpu_type = pool.gpu_type(), .review_at = decided.allocation.review_at};
    for (const JobIndex job : decided.allocation.resets)
      body.resets.push_back(pool.jobs().id[job]);
    for (const Action& action : decided.plan.actions) {
      Holding holding{.job = pool.jobs().id[action.job], .gpus = action.gpus_after};
      for (const NodeIndex node : decided.plan.after(action))
        holding.node_of_worker.push_back(pool.nodes().id[node]);
      body.changed.push_back(std::move(holding));
    }
    result.push_back({.at = decision_.at, .body = std::move(body)});
  }
  return result;
}

VODA_INLINE std::optional<TimePoint> Scheduler::review_at() const {
  std::optional<TimePoint> earliest;
  for (const PoolState& pool : state_.pools()) {
    const auto at = pool.review_at();
    if (at && (!earliest || *at < *earliest))
      earliest = at;
  }
  return earliest;
}

VODA_INLINE bool Scheduler::is_due(TimePoint now) const {
  const auto review = review_at();
  const auto is_pool_due = [](const PoolState& pool) { return pool.is_due(); };
  return policies_changed_ || (review && *review <= now) ||
         std::ranges::any_of(state_.pools(), is_pool_due);
}

}  // namespace voda

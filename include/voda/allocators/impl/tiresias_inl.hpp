#pragma once

#include "voda/allocators/tiresias.hpp"

#include <memory>
#include <utility>

#include "voda/allocators/impl/session.hpp"
#include "voda/allocators/impl/tiresias_explaining.hpp"
#include "voda/allocators/impl/tiresias_queues.hpp"

namespace voda {
namespace tiresias_detail {

class Workspace {
 public:
  void decide(const TiresiasOptions& options,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    namespace detail = allocators_detail;
    const auto rules = detail::tiresias_rules(options.thresholds, options.knob, Tiresias::name);
    queues_.update(problem, rules);
    detail::clear(problem, decision);
    static_cast<void>(detail::serve_requested(problem, queues_, decision.gpus));
    decision.review_at = detail::next_review(problem, queues_, rules, decision.gpus);
    decision.resets = queues_.promoted();
  }

 private:
  allocators_detail::TiresiasQueues queues_{};
};

}  // namespace tiresias_detail

VODA_INLINE void TiresiasOptions::read(OptionReader& reader) {
  allocators_detail::read_tiresias_options(reader, thresholds, knob);
}

VODA_INLINE Tiresias::Tiresias(TiresiasOptions options) : options_(std::move(options)) {
  static_cast<void>(allocators_detail::tiresias_rules(options_.thresholds, options_.knob, name));
}

VODA_INLINE AllocationDecision Tiresias::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<tiresias_detail::Workspace>(options_, problem);
}

VODA_INLINE std::optional<TimePoint> Tiresias::review_of(const AllocationProblem& problem,
                                                         const Allocation& gpus) const {
  const auto rules = allocators_detail::tiresias_rules(options_.thresholds, options_.knob, name);
  return allocators_detail::next_review(problem, rules, gpus);
}

VODA_INLINE Explanation Tiresias::explain(const AllocationProblem& problem,
                                          const AllocationDecision& decision,
                                          JobIndex job) const {
  namespace detail = allocators_detail;
  const auto rules = detail::tiresias_rules(options_.thresholds, options_.knob, name);
  detail::TiresiasQueues queues;
  queues.update(problem, rules);
  Explanation result = detail::begin_explanation(decision, job);
  const GpuCount left = detail::explain_queues(problem, queues, rules, decision.gpus, result);
  detail::append_rigid(problem, detail::RigidSize::requested, left, result);
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> Tiresias::session() const {
  return allocators_detail::make_session<tiresias_detail::Workspace>(options_);
}

}  // namespace voda

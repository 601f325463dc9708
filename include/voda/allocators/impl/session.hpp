#pragma once

#include <memory>
#include <span>
#include <utility>

#include "voda/policy/allocator.hpp"

namespace voda::allocators_detail {

/// A session of a policy whose rule is `Workspace::decide(options, problem, decision)`: it keeps the workspace.
template <class Workspace, class Options>
class WorkspaceSession final : public AllocatorSession {
 public:
  explicit WorkspaceSession(Options options) : options_(std::move(options)) {}

  [[nodiscard]] const AllocationDecision& update(const AllocationProblem& problem,
                                                 std::span<const JobIndex> /*changed*/) override {
    workspace_.decide(options_, problem, decision_);
    return decision_;
  }

 private:
  Options options_;
  Workspace workspace_{};
  AllocationDecision decision_{};
};

template <class Workspace, class Options>
[[nodiscard]] std::unique_ptr<AllocatorSession> make_session(const Options& options) {
  return std::make_unique<WorkspaceSession<Workspace, Options>>(options);
}

/// The answer of a workspace that nothing was decided in before.
template <class Workspace, class Options>
[[nodiscard]] AllocationDecision decide_once(const Options& options,
                                             const AllocationProblem& problem) {
  Workspace workspace;
  AllocationDecision decision;
  workspace.decide(options, problem, decision);
  return decision;
}

/// Makes `decision` one that gives nobody anything.
inline void clear(const AllocationProblem& problem, AllocationDecision& decision) {
  decision.gpus.assign(problem.columns->size(), 0);
  decision.review_at.reset();
  decision.resets.clear();
  decision.effort = 0;
}

}  // namespace voda::allocators_detail

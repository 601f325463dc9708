#pragma once

#include "voda/allocators/afs_l.hpp"

#include <memory>

#include "voda/allocators/impl/afs_l_contest.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace afs_l_detail {

class Workspace {
 public:
  void decide(const AfsLOptions& /*options*/,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    allocators_detail::clear(problem, decision);
    contest_.begin(problem, AfsL::name);
    GpuCount left = problem.capacity;
    while (!contest_.empty()) {
      left -= contest_.advance(contest_.winner(), decision.gpus);
      contest_.drop_dear(left);
      ++decision.effort;
    }
    decision.effort += contest_.compared();
  }

 private:
  allocators_detail::AfsContest contest_{};
};

}  // namespace afs_l_detail

VODA_INLINE AllocationDecision AfsL::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<afs_l_detail::Workspace>(AfsLOptions{}, problem);
}

VODA_INLINE std::unique_ptr<AllocatorSession> AfsL::session() const {
  return allocators_detail::make_session<afs_l_detail::Workspace>(AfsLOptions{});
}

}  // namespace voda

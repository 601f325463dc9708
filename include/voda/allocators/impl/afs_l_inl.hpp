#pragma once

#include "voda/allocators/afs_l.hpp"

#include "voda/allocators/impl/afs_l_contest.hpp"

namespace voda {

VODA_INLINE AllocationDecision AfsL::allocate(const AllocationProblem& problem) const {
  AllocationDecision decision = allocators_detail::empty_decision(problem);
  allocators_detail::AfsContest contest(problem, name);
  GpuCount left = problem.capacity;
  while (!contest.empty()) {
    left -= contest.advance(contest.winner(), decision.gpus);
    contest.drop_dear(left);
  }
  return decision;
}

}  // namespace voda

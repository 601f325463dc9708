#pragma once

#include "voda/allocators/fifo.hpp"

#include "voda/allocators/impl/serving.hpp"

namespace voda {

VODA_INLINE void FifoOptions::read(OptionReader& reader) {
  reader
      .read("size",
            size,
            {{"requested", Size::requested}, {"minimum", Size::minimum}},
            "the size that each job gets")
      .read("blocked",
            blocked,
            {{"skip", Blocked::skip}, {"wait", Blocked::wait}},
            "whether later jobs may pass one that does not fit")
      .read("preempt", preempt, "whether an older job may push out one that runs");
}

VODA_INLINE AllocationDecision Fifo::allocate(const AllocationProblem& problem) const {
  namespace detail = allocators_detail;
  const JobColumns& columns = *problem.columns;
  const auto rigid = options_.size == FifoOptions::Size::requested ? detail::RigidSize::requested
                                                                   : detail::RigidSize::minimum;
  AllocationDecision decision = detail::empty_decision(problem);
  GpuCount left = problem.capacity;
  if (!options_.preempt) {
    const auto kept_size = [&](JobIndex job) {
      return columns.current[job] > 0 ? detail::rigid_size(columns, job, rigid) : 0;
    };
    left = detail::serve_in_order(*problem.arrival_order, left, decision.gpus, kept_size);
  }
  for (const JobIndex job : *problem.arrival_order) {
    if (decision.gpus[job] > 0)
      continue;
    const GpuCount wanted = detail::rigid_size(columns, job, rigid);
    if (wanted <= left) {
      decision.gpus[job] = wanted;
      left -= wanted;
    } else if (options_.blocked == FifoOptions::Blocked::wait) {
      break;
    }
  }
  return decision;
}

}  // namespace voda

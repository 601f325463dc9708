#pragma once

#include "voda/allocators/fifo.hpp"

#include "voda/allocators/impl/serving.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace fifo_detail {

/// FIFO needs nothing but room for its answer.
struct Workspace {
  static void decide(const FifoOptions& options,
                     const AllocationProblem& problem,
                     AllocationDecision& decision) {
    namespace detail = allocators_detail;
    const JobColumns& columns = *problem.columns;
    const auto rigid = options.size == FifoOptions::Size::requested ? detail::RigidSize::requested
                                                                    : detail::RigidSize::minimum;
    detail::clear(problem, decision);
    GpuCount left = problem.capacity;
    if (!options.preempt) {
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
      } else if (options.blocked == FifoOptions::Blocked::wait) {
        break;
      }
    }
  }
};

}  // namespace fifo_detail

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
  return allocators_detail::decide_once<fifo_detail::Workspace>(options_, problem);
}

VODA_INLINE std::unique_ptr<AllocatorSession> Fifo::session() const {
  return allocators_detail::make_session<fifo_detail::Workspace>(options_);
}

}  // namespace voda

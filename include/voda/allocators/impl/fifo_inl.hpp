#pragma once

#include "voda/allocators/fifo.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "voda/allocators/impl/explaining.hpp"
#include "voda/allocators/impl/serving.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace fifo_detail {

/// The job that nobody after it may pass, if there is one.
[[nodiscard]] inline std::optional<JobIndex> blocker(const FifoOptions& options,
                                                     const AllocationProblem& problem,
                                                     const AllocationDecision& decision) {
  if (options.blocked != FifoOptions::Blocked::wait)
    return std::nullopt;
  for (const JobIndex job : *problem.arrival_order) {
    if (decision.gpus[job] == 0 &&
        allocators_detail::rigid_size(
            *problem.columns, job, allocators_detail::rigid_of(options.size)) > 0)
      return job;
  }
  return std::nullopt;
}

/// FIFO needs nothing but room for its answer.
struct Workspace {
  static void decide(const FifoOptions& options,
                     const AllocationProblem& problem,
                     AllocationDecision& decision) {
    namespace detail = allocators_detail;
    const JobColumns& columns = *problem.columns;
    const auto rigid = detail::rigid_of(options.size);
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

VODA_INLINE Explanation Fifo::explain(const AllocationProblem& problem,
                                      const AllocationDecision& decision,
                                      JobIndex job) const {
  namespace detail = allocators_detail;
  const JobColumns& columns = *problem.columns;
  const auto is_kept = [&](JobIndex one) { return !options_.preempt && columns.current[one] > 0; };
  std::vector<JobIndex> order;
  std::ranges::copy_if(*problem.arrival_order, std::back_inserter(order), is_kept);
  std::ranges::copy_if(*problem.arrival_order, std::back_inserter(order), [&](JobIndex one) {
    return !is_kept(one);
  });
  Explanation result = detail::begin_explanation(decision, job);
  const detail::Turn turn =
      detail::turn_of(order, job, problem.capacity, detail::gpus_of(decision));
  result.rank = turn.rank;
  result.keys = {{"submitted", columns.submitted[job]}};
  if (is_kept(job))
    detail::append(result, ReasonCode::kept_running);
  const auto blocking = fifo_detail::blocker(options_, problem, decision);
  const bool is_blocked = result.gpus == 0 && !is_kept(job) && blocking && *blocking != job &&
                          arrives_before(columns, *blocking, job);
  if (is_blocked) {
    detail::append(result, ReasonCode::blocked, {{"job", *blocking}});
  } else {
    detail::append_rigid(problem, detail::rigid_of(options_.size), turn.left, result);
  }
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> Fifo::session() const {
  return allocators_detail::make_session<fifo_detail::Workspace>(options_);
}

}  // namespace voda

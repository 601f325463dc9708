#pragma once

#include "voda/allocators/srjf.hpp"

#include "voda/allocators/impl/explaining.hpp"
#include "voda/allocators/impl/ranking.hpp"
#include "voda/allocators/impl/serving.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace srjf_detail {

/// What jobs are ranked by, in seconds or GPU-seconds.
[[nodiscard]] inline double key_of(const SrjfOptions& options,
                                   const AllocationProblem& problem,
                                   JobIndex job) {
  const JobColumns& columns = *problem.columns;
  const GpuCount size = options.size == SrjfOptions::Size::requested ? columns.requested[job]
                                                                     : columns.sizes[job].min;
  const double work = problem.remaining_work(job, Srjf::name);
  const double time = allocators_detail::remaining_time(columns, job, work, size);
  return options.rank == SrjfOptions::Rank::time ? time : size * time;
}

class Workspace {
 public:
  using Entry = allocators_detail::Ranking<double>::Entry;

  void decide(const SrjfOptions& options,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    namespace detail = allocators_detail;
    const JobColumns& columns = *problem.columns;
    const auto size = [&](JobIndex job) {
      return detail::rigid_size(columns, job, detail::rigid_of(options.size));
    };
    const auto ranked = order(options, problem);
    detail::clear(problem, decision);
    static_cast<void>(detail::serve_in_order(ranked, problem.capacity, decision.gpus, size));
  }

  /// Valid until the next call.
  [[nodiscard]] std::span<const Entry> order(const SrjfOptions& options,
                                             const AllocationProblem& problem) {
    return ranking_.rank(
        *problem.arrival_order,
        problem.columns->size(),
        [&](JobIndex job, std::uint32_t /*arrival*/) { return key_of(options, problem, job); });
  }

 private:
  allocators_detail::Ranking<double> ranking_{};
};

}  // namespace srjf_detail

VODA_INLINE void SrjfOptions::read(OptionReader& reader) {
  reader
      .read("rank",
            rank,
            {{"time", Rank::time}, {"gpu_time", Rank::gpu_time}},
            "remaining time R, or GPUs times R (SRSF)")
      .read("size",
            size,
            {{"requested", Size::requested}, {"minimum", Size::minimum}},
            "the size that each job gets and is ranked at");
}

VODA_INLINE AllocationDecision Srjf::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<srjf_detail::Workspace>(options_, problem);
}

VODA_INLINE Explanation Srjf::explain(const AllocationProblem& problem,
                                      const AllocationDecision& decision,
                                      JobIndex job) const {
  namespace detail = allocators_detail;
  srjf_detail::Workspace workspace;
  Explanation result = detail::begin_explanation(decision, job);
  const detail::Turn turn = detail::turn_of(
      workspace.order(options_, problem), job, problem.capacity, detail::gpus_of(decision));
  result.rank = turn.rank;
  result.keys = {{options_.rank == SrjfOptions::Rank::time ? "remaining_s" : "remaining_gpu_s",
                  srjf_detail::key_of(options_, problem, job)},
                 {"submitted", problem.columns->submitted[job]}};
  detail::append_rigid(problem, detail::rigid_of(options_.size), turn.left, result);
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> Srjf::session() const {
  return allocators_detail::make_session<srjf_detail::Workspace>(options_);
}

}  // namespace voda

#pragma once

#include "voda/allocators/srjf.hpp"

#include "voda/allocators/impl/ranking.hpp"
#include "voda/allocators/impl/serving.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace srjf_detail {

class Workspace {
 public:
  void decide(const SrjfOptions& options,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    namespace detail = allocators_detail;
    const JobColumns& columns = *problem.columns;
    const bool is_requested = options.size == SrjfOptions::Size::requested;
    const auto key = [&](JobIndex job, std::uint32_t /*arrival*/) {
      const GpuCount size = is_requested ? columns.requested[job] : columns.sizes[job].min;
      const double time =
          detail::remaining_time(columns, job, problem.remaining_work(job, Srjf::name), size);
      return options.rank == SrjfOptions::Rank::time ? time : size * time;
    };
    const auto order = ranking_.rank(*problem.arrival_order, columns.size(), key);
    const auto rigid = is_requested ? detail::RigidSize::requested : detail::RigidSize::minimum;
    const auto size = [&](JobIndex job) { return detail::rigid_size(columns, job, rigid); };
    detail::clear(problem, decision);
    static_cast<void>(detail::serve_in_order(order, problem.capacity, decision.gpus, size));
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

VODA_INLINE std::unique_ptr<AllocatorSession> Srjf::session() const {
  return allocators_detail::make_session<srjf_detail::Workspace>(options_);
}

}  // namespace voda

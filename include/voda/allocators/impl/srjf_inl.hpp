#pragma once

#include "voda/allocators/srjf.hpp"

#include "voda/allocators/impl/serving.hpp"

namespace voda {

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
  namespace detail = allocators_detail;
  const JobColumns& columns = *problem.columns;
  const bool is_requested = options_.size == SrjfOptions::Size::requested;
  const auto key = [&](JobIndex job) {
    const GpuCount size = is_requested ? columns.requested[job] : columns.sizes[job].min;
    const double time =
        detail::remaining_time(columns, job, problem.remaining_work(job, name), size);
    return options_.rank == SrjfOptions::Rank::time ? time : size * time;
  };
  const auto order = detail::ranked(*problem.arrival_order, key);
  const auto rigid = is_requested ? detail::RigidSize::requested : detail::RigidSize::minimum;
  const auto size = [&](JobIndex job) { return detail::rigid_size(columns, job, rigid); };
  AllocationDecision decision = detail::empty_decision(problem);
  static_cast<void>(detail::serve_in_order(order, problem.capacity, decision.gpus, size));
  return decision;
}

}  // namespace voda

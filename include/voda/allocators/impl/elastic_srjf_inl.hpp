#pragma once

#include "voda/allocators/elastic_srjf.hpp"

#include "voda/allocators/impl/growth_option.hpp"

namespace voda {

VODA_INLINE void ElasticSrjfOptions::read(OptionReader& reader) {
  allocators_detail::read_grow(reader, grow);
  reader.read("rank",
              rank,
              {{"work", Rank::work}, {"time", Rank::time}, {"gpu_time", Rank::gpu_time}},
              "work left, remaining time at the requested size, or GPUs times that");
}

VODA_INLINE AllocationDecision ElasticSrjf::allocate(const AllocationProblem& problem) const {
  const JobColumns& columns = *problem.columns;
  const auto key = [&](JobIndex job) {
    const double work = problem.remaining_work(job, name);
    if (options_.rank == ElasticSrjfOptions::Rank::work)
      return work;
    const GpuCount size = columns.requested[job];
    const double time = allocators_detail::remaining_time(columns, job, work, size);
    return options_.rank == ElasticSrjfOptions::Rank::time ? time : size * time;
  };
  return allocators_detail::serve_elastic(problem,
                                          allocators_detail::ranked(*problem.arrival_order, key),
                                          allocators_detail::growth_of(options_.grow));
}

}  // namespace voda

#pragma once

#include "voda/allocators/elastic_srjf.hpp"

#include "voda/allocators/impl/growth_option.hpp"
#include "voda/allocators/impl/ranking.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace elastic_srjf_detail {

class Workspace {
 public:
  void decide(const ElasticSrjfOptions& options,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    const JobColumns& columns = *problem.columns;
    const auto key = [&](JobIndex job, std::uint32_t /*arrival*/) {
      const double work = problem.remaining_work(job, ElasticSrjf::name);
      if (options.rank == ElasticSrjfOptions::Rank::work)
        return work;
      const GpuCount size = columns.requested[job];
      const double time = allocators_detail::remaining_time(columns, job, work, size);
      return options.rank == ElasticSrjfOptions::Rank::time ? time : size * time;
    };
    const auto order = ranking_.rank(*problem.arrival_order, columns.size(), key);
    growth_.serve(problem, order, allocators_detail::growth_of(options.grow), decision);
  }

 private:
  allocators_detail::Ranking<double> ranking_{};
  allocators_detail::ElasticService growth_{};
};

}  // namespace elastic_srjf_detail

VODA_INLINE void ElasticSrjfOptions::read(OptionReader& reader) {
  allocators_detail::read_grow(reader, grow);
  reader.read("rank",
              rank,
              {{"work", Rank::work}, {"time", Rank::time}, {"gpu_time", Rank::gpu_time}},
              "work left, remaining time at the requested size, or GPUs times that");
}

VODA_INLINE AllocationDecision ElasticSrjf::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<elastic_srjf_detail::Workspace>(options_, problem);
}

VODA_INLINE std::unique_ptr<AllocatorSession> ElasticSrjf::session() const {
  return allocators_detail::make_session<elastic_srjf_detail::Workspace>(options_);
}

}  // namespace voda

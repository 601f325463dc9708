#pragma once

#include "voda/allocators/elastic_srjf.hpp"

#include <cstdint>
#include <string>
#include <string_view>

#include "voda/allocators/impl/explaining.hpp"
#include "voda/allocators/impl/growth_option.hpp"
#include "voda/allocators/impl/ranking.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace elastic_srjf_detail {

/// What jobs are ranked by: seconds on one GPU, seconds or GPU-seconds.
[[nodiscard]] inline double key_of(const ElasticSrjfOptions& options,
                                   const AllocationProblem& problem,
                                   JobIndex job) {
  const double work = problem.remaining_work(job, ElasticSrjf::name);
  if (options.rank == ElasticSrjfOptions::Rank::work)
    return work;
  const JobColumns& columns = *problem.columns;
  const GpuCount size = columns.requested[job];
  const double time = allocators_detail::remaining_time(columns, job, work, size);
  return options.rank == ElasticSrjfOptions::Rank::time ? time : size * time;
}

[[nodiscard]] inline std::string_view name_of(ElasticSrjfOptions::Rank rank) {
  switch (rank) {
    case ElasticSrjfOptions::Rank::work:
      return "work_s";
    case ElasticSrjfOptions::Rank::time:
      return "remaining_s";
    case ElasticSrjfOptions::Rank::gpu_time:
      return "remaining_gpu_s";
  }
  return "work_s";
}

class Workspace {
 public:
  using Entry = allocators_detail::Ranking<double>::Entry;

  void decide(const ElasticSrjfOptions& options,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    growth_.serve(
        problem, order(options, problem), allocators_detail::growth_of(options.grow), decision);
  }

  /// Valid until the next call.
  [[nodiscard]] std::span<const Entry> order(const ElasticSrjfOptions& options,
                                             const AllocationProblem& problem) {
    return ranking_.rank(
        *problem.arrival_order,
        problem.columns->size(),
        [&](JobIndex job, std::uint32_t /*arrival*/) { return key_of(options, problem, job); });
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

VODA_INLINE Explanation ElasticSrjf::explain(const AllocationProblem& problem,
                                             const AllocationDecision& decision,
                                             JobIndex job) const {
  namespace detail = allocators_detail;
  elastic_srjf_detail::Workspace workspace;
  Explanation result = detail::begin_explanation(decision, job);
  result.keys = {{std::string(elastic_srjf_detail::name_of(options_.rank)),
                  elastic_srjf_detail::key_of(options_, problem, job)},
                 {"submitted", problem.columns->submitted[job]}};
  detail::explain_elastic(problem,
                          decision,
                          workspace.order(options_, problem),
                          detail::growth_of(options_.grow),
                          result);
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> ElasticSrjf::session() const {
  return allocators_detail::make_session<elastic_srjf_detail::Workspace>(options_);
}

}  // namespace voda

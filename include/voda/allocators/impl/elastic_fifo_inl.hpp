#pragma once

#include "voda/allocators/elastic_fifo.hpp"

#include "voda/allocators/impl/explaining.hpp"
#include "voda/allocators/impl/growth_option.hpp"
#include "voda/allocators/impl/session.hpp"

namespace voda {
namespace elastic_fifo_detail {

class Workspace {
 public:
  void decide(const ElasticFifoOptions& options,
              const AllocationProblem& problem,
              AllocationDecision& decision) {
    growth_.serve(
        problem, *problem.arrival_order, allocators_detail::growth_of(options.grow), decision);
  }

 private:
  allocators_detail::ElasticService growth_{};
};

}  // namespace elastic_fifo_detail

VODA_INLINE void ElasticFifoOptions::read(OptionReader& reader) {
  allocators_detail::read_grow(reader, grow);
}

VODA_INLINE AllocationDecision ElasticFifo::allocate(const AllocationProblem& problem) const {
  return allocators_detail::decide_once<elastic_fifo_detail::Workspace>(options_, problem);
}

VODA_INLINE Explanation ElasticFifo::explain(const AllocationProblem& problem,
                                             const AllocationDecision& decision,
                                             JobIndex job) const {
  namespace detail = allocators_detail;
  Explanation result = detail::begin_explanation(decision, job);
  result.keys = {{"submitted", problem.columns->submitted[job]}};
  detail::explain_elastic(
      problem, decision, *problem.arrival_order, detail::growth_of(options_.grow), result);
  return result;
}

VODA_INLINE std::unique_ptr<AllocatorSession> ElasticFifo::session() const {
  return allocators_detail::make_session<elastic_fifo_detail::Workspace>(options_);
}

}  // namespace voda

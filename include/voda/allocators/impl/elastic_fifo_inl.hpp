#pragma once

#include "voda/allocators/elastic_fifo.hpp"

#include "voda/allocators/impl/growth_option.hpp"

namespace voda {

VODA_INLINE void ElasticFifoOptions::read(OptionReader& reader) {
  allocators_detail::read_grow(reader, grow);
}

VODA_INLINE AllocationDecision ElasticFifo::allocate(const AllocationProblem& problem) const {
  return allocators_detail::serve_elastic(
      problem, *problem.arrival_order, allocators_detail::growth_of(options_.grow));
}

}  // namespace voda

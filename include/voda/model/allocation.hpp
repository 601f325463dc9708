#pragma once

#include "voda/model/ids.hpp"
#include "voda/model/indexed_vector.hpp"
#include "voda/model/units.hpp"

namespace voda {

/// How many GPUs each job gets: one count per slot of the pool, 0 for jobs that get none and for free slots.
using Allocation = IndexedVector<JobIndex, GpuCount>;

}  // namespace voda

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "peers/rigid.hpp"
#include "voda/model/allocation.hpp"
#include "voda/model/job_columns.hpp"
#include "voda/policy/allocator.hpp"

namespace voda::peers {

/// The FfDL optimizer as published and as Voda 0.2.2 runs it: one table over jobs, GPUs and sizes (policies.md, section 7).
///
/// Deviations: totals are whole units of 2^-24 where Voda adds floats and loses throughput to rounding; of the totals two
/// rows are kept (Voda keeps all). Voda ignores minimums and panics when they exceed 1; not here.
/// O(jobs * GPUs * sizes); 4 bytes of choice per job and GPU.
[[nodiscard]] inline Allocation ffdl(const AllocationProblem& problem) {
  const JobColumns& columns = *problem.columns;
  std::vector<JobIndex> admitted;
  std::int64_t minimums = 0;
  for (const JobIndex job : sorted_by(problem, [](JobIndex) { return 0; })) {
    if (minimums + columns.sizes[job].min <= problem.capacity) {
      minimums += columns.sizes[job].min;
      admitted.push_back(job);
    }
  }

  constexpr std::int64_t impossible = -1;
  const auto places = static_cast<std::size_t>(problem.capacity) + 1;
  std::vector<std::int64_t> total(places, impossible);
  total[0] = 0;
  std::vector<std::vector<GpuCount>> choice;
  for (const JobIndex job : admitted) {
    std::vector<std::int64_t> next(places, impossible);
    choice.emplace_back(places, 0);
    for (GpuCount size = columns.sizes[job].min; size != 0 && size <= problem.capacity;
         size = next_size(columns.sizes[job], size)) {
      const std::int64_t units = columns.speedup[job].units(size);
      for (auto g = static_cast<std::size_t>(size); g < places; ++g) {
        const std::int64_t before = total[g - static_cast<std::size_t>(size)];
        if (before != impossible && before + units > next[g]) {
          next[g] = before + units;
          choice.back()[g] = size;
        }
      }
    }
    total = next;
  }

  // of the optimal answers the one with the fewest GPUs: the first of the largest
  auto g = static_cast<std::size_t>(std::ranges::max_element(total) - total.begin());
  Allocation gpus(columns.size(), 0);
  for (std::size_t k = admitted.size(); k-- > 0;) {
    gpus[admitted[k]] = choice[k][g];
    g -= static_cast<std::size_t>(choice[k][g]);
  }
  return gpus;
}

}  // namespace voda::peers

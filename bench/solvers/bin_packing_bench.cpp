#include "voda/solvers/bin_packing.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "instances/packing.hpp"

namespace {

using voda::solvers::pack_best_fit;
using voda::solvers::PackingItem;
using voda::solvers::PackingResult;

bool is_sound(const PackingResult& result,
              const std::vector<PackingItem>& jobs,
              const std::vector<std::int32_t>& bins) {
  std::vector<std::int32_t> free = bins;
  bool complete = result.unpacked.empty();
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    std::int32_t workers = 0;
    for (const auto& piece : result.pieces_of(static_cast<int>(job))) {
      free[static_cast<std::size_t>(piece.bin)] -= piece.workers;
      workers += piece.workers;
    }
    complete = complete && workers == jobs[job].workers;
  }
  return complete && *std::ranges::min_element(free) >= 0 && free == result.free_units;
}

void pack_nodes(benchmark::State& state) {
  const std::vector<std::int32_t> bins(static_cast<std::size_t>(state.range(0)),
                                       voda::bench::gpus_per_node);
  const auto jobs = voda::bench::packing_items(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(pack_best_fit(bins, jobs));
  }
  if (!is_sound(pack_best_fit(bins, jobs), jobs, bins)) {
    state.SkipWithError("a job is not packed in full or a node is too full");
  }
  state.counters["jobs"] = static_cast<double>(jobs.size());
}

BENCHMARK(pack_nodes)
    ->Name("bin_packing")
    ->ArgName("nodes")
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace

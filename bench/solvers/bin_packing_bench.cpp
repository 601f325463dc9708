#include "voda/solvers/bin_packing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using voda::solvers::pack_best_fit;
using voda::solvers::PackingItem;
using voda::solvers::PackingResult;

constexpr std::uint64_t kSeed = 1;
constexpr std::int32_t kGpusPerNode = 8;

/// Jobs of 1 to 64 workers, frequency about size^-1.5, that fill 98 % of the nodes; largest first.
std::vector<PackingItem> jobs_for(std::int64_t nodes) {
  std::mt19937_64 random(kSeed);
  std::vector<PackingItem> jobs{};
  std::int64_t left = nodes * kGpusPerNode * 98 / 100;
  while (left > 0) {
    const double share = static_cast<double>(1 + random() % 1'000'000) / 1e6;
    const auto size = static_cast<std::int64_t>(std::min(64.0, 1.0 / (share * share)));
    jobs.push_back({static_cast<std::int32_t>(std::min(size, left)), 1});
    left -= jobs.back().workers;
  }
  std::ranges::sort(jobs, std::greater<>(), &PackingItem::workers);
  return jobs;
}

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
  const std::vector<std::int32_t> bins(static_cast<std::size_t>(state.range(0)), kGpusPerNode);
  const auto jobs = jobs_for(state.range(0));
  for (auto _ : state) {
    benchmark::DoNotOptimize(pack_best_fit(bins, jobs));
  }
  if (!is_sound(pack_best_fit(bins, jobs), jobs, bins)) {
    state.SkipWithError("a job is not packed in full or a node is too full");
  }
  state.counters["jobs"] = static_cast<double>(jobs.size());
}

BENCHMARK(pack_nodes)
    ->Arg(100)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace

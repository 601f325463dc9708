#include <string>

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include "instances/run_size.hpp"
#include "instances/simulation.hpp"

// A million jobs on 10,000 GPUs without placement, only in a full run. A program of its own, because the peak of its memory
// is reported: of the first run and of the larger one.

namespace {

void simulate_million(benchmark::State& state, const std::string& policy) {
  voda::bench::simulate_generated(state, {.policy = policy, .gpus = 10'000});
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

[[maybe_unused]] const bool is_registered = [] {
  for (const std::string policy : {"elastic_fifo", "srjf"}) {
    if (!voda::bench::is_full_run())
      break;
    benchmark::RegisterBenchmark(
        ("million_" + policy).c_str(),
        [policy](benchmark::State& state) { simulate_million(state, policy); })
        ->ArgName("jobs")
        ->Arg(1'000'000)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace

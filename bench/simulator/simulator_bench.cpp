#include "voda/simulator/simulator.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "voda/allocators/builtin.hpp"
#include "voda/simulator/workload.hpp"

// A whole simulation per policy: a generated trace of 51,000 jobs on 2,000 GPUs, counting only.

namespace {

const voda::Trace& trace_of(std::int64_t jobs) {
  static const voda::Trace trace =
      voda::generate_workload({.jobs = jobs, .gpus = 2000, .load = 0.9, .seed = 1});
  return trace;
}

voda::Duration reading() {
  return std::chrono::duration_cast<voda::Duration>(
      std::chrono::steady_clock::now().time_since_epoch());
}

void simulate(benchmark::State& state, const std::string& policy) {
  const voda::Trace& trace = trace_of(state.range(0));
  voda::SimulationOptions options{.allocator = voda::builtin_allocators().make(policy)};
  for (int i = 0; i < 250; ++i)
    options.nodes.push_back({.id = {"node-" + std::to_string(1000 + i)}, .gpus = 8});

  voda::SimulationResult result;
  for (auto _ : state) {
    result = voda::simulate(trace, options, nullptr, reading);
  }

  const voda::SimulationSummary& summary = result.summary;
  if (summary.finished != state.range(0))
    state.SkipWithError("jobs are left unfinished");
  const auto decisions = static_cast<double>(summary.decisions);
  state.counters["decisions"] = decisions;
  state.counters["us_per_decision"] = summary.decision_time_s * 1e6 / decisions;
  state.counters["active_median"] = static_cast<double>(summary.active_jobs_median);
  state.counters["active_p99"] = static_cast<double>(summary.active_jobs_p99);
  state.counters["mean_jct_s"] = summary.jct_s.mean;
}

[[maybe_unused]] const bool is_registered = [] {
  const auto registry = voda::builtin_allocators();
  for (const auto& entry : registry.entries()) {
    benchmark::RegisterBenchmark(entry.name.c_str(), simulate, entry.name)
        ->ArgName("jobs")
        ->Arg(51000)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace

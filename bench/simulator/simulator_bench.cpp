#include "voda/simulator/simulator.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>

#include "instances/run_size.hpp"
#include "instances/simulation.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/placers/steady.hpp"

// Whole simulations of generated workloads on 2,000 GPUs. Names: simulate_POLICY counts only, placed_POLICY places with
// `steady`; @from_scratch decides every time without what the sessions of policy and placer remember.

namespace {

using voda::bench::Sessions;
using voda::bench::SimulationCase;

constexpr std::int64_t generated_jobs = 51'000;
constexpr std::int64_t short_run = 5'100;  // for what would take too long

void add(const std::string& name, const SimulationCase& from, std::int64_t jobs) {
  benchmark::RegisterBenchmark(
      name.c_str(),
      [from](benchmark::State& state) { voda::bench::simulate_generated(state, from); })
      ->ArgName("jobs")
      ->Arg(jobs)
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond);
}

/// A virtual cluster of Microsoft Philly with measured speedups, both from ../shared.
void simulate_philly(benchmark::State& state) {
  const std::filesystem::path data = std::filesystem::path(VODA_SHARED_DIR) / "data";
  const auto profiles = voda::read_speedups_file(data / "speedups/speedups_us_per_iteration.csv");
  const auto trace =
      voda::read_trace_file(data / "philly-vc/trace_0e4a51.csv", "pcs", {.speedups = profiles});
  voda::bench::simulate(state, {.policy = "afs_l", .gpus = 64}, trace.trace);
}

[[maybe_unused]] const bool is_registered = [] {
  const auto registry = voda::builtin_allocators();
  for (const auto& entry : registry.entries()) {
    add("simulate_" + entry.name, {.policy = entry.name}, generated_jobs);
    add("simulate_" + entry.name, {.policy = entry.name}, short_run);
    add("simulate_" + entry.name + "@from_scratch",
        {.policy = entry.name, .sessions = Sessions::never},
        voda::bench::is_full_run() ? generated_jobs : short_run);
    add("placed_" + entry.name,
        {.policy = entry.name, .placer = std::make_shared<voda::Steady>()},
        voda::bench::is_full_run() ? generated_jobs : short_run);
  }
  if (std::filesystem::exists(VODA_SHARED_DIR "/data/philly-vc/trace_0e4a51.csv")) {
    benchmark::RegisterBenchmark("simulate_philly_afs_l", simulate_philly)
        ->ArgName("jobs")
        ->Arg(2465)
        ->Unit(benchmark::kMillisecond);
  } else {
    std::fputs("SKIPPED simulate_philly_afs_l: no " VODA_SHARED_DIR
               "/data/philly-vc/trace_0e4a51.csv\n",
               stderr);
  }
  return true;
}();

}  // namespace

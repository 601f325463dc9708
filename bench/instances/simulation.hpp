#pragma once

#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

#include <benchmark/benchmark.h>

#include "voda/allocators/builtin.hpp"
#include "voda/simulator/simulator.hpp"
#include "voda/simulator/workload.hpp"

namespace voda::bench {

/// Whether policies and placers may keep what they know from one decision to the next.
enum class Sessions : std::uint8_t { used, never };

/// A simulation but for its trace; nodes of 8 GPUs.
struct SimulationCase {
  std::string policy{};
  std::shared_ptr<const Placer> placer{};  // null: count GPUs only
  GpuCount gpus = 2000;
  Sessions sessions = Sessions::used;
};

/// A policy without its session.
class FromScratch final : public Allocator {
 public:
  explicit FromScratch(std::unique_ptr<Allocator> policy) : policy_(std::move(policy)) {}

  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override {
    return policy_->allocate(problem);
  }

 private:
  std::unique_ptr<Allocator> policy_;
};

[[nodiscard]] inline SimulationOptions options_of(const SimulationCase& from) {
  SimulationOptions options{.allocator = builtin_allocators().make(from.policy),
                            .placer = from.placer};
  if (from.sessions == Sessions::never)
    options.allocator = std::make_shared<FromScratch>(builtin_allocators().make(from.policy));
  for (GpuCount i = 0; i < from.gpus / 8; ++i)
    options.nodes.push_back({.id = {"node-" + std::to_string(100'000 + i)}, .gpus = 8});
  return options;
}

/// CPU time of this process, which other work on the machine does not change.
[[nodiscard]] inline Duration stopwatch_reading() {
  return Duration(static_cast<std::int64_t>(std::clock()) * 1'000'000 / CLOCKS_PER_SEC);
}

/// Times whole runs; every job must finish.
inline void simulate(benchmark::State& state, const SimulationCase& from, const Trace& trace) {
  const SimulationOptions options = options_of(from);
  SimulationResult result;
  for (auto _ : state)
    result = voda::simulate(trace, options, nullptr, stopwatch_reading);
  const SimulationSummary& summary = result.summary;
  if (summary.unfinished != 0)
    state.SkipWithError("jobs are left unfinished");
  const auto decisions = static_cast<double>(summary.decisions);
  state.counters["decisions"] = decisions;
  state.counters["us_per_decision"] = summary.decision_time_s * 1e6 / decisions;
  state.counters["active_median"] = static_cast<double>(summary.active_jobs_median);
  state.counters["active_p99"] = static_cast<double>(summary.active_jobs_p99);
  state.counters["mean_jct_s"] = summary.jct_s.mean;
  state.counters["moved_workers"] = static_cast<double>(summary.moved_workers);
}

/// As `voda generate` makes it: Philly profile, load 0.9, seed 1, half of the jobs elastic from 1x to 4x.
inline void simulate_generated(benchmark::State& state, const SimulationCase& from) {
  const Trace trace =
      generate_workload({.jobs = state.range(0), .gpus = from.gpus, .load = 0.9, .seed = 1});
  simulate(state, from, trace);
}

}  // namespace voda::bench

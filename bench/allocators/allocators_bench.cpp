#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "support/plain_afs_l.hpp"
#include "support/plain_elastic_tiresias.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/model/job.hpp"
#include "voda/policy/allocator.hpp"
#include "voda/policy/validate.hpp"
#include "voda/simulator/workload.hpp"

// Time of one decision. Half of the jobs run at their request, the others wait; sizes from 1 to 64,
// speedups from the nine shipped curves, remaining work from a minute to a month on one GPU.

namespace {

using voda::Allocation;
using voda::AllocationDecision;
using voda::AllocationProblem;
using voda::GpuCount;
using voda::JobIndex;

constexpr std::int64_t small = 100;

voda::Job random_job(std::size_t number,
                     const std::vector<voda::SpeedupCurve>& curves,
                     std::mt19937_64& random) {
  const std::string digits = std::to_string(number);
  voda::Job job{.id = {"job-" + std::string(6 - digits.size(), '0') + digits}};
  job.submitted = voda::time_from_seconds(static_cast<double>(number), "submitted");
  job.spec.requested_gpus = std::array{1, 1, 2, 4, 8, 16}[random() % 6];
  job.spec.max_gpus = 64;
  job.speedup = curves[random() % curves.size()];
  const double minute = 60 * static_cast<double>(1 + random() % 60);
  job.work = voda::RemainingWork{.left_s = minute * static_cast<double>(1 + random() % 700)};
  auto& counters = job.progress.since_promotion;
  counters.executed = voda::Duration(static_cast<std::int64_t>(random() % 7200000000));
  counters.service.gpu_microseconds = counters.executed.count() * job.spec.requested_gpus;
  return job;
}

/// The same problem for every policy.
AllocationProblem random_problem(std::int64_t jobs, GpuCount gpus) {
  std::mt19937_64 random(2026);
  std::vector<voda::SpeedupCurve> curves;
  for (const auto& [name, curve] : voda::workload_profiles())
    curves.push_back(curve);
  const voda::TimePoint now = voda::time_from_seconds(1e6, "now");
  auto columns = std::make_shared<voda::JobColumns>();
  auto order = std::make_shared<std::vector<JobIndex>>();
  columns->resize(static_cast<std::size_t>(jobs));
  for (std::size_t i = 0; i < columns->size(); ++i) {
    voda::Job job = random_job(i, curves, random);
    const bool is_running = random() % 2 == 0;
    if (is_running)
      job.progress.last_started =
          voda::time_from_seconds(static_cast<double>(random() % 1000000), "start");
    order->push_back(Allocation::index_of(i));
    columns->set(order->back(), job, is_running ? job.spec.requested_gpus : 0, now);
  }
  sort_by_arrival(*order, *columns);
  return {.now = now, .capacity = gpus, .columns = columns, .arrival_order = order};
}

/// The largest total speed of sizes from 1 to 64, by the plain dynamic program over jobs and GPUs,
/// in units of 2^-24.
std::int64_t best_total(const AllocationProblem& problem) {
  const auto places = static_cast<std::size_t>(problem.capacity) + 1;
  std::vector<std::int64_t> best(places, 0);
  for (const JobIndex job : *problem.arrival_order) {
    std::vector<std::int64_t> next(places, std::int64_t{-1} << 60);
    for (GpuCount size = 1; size <= 64; ++size) {
      const std::int64_t units = problem.columns->speedup[job].units(size);
      for (auto g = static_cast<std::size_t>(size); g < places; ++g) {
        next[g] = std::max(next[g], best[g - static_cast<std::size_t>(size)] + units);
      }
    }
    best = next;
  }
  return best.back();
}

std::int64_t total(const AllocationProblem& problem, const Allocation& gpus) {
  std::int64_t sum = 0;
  for (const JobIndex job : *problem.arrival_order)
    sum += problem.columns->speedup[job].units(gpus[job]);
  return sum;
}

/// Compares with a slow method where there is one.
bool is_right(const std::string& policy, const AllocationProblem& problem, const Allocation& gpus) {
  if (policy == "afs_l")
    return gpus == voda::test::PlainAfsL(problem).run();
  if (policy == "elastic_tiresias:knob=0")
    return gpus == voda::test::PlainElasticTiresias(problem).run(10);
  if (policy == "ffdl")
    return total(problem, gpus) == best_total(problem);
  return std::ranges::any_of(gpus, [](GpuCount count) { return count > 0; });
}

void decide(benchmark::State& state,
            const std::string& name,
            const voda::Options& options,
            GpuCount gpus_per_job) {
  const std::int64_t jobs = state.range(0);
  const AllocationProblem problem =
      random_problem(jobs, static_cast<GpuCount>(jobs) * gpus_per_job);
  const auto policy = voda::builtin_allocators().make(name, options);

  AllocationDecision decision;
  for (auto _ : state) {
    decision = policy->allocate(problem);
    benchmark::DoNotOptimize(decision);
  }

  validate(problem, decision);
  const std::string written = options.contains("knob") ? name + ":knob=0" : name;
  if (jobs <= small && !is_right(written, problem, decision.gpus))
    state.SkipWithError("wrong answer");
  std::int64_t given = 0;
  for (const GpuCount gpus : decision.gpus)
    given += gpus;
  state.counters["gpus_given"] = static_cast<double>(given);
  state.counters["gpus"] = static_cast<double>(problem.capacity);
}

/// Ten GPUs per job: every job runs and most grow. Two per job: rigid policies leave jobs waiting.
[[maybe_unused]] const bool is_registered = [] {
  const auto registry = voda::builtin_allocators();
  for (const auto& entry : registry.entries()) {
    voda::Options options;
    if (entry.name == "elastic_tiresias")
      options["knob"] = std::int64_t{0};  // as the slow method it is compared with
    for (const GpuCount gpus_per_job : {10, 2}) {
      benchmark::RegisterBenchmark(
          (entry.name + "/" + std::to_string(gpus_per_job) + "_gpus_per_job").c_str(),
          decide,
          entry.name,
          options,
          gpus_per_job)
          ->ArgName("jobs")
          ->Arg(small)
          ->Arg(1000)
          ->Arg(10000)
          ->Unit(benchmark::kMicrosecond);
    }
  }
  return true;
}();

}  // namespace

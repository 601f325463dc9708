#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "instances/allocation.hpp"
#include "instances/run_size.hpp"
#include "peers/afs_l.hpp"
#include "peers/elastic_tiresias.hpp"
#include "peers/ffdl.hpp"
#include "peers/rigid.hpp"
#include "peers/round_robin.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/policy/validate.hpp"

// One decision of each policy from scratch, without a session. Names: POLICY, POLICY~DEMAND for inputs that are meant to
// hurt, POLICY@published for the published algorithm (bench/peers) on the input of POLICY.

namespace {

using voda::Allocation;
using voda::AllocationDecision;
using voda::AllocationProblem;
using voda::JobIndex;
using voda::bench::allocation_problem;
using voda::bench::Demand;

using Published = Allocation (*)(const AllocationProblem&);

/// Jobs and GPUs.
struct Size {
  std::int64_t jobs = 0;
  std::int64_t gpus = 0;
};

struct Compared {
  std::string policy{};
  Published published = nullptr;
  std::vector<Size> peer_sizes{};
  std::vector<Size> full_peer_sizes{};
};

const std::vector<Size> all_sizes{
    {10, 32}, {100, 1000}, {1000, 1000}, {1000, 10'000}, {10'000, 10'000}, {10'000, 100'000}};

const std::vector<Compared>& compared_policies() {
  static const std::vector<Compared> compared{
      {"fifo", voda::peers::fifo, all_sizes, {}},
      {"elastic_fifo", voda::peers::elastic_fifo, all_sizes, {}},
      {"srjf", voda::peers::srjf, all_sizes, {}},
      {"elastic_srjf", voda::peers::elastic_srjf, all_sizes, {}},
      {"tiresias", voda::peers::tiresias, all_sizes, {}},
      {"elastic_tiresias",
       voda::peers::elastic_tiresias,
       {{10, 32}, {100, 1000}, {1000, 1000}, {1000, 10'000}, {10'000, 10'000}},
       {{10'000, 100'000}}},
      {"ffdl",
       voda::peers::ffdl,
       {{10, 32}, {100, 1000}, {1000, 1000}, {1000, 10'000}},
       {{10'000, 10'000}, {10'000, 100'000}}},
      {"afs_l",
       voda::peers::afs_l,
       {{10, 32}, {100, 1000}, {1000, 1000}, {1000, 10'000}, {10'000, 10'000}},
       {{10'000, 100'000}}}};
  return compared;
}

std::int64_t total_gpus(const Allocation& gpus) {
  std::int64_t sum = 0;
  for (const auto count : gpus)
    sum += count;
  return sum;
}

std::int64_t total_speed(const AllocationProblem& problem, const Allocation& gpus) {
  std::int64_t sum = 0;
  for (const JobIndex job : *problem.arrival_order)
    sum += problem.columns->speedup[job].units(gpus[job]);
  return sum;
}

/// FfDL leaves ties between equally good answers open; the others are compared job by job.
bool agree(const std::string& policy,
           const AllocationProblem& problem,
           const Allocation& ours,
           const Allocation& theirs) {
  if (policy != "ffdl")
    return ours == theirs;
  return total_speed(problem, ours) == total_speed(problem, theirs) &&
         total_gpus(ours) == total_gpus(theirs);
}

void decide(benchmark::State& state, const std::string& policy, Demand demand) {
  const AllocationProblem problem = allocation_problem(demand, state.range(0), state.range(1));
  const auto allocator = voda::builtin_allocators().make(policy);
  AllocationDecision decision;
  for (auto _ : state) {
    decision = allocator->allocate(problem);
    benchmark::DoNotOptimize(decision);
  }
  validate(problem, decision);
  state.counters["gpus_given"] = static_cast<double>(total_gpus(decision.gpus));
}

void decide_as_published(benchmark::State& state, const Compared& compared) {
  const AllocationProblem problem =
      allocation_problem(Demand::concave, state.range(0), state.range(1));
  Allocation theirs;
  for (auto _ : state) {
    theirs = compared.published(problem);
    benchmark::DoNotOptimize(theirs);
  }
  const auto ours = voda::builtin_allocators().make(compared.policy)->allocate(problem);
  if (!agree(compared.policy, problem, ours.gpus, theirs))
    state.SkipWithError("the published algorithm gives another answer");
}

void add(const std::string& name,
         const std::function<void(benchmark::State&)>& body,
         const std::vector<Size>& sizes) {
  if (sizes.empty())
    return;
  auto* added = benchmark::RegisterBenchmark(name.c_str(), body);
  added->ArgNames({"jobs", "gpus"})->Unit(benchmark::kMillisecond);
  for (const Size& size : sizes)
    added->Args({size.jobs, size.gpus});
}

[[maybe_unused]] const bool is_registered = [] {
  for (const Compared& compared : compared_policies()) {
    const auto ours = [&compared](Demand demand) {
      return
          [&compared, demand](benchmark::State& state) { decide(state, compared.policy, demand); };
    };
    add(compared.policy, ours(Demand::concave), all_sizes);
    for (const auto& [demand, name] : voda::bench::hard_demands) {
      add(compared.policy + "~" + std::string(name),
          ours(demand),
          {{1000, 10'000}, {10'000, 100'000}});
    }
    const auto theirs = [&compared](benchmark::State& state) {
      decide_as_published(state, compared);
    };
    add(compared.policy + "@published", theirs, compared.peer_sizes);
    if (voda::bench::is_full_run())
      add(compared.policy + "@published", theirs, compared.full_peer_sizes);
  }
  return true;
}();

}  // namespace

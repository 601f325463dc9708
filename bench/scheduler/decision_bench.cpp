#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "instances/scheduler.hpp"
#include "support/heap_counter.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/placers/steady.hpp"

// One whole decision after one event: observe, decide (policy, placement, diff) and commit. Names: decision_POLICY with
// `steady`, counting_POLICY without a placer. Heap allocations are counted by an operator new of our own.

namespace {

using voda::Decision;
using voda::Event;
using voda::Scheduler;
using voda::bench::SteadyStream;

constexpr std::size_t warm_up = 10;

std::vector<Event> draw_events(SteadyStream& stream, std::size_t count) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < count; ++i)
    events.push_back(stream.next());
  return events;
}

const Decision& take(Scheduler& scheduler, const Event& event) {
  scheduler.observe(event);
  const Decision& decision = scheduler.decide(event.at);
  scheduler.commit();
  return decision;
}

/// The sessions answer as the policy does from scratch.
bool is_right(Scheduler& scheduler, const voda::Allocator& allocator, voda::TimePoint now) {
  const auto& pool = scheduler.state().pools().front();
  const auto expected = allocator.allocate(pool.allocation_problem(now));
  const auto& decision = scheduler.decide(now).pools.front();
  return !decision.capped.empty() || decision.allocation.gpus == expected.gpus;
}

void decide(benchmark::State& state,
            const std::string& policy,
            const std::shared_ptr<const voda::Placer>& placer) {
  const std::shared_ptr<const voda::Allocator> allocator = voda::builtin_allocators().make(policy);
  SteadyStream stream(static_cast<std::size_t>(state.range(0)),
                      static_cast<std::size_t>(state.range(1)));
  Scheduler scheduler(allocator, placer, stream.state());
  (void)scheduler.decide(stream.now());
  scheduler.commit();
  for (const Event& event : draw_events(stream, warm_up))
    (void)take(scheduler, event);
  const auto events = draw_events(stream, static_cast<std::size_t>(state.max_iterations));

  std::size_t actions = 0;
  std::size_t at = 0;
  const std::int64_t before = voda::test::heap_requests();
  for (auto _ : state) {
    const Decision& decision = take(scheduler, events[at++]);
    actions += decision.pools.front().plan.actions.size();
  }
  const std::int64_t allocations = voda::test::heap_requests() - before;

  if (!is_right(scheduler, *allocator, stream.now()))
    state.SkipWithError("the session answers otherwise than the policy");
  const auto mean = benchmark::Counter::kAvgIterations;
  state.counters["actions"] = {static_cast<double>(actions), mean};
  state.counters["heap_allocations"] = {static_cast<double>(allocations), mean};
}

void add(const std::string& name,
         const std::string& policy,
         const std::shared_ptr<const voda::Placer>& placer) {
  struct Size {
    std::int64_t jobs = 0;
    std::int64_t nodes = 0;
    std::int64_t decisions = 0;
  };

  for (const Size& size :
       {Size{10, 4, 2000}, Size{100, 100, 500}, Size{1000, 1000, 100}, Size{10'000, 10'000, 20}}) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) { decide(state, policy, placer); })
        ->ArgNames({"jobs", "nodes"})
        ->Args({size.jobs, size.nodes})
        ->Iterations(size.decisions)
        ->Unit(benchmark::kMillisecond);
  }
}

[[maybe_unused]] const bool is_registered = [] {
  const auto registry = voda::builtin_allocators();
  for (const auto& entry : registry.entries()) {
    add("decision_" + entry.name, entry.name, std::make_shared<voda::Steady>());
    add("counting_" + entry.name, entry.name, nullptr);
  }
  return true;
}();

}  // namespace

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include "instances/scheduler.hpp"
#include "support/policies.hpp"
#include "support/test_size.hpp"
#include "voda/placers/steady.hpp"
#include "voda/scheduler/scheduler.hpp"

// How often a decision asks the heap does not depend on the size of the cluster. Counted by this program's own operator new.

namespace {

std::atomic<std::int64_t> heap_allocations = 0;

}  // namespace

// Not inlined: otherwise g++ 12 warns that malloc and delete do not match.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  heap_allocations.fetch_add(1, std::memory_order_relaxed);
  void* memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr)
    throw std::bad_alloc();
  return memory;
}

[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}

[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}

namespace {

using namespace voda;
using voda::bench::SteadyStream;

class Decisions : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Policies,
                         Decisions,
                         testing::ValuesIn(voda::test::policy_names()),
                         [](const auto& tested) { return tested.param; });

/// The most allocations of one decision after one event, less two for the nodes of each action of the plan, in a cluster
/// with as many jobs as nodes.
std::int64_t most_allocations(const std::string& policy,
                              const std::shared_ptr<const Placer>& placer,
                              std::size_t size) {
  constexpr int warm_up = 10;
  constexpr int decisions = 20;
  SteadyStream stream(size, size);
  Scheduler scheduler(voda::test::policy(policy), placer, stream.state());
  static_cast<void>(scheduler.decide(stream.now()));
  scheduler.commit();
  std::int64_t most = 0;
  for (int i = 0; i < warm_up + decisions; ++i) {
    scheduler.observe(stream.next());
    const std::int64_t before = heap_allocations;
    const auto& plan = scheduler.decide(stream.now()).pools.front().plan;
    const std::int64_t asked =
        heap_allocations - before - 2 * static_cast<std::int64_t>(plan.actions.size());
    if (i >= warm_up)
      most = std::max(most, asked);
    scheduler.commit();
  }
  return most;
}

TEST_P(Decisions, AskTheHeapSomeTimesWhateverTheSize) {
  const auto large = static_cast<std::size_t>(voda::test::cases(400, 4000));
  for (const std::size_t size : {std::size_t{100}, large}) {
    EXPECT_LE(most_allocations(GetParam(), nullptr, size), 40) << size << " jobs";
    EXPECT_LE(most_allocations(GetParam(), std::make_shared<Steady>(), size), 600)
        << size << " jobs";
  }
}

}  // namespace

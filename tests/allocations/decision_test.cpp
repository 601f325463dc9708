#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "instances/scheduler.hpp"
#include "support/heap_counter.hpp"
#include "support/policies.hpp"
#include "support/test_size.hpp"
#include "voda/placers/steady.hpp"
#include "voda/scheduler/scheduler.hpp"

// How often a decision asks the heap does not depend on the size of the cluster.

namespace decision_test {

using namespace voda;
using voda::bench::SteadyStream;

class Decisions : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Policies,
                         Decisions,
                         testing::ValuesIn(voda::test::policy_names()),
                         [](const auto& tested) { return tested.param; });

/// The most allocations of one decision after one event, plan included, in a cluster with as many jobs as nodes.
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
    const std::int64_t before = voda::test::heap_requests();
    static_cast<void>(scheduler.decide(stream.now()));
    const std::int64_t asked = voda::test::heap_requests() - before;
    if (i >= warm_up)
      most = std::max(most, asked);
    scheduler.commit();
  }
  return most;
}

/// Policies that resize many jobs at an event need several searches, each with some lists of its own.
std::int64_t few_with_placement(const std::string& policy) {
  const bool resizes_many = policy == "elastic_tiresias" || policy == "ffdl" || policy == "afs_l";
  return resizes_many ? 600 : 80;
}

TEST_P(Decisions, AskTheHeapSomeTimesWhateverTheSize) {
  constexpr std::int64_t few = 24;
  const auto large = static_cast<std::size_t>(voda::test::cases(1600, 10000));
  for (const std::size_t size : {std::size_t{100}, large}) {
    EXPECT_LE(most_allocations(GetParam(), nullptr, size), few) << size << " jobs";
    EXPECT_LE(most_allocations(GetParam(), std::make_shared<Steady>(), size),
              few_with_placement(GetParam()))
        << size << " jobs";
  }
}

}  // namespace decision_test

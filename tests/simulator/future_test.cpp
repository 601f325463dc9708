#include "voda/simulator/future.hpp"

#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/model/error.hpp"

namespace voda {
namespace future_test {

using test::node;
using test::rigid_job;

TEST(FutureValue, TakesQuantilesByNearestRank) {
  EXPECT_EQ(future_value_of({5, 1, 4, 2, 3}),
            (FutureValue{.futures = 5, .p10 = 1, .p50 = 3, .p90 = 5}));
  EXPECT_EQ(future_value_of({7}), (FutureValue{.futures = 1, .p10 = 7, .p50 = 7, .p90 = 7}));
  EXPECT_EQ(future_value_of({}), FutureValue{});
  std::vector<double> hundred;
  for (int i = 100; i > 0; --i)
    hundred.push_back(i);
  EXPECT_EQ(future_value_of(hundred),
            (FutureValue{.futures = 100, .p10 = 10, .p50 = 50, .p90 = 90}));
}

/// One GPU, a for 10 s and then b for 20 s.
[[nodiscard]] Trace two_jobs() {
  return {.jobs = {rigid_job("a", 0, 1, 10), rigid_job("b", 5, 1, 20)}};
}

[[nodiscard]] SimulationOptions one_gpu() {
  return {.allocator = builtin_allocators().make("fifo"), .nodes = {node("n", 1)}};
}

TEST(Futures, ARunWithoutAnythingRandomIsMadeOnce) {
  const Futures futures = simulate_futures(two_jobs(), one_gpu(), 50);

  EXPECT_EQ(futures.runs, 1);
  ASSERT_EQ(futures.jobs.size(), 2u);
  EXPECT_EQ(futures.jobs[1].job.value, "b");
  EXPECT_EQ(futures.jobs[1].first_started.p50, 10);
  EXPECT_EQ(futures.jobs[1].finished.p90, 30);
  EXPECT_EQ(futures.mean_jct_s.p50, (10 + 25) / 2.0);
  EXPECT_EQ(futures.mean_waited_s.p50, 2.5);
  EXPECT_EQ(futures.last_end.p50, 30);
  EXPECT_EQ(futures.unfinished.p50, 0);
}

TEST(Futures, TheWorkOfJobsThatAreThereIsUncertain) {
  // a job that runs alone on one GPU ends after its work: told 1000 s, true 1000 s times e^(0.5 z); the quantiles of z at 10 and 90 %
  // are -1.2816 and 1.2816, so 527 and 1898 s
  SimulationOptions options = one_gpu();
  ClusterState state;
  state.apply(test::event(0, NodeJoined{node("n", 1)}));
  state.apply(test::event(0, JobSubmitted{.job = rigid_job("a", 0, 1, 1000)}));
  options.nodes.clear();
  options.start = state.image();
  options.estimate_error = 0.5;

  const Futures futures = simulate_futures({}, options, 2000);

  EXPECT_EQ(futures.runs, 2000);
  EXPECT_EQ(futures.jobs.at(0).finished.futures, 2000);
  EXPECT_NEAR(futures.jobs.at(0).finished.p10, 527, 30);
  EXPECT_NEAR(futures.jobs.at(0).finished.p50, 1000, 40);
  EXPECT_NEAR(futures.jobs.at(0).finished.p90, 1898, 110);
}

TEST(Futures, AJobThatNeverEndsIsInNoQuantile) {
  const Futures futures = simulate_futures({.jobs = {rigid_job("a", 0, 2, 10)}}, one_gpu(), 3);

  EXPECT_EQ(futures.jobs.at(0).finished.futures, 0);
  EXPECT_EQ(futures.unfinished.p50, 1);
  EXPECT_EQ(futures.mean_jct_s.futures, 0);
}

TEST(Futures, ThereMustBeOne) {
  EXPECT_THROW(static_cast<void>(simulate_futures({}, one_gpu(), 0)), InvalidInput);
}

}  // namespace future_test
}  // namespace voda

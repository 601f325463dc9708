#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/scheduler_builders.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/checkpoint.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/simulator/simulator.hpp"

namespace restart_test {

using namespace voda;
using namespace voda::test;

/// Everything that changes a result file, in order.
class Recording : public SimulationObserver {
 public:
  void job_ended(const JobOutcome& outcome) override {
    text_ += "end " + outcome.id.value + " " + std::to_string(outcome.waited.count()) + " " +
             std::to_string(outcome.stalled.count()) + " " + std::to_string(outcome.resizes) + " " +
             std::to_string(outcome.migrations) + "\n";
  }

  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& workers) override {
    text_ += std::to_string(at.time_since_epoch().count()) + " " + job.value + " " +
             std::to_string(gpus);
    for (const auto& [node, count] : workers)
      text_ += " " + node.value + "=" + std::to_string(count);
    text_ += "\n";
  }

  void decided(const Scheduler& /*scheduler*/, const Decision& decision) override {
    text_ += "decide " + std::to_string(decision.at.time_since_epoch().count()) + "\n";
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_{};
};

/// Goes on from a checkpoint's bytes after every instant.
class Restarting final : public Recording {
 public:
  [[nodiscard]] std::optional<ClusterImage> restarted(
      const std::function<ClusterImage()>& image) override {
    return read_checkpoint(write_checkpoint(image()), "restart");
  }
};

Trace varied_trace() {
  Trace trace;
  for (int i = 0; i < 40; ++i) {
    Job job =
        elastic_job("j" + std::to_string(10 + i), std::int64_t{5} * i, 1 + i % 5, 50 + 7.3 * i);
    job.spec.gpus_per_worker = i % 7 == 0 && job.spec.max_gpus > 1 ? 2 : 1;
    job.speedup =
        i % 2 == 0 ? SpeedupCurve() : SpeedupCurve({{1, 1.0}, {2, 1.7}, {5, 3.1}}, {{2, 0.9}});
    trace.jobs.push_back(job);
  }
  return trace;
}

/// Failures, stalls and three nodes, decided by each policy.
void expect_equal_futures(const PacerOptions& pacing) {
  const Trace trace = varied_trace();
  const auto allocators = builtin_allocators();
  for (const auto& entry : allocators.entries()) {
    SimulationOptions rough{.allocator = entry.make({}),
                            .placer = builtin_placers().make("steady"),
                            .nodes = {node("n0", 4), node("n1", 4), node("n2", 3)},
                            .resize_cost = {.kind = ResizeCost::Kind::stall, .fixed_s = 3},
                            .pacing = pacing,
                            .checkpoint_interval = seconds(10)};
    rough.failures = RandomFailures{.mean_time_between = seconds(150), .repair = seconds(20)};
    Recording undisturbed;
    Restarting restarting;
    const auto expected = simulate(trace, rough, &undisturbed);
    const auto restarted = simulate(trace, rough, &restarting);

    EXPECT_EQ(restarting.text(), undisturbed.text()) << entry.name;
    EXPECT_EQ(restarted.summary.decisions, expected.summary.decisions) << entry.name;
    EXPECT_EQ(restarted.summary.finished, 40) << entry.name;
  }
}

TEST(Simulator, ARestartAtEveryInstantChangesNothing) {
  expect_equal_futures({});
}

TEST(Simulator, ARestartKeepsTheRateLimit) {
  expect_equal_futures({.rate_limit = seconds(17)});
}

// An arrival that fits is due at the next round, a change not before the rate limit has passed.
TEST(Simulator, ARestartKeepsRoundsAndEagerStarts) {
  expect_equal_futures({.rate_limit = seconds(17), .round = seconds(4), .is_eager = true});
}

}  // namespace restart_test

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/io_checks.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/cluster_text.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/placers/builtin.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::test {
namespace real_traces_test {

/// Keeps a run honest: GPUs held never exceed what there is.
class CapacityWatch final : public SimulationObserver {
 public:
  explicit CapacityWatch(GpuCount capacity) : capacity_(capacity) {}

  void decided(const Scheduler& /*scheduler*/, const Decision& decision) override {
    for (const PoolDecision& pool : decision.pools) {
      GpuCount held = 0;
      for (const GpuCount gpus : pool.allocation.gpus)
        held += gpus;
      EXPECT_LE(held, capacity_);
      if (pool.placement) {
        EXPECT_TRUE(pool.placement->unplaced.empty());
      }
    }
  }

 private:
  GpuCount capacity_ = 0;
};

/// Every job finishes, and none faster than at its best speed.
void expect_sound(const Trace& trace,
                  const std::string& cluster,
                  std::shared_ptr<const Placer> placer) {
  const auto allocators = builtin_allocators();
  for (const auto& entry : allocators.entries()) {
    SimulationOptions options{.allocator = entry.make({}), .placer = placer};
    options.nodes = parse_cluster(cluster);
    GpuCount capacity = 0;
    for (const Node& node : options.nodes)
      capacity += node.gpus;
    CapacityWatch watch(capacity);
    const SimulationResult result = simulate(trace, options, &watch);
    EXPECT_EQ(result.summary.finished, static_cast<std::int64_t>(trace.jobs.size())) << entry.name;
    std::map<JobId, const Job*> jobs;
    for (const Job& job : trace.jobs)
      jobs[job.id] = &job;
    for (const JobOutcome& outcome : result.outcomes) {
      const Job& job = *jobs.at(outcome.id);
      double best = 0;
      for (GpuCount gpus = 1; gpus <= job.spec.max_gpus; ++gpus)
        best = std::max(best, job.speedup(gpus));
      EXPECT_GE(to_seconds(outcome.executed), job.work->left_s / best - 1e-5)
          << entry.name << ' ' << job.id.value;
      EXPECT_EQ(outcome.jct(), outcome.waited + outcome.executed)
          << entry.name << ' ' << job.id.value;
    }
  }
}

TEST(RealTraces, ItpClusterOn64GpusFinishesUnderEveryPolicy) {
  VODA_NEED_SHARED("data/itp/cluster01.csv");
  const Trace trace = read_trace_file(shared_path("data/itp/cluster01.csv"), "itp").trace;
  ASSERT_EQ(trace.jobs.size(), 1595U);  // data/README.md
  expect_sound(trace, "16x4", nullptr);
}

TEST(RealTraces, PhillyVirtualClustersFinishUnderEveryPolicy) {
  VODA_NEED_SHARED("data/philly-vc");
  const TraceOptions options{
      .speedups = read_speedups_file(shared_path("data/speedups/speedups_us_per_iteration.csv"))};
  for (const auto& [name, cluster] : {std::pair("0e4a51", "16x4"), std::pair("103959", "6x4")}) {
    const auto path = shared_path(std::string("data/philly-vc/trace_") + name + ".csv");
    expect_sound(read_trace_file(path, "pcs", options).trace, cluster, nullptr);
  }
}

TEST(RealTraces, The195JobsWithMeasuredA100SpeedsFinishUnderEveryPolicyWithPlacement) {
  VODA_NEED_SHARED("data/itp/195job.csv");
  const TraceOptions options{
      .speedups = read_speedups_file(shared_path("data/speedups/elasticflow_throughputs_A100"))};
  const Trace rigid = read_trace_file(shared_path("data/itp/195job.csv"), "itp", options).trace;
  ASSERT_EQ(rigid.jobs.size(), 195U);
  for (const Job& job : rigid.jobs)
    ASSERT_FALSE(job.speedup.is_linear()) << job.id.value;
  const Elasticity elasticity{.min = {.kind = SizeBound::Kind::gpus, .value = 1},
                              .max = {.value = 4}};
  expect_sound(with_elastic_jobs(rigid, elasticity), "16x8", builtin_placers().make("steady"));
}

}  // namespace real_traces_test
}  // namespace voda::test

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/io_checks.hpp"
#include "voda/allocators/builtin.hpp"
#include "voda/io/cluster_text.hpp"
#include "voda/io/csv.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/policy/policy_spec.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::test {
namespace simulation_test {

/// One of the published runs.
struct PublishedRun {
  std::string folder{};
  std::string file{};
  std::string policy{};
};

void PrintTo(const PublishedRun& run, std::ostream* out) {
  *out << run.folder << '/' << run.file;
}

struct Times {
  TimePoint submitted{};
  std::optional<TimePoint> first_started{};
  std::optional<TimePoint> finished{};
};

std::optional<TimePoint> time_or_nothing(const CsvTable& table, std::string_view column) {
  if (!table.has(column))
    return std::nullopt;
  return time_from_seconds(table.number(column, {.min = -max_seconds, .max = max_seconds}), column);
}

std::map<JobId, Times> published_times(const PublishedRun& run) {
  const auto path = shared_path("conformance/simulation/" + run.folder + "/" + run.file + ".csv");
  std::ifstream file(path);
  CsvTable table(
      file, path.string(), {.required = {"id", "submitted", "first_started", "finished"}});
  std::map<JobId, Times> result;
  while (table.next()) {
    result[JobId{table.name("id")}] = {.submitted = time_or_nothing(table, "submitted").value(),
                                       .first_started = time_or_nothing(table, "first_started"),
                                       .finished = time_or_nothing(table, "finished")};
  }
  return result;
}

Trace trace_of(const std::string& folder) {
  if (folder.starts_with("itp01"))
    return read_trace_file(shared_path("data/itp/cluster01.csv"), "itp").trace;
  const TraceOptions options{
      .speedups = read_speedups_file(shared_path("data/speedups/speedups_us_per_iteration.csv"))};
  const std::string name = folder.substr(2, folder.find('_') - 2);
  return read_trace_file(shared_path("data/philly-vc/trace_" + name + ".csv"), "pcs", options)
      .trace;
}

SimulationResult simulate_run(const PublishedRun& run) {
  const PolicySpec spec = parse_policy_spec(run.policy);
  const std::string gpus = run.folder.substr(run.folder.find('_') + 1);
  SimulationOptions options{.allocator = builtin_allocators().make(spec.name, spec.options)};
  options.nodes = parse_cluster(std::to_string(std::stoi(gpus) / 4) + "x4");
  return simulate(trace_of(run.folder), options);
}

/// Equal to the millisecond; both absent is equal too.
void expect_close(const std::optional<TimePoint>& ours,
                  const std::optional<TimePoint>& theirs,
                  const std::string& what) {
  ASSERT_EQ(ours.has_value(), theirs.has_value()) << what;
  if (!ours)
    return;
  EXPECT_LE(std::abs((*ours - *theirs).count()), 1000) << what;
}

class PublishedRuns : public testing::TestWithParam<PublishedRun> {};

TEST_P(PublishedRuns, EveryJobStartsAndEndsWhenTheyDid) {
  VODA_NEED_SHARED("conformance/simulation");
  const auto expected = published_times(GetParam());

  const SimulationResult result = simulate_run(GetParam());

  ASSERT_EQ(result.outcomes.size(), expected.size());
  for (const JobOutcome& outcome : result.outcomes) {
    const auto found = expected.find(outcome.id);
    ASSERT_NE(found, expected.end()) << outcome.id.value;
    expect_close(outcome.submitted, found->second.submitted, outcome.id.value + " submitted");
    expect_close(
        outcome.first_started, found->second.first_started, outcome.id.value + " first started");
    expect_close(outcome.finished, found->second.finished, outcome.id.value + " finished");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Simulation,
    PublishedRuns,
    testing::Values(
        PublishedRun{"itp01_64g", "fifo", "fifo"},
        PublishedRun{"itp01_64g", "fifo_wait", "fifo:blocked=wait"},
        PublishedRun{"itp01_64g", "srjf", "srjf"},
        PublishedRun{"itp01_64g", "srjf_gpu_time", "srjf:rank=gpu_time"},
        PublishedRun{"itp01_64g", "tiresias", "tiresias"},
        PublishedRun{
            "itp01_64g", "tiresias_3250_7200_knob0", "tiresias:thresholds=3250/7200,knob=0"},
        PublishedRun{"vc0e4a51_64g", "afs_l", "afs_l"},
        PublishedRun{"vc0e4a51_64g", "elastic_fifo", "elastic_fifo"},
        PublishedRun{"vc0e4a51_64g", "elastic_fifo_in_order", "elastic_fifo:grow=in_order"},
        PublishedRun{"vc0e4a51_64g", "elastic_srjf", "elastic_srjf"},
        PublishedRun{
            "vc0e4a51_64g", "elastic_srjf_in_order_time", "elastic_srjf:grow=in_order,rank=time"},
        PublishedRun{"vc0e4a51_64g", "elastic_tiresias", "elastic_tiresias"},
        PublishedRun{"vc103959_24g", "afs_l", "afs_l"},
        PublishedRun{"vc103959_24g", "elastic_fifo", "elastic_fifo"}),
    [](const auto& run) { return run.param.folder + "_" + run.param.file; });

}  // namespace simulation_test
}  // namespace voda::test

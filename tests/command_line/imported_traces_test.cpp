#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace imported_traces_test {

using testing::HasSubstr;

TEST(ImportedTraces, ReportsWhatTheHeaderOfAnSwfLogSaysAndWhatIsLeftOut) {
  const auto result = run_command(
      {"simulate", "-", "--format", "swf", "--cluster", "1x8", "--policy", "fifo", "--json"},
      "; Computer: Toy\n"
      "; MaxJobs: 3\n"
      "; MaxProcs: 8\n"
      "1 0 0 10 8 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "2 0 0 -1 -1 -1 -1 4 -1 -1 5 1 1 -1 1 -1 -1 -1\n");

  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(
      result.err,
      "voda: standard input: Computer Toy, MaxJobs 3, MaxProcs 8\n"
      "voda: standard input: rows that were cancelled before they ran: 1, left out\n"
      "voda: standard input: rows that were given another number of processors than asked for, "
      "which counts: 1\n"
      "voda: warning: standard input: the header says MaxJobs 3, and there are 2\n");
  EXPECT_THAT(result.out, HasSubstr("\"finished\": 1"));
}

TEST(ImportedTraces, APolluxWorkloadNeedsRunTimes) {
  const TestDirectory directory;
  const std::string times = directory.write(
      "times.csv", "application,batch_size,num_replicas,run_time_s\nncf,32768,1,50\n");
  const std::string workload =
      "name,time,application,num_replicas,batch_size\nncf-2,135,ncf,1,32768\n";
  const std::vector<std::string> command{
      "simulate", "-", "--format", "pollux", "--cluster", "1x8", "--policy", "fifo", "--json"};
  std::vector<std::string> with_times = command;
  with_times.insert(with_times.end(), {"--run-times", times});

  const auto without = run_command(command, workload);
  const auto with = run_command(with_times, workload);

  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, HasSubstr("expected its run times"));
  EXPECT_EQ(with.status, 0) << with.err;
  EXPECT_THAT(with.out, HasSubstr("\"makespan_s\": 50"));
}

TEST(ImportedTraces, AGavelTraceRunsOnTheGpusOfTheThroughputs) {
  const TestDirectory directory;
  const std::string throughputs = directory.write(
      "throughputs.json",
      R"json({"k80": {"('A3C', 2)": {"null": 2}}, "v100": {"('A3C', 2)": {"null": 8}}})json");
  const auto run = [&throughputs](const std::string& cluster) {
    return run_command({"simulate",
                        "-",
                        "--format",
                        "gavel",
                        "--cluster",
                        cluster,
                        "--policy",
                        "fifo",
                        "--json",
                        "--throughputs",
                        throughputs},
                       "A3C\tpython3 main.py\t--max-steps\t0\t800\t5.0\t2\n");
  };

  const auto v100 = run("1x8:v100");
  const auto untyped = run("1x8");

  EXPECT_EQ(v100.status, 0) << v100.err;
  EXPECT_THAT(v100.out, HasSubstr("\"makespan_s\": 100"));
  EXPECT_EQ(untyped.status, 1);
  EXPECT_THAT(untyped.err, HasSubstr("as in --cluster 8x4:v100"));
}

}  // namespace imported_traces_test
}  // namespace voda::test

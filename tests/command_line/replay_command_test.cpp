#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace replay_command_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// One node of 4 GPUs; a takes 3 of them for 100 s, b comes after 10 s, is shorter and waits.
const std::string two_jobs =
    "id,submitted,requested_gpus,work_s\n"
    "a,0,3,300\n"
    "b,10,3,30\n";

class ReplayCommand : public testing::Test {
 protected:
  /// Records a run of `trace` and returns the path of the record.
  [[nodiscard]] std::string record(const std::string& trace,
                                   const std::string& cluster,
                                   const std::string& policy,
                                   const std::string& placer) {
    const auto result = run_command({"simulate",
                                     directory_.write("trace.csv", trace),
                                     "--cluster",
                                     cluster,
                                     "--policy",
                                     policy,
                                     "--placer",
                                     placer,
                                     "--resize-cost",
                                     "stall:5",
                                     "--record",
                                     directory_ / "run.rec",
                                     "--plans",
                                     directory_ / "run.plans"});
    EXPECT_EQ(result.status, 0) << result.err;
    return directory_ / "run.rec";
  }

  TestDirectory directory_{};
};

TEST_F(ReplayCommand, GivesTheSamePlansByteForByte) {
  const auto workload =
      run_command({"generate", "--jobs", "80", "--gpus", "32", "--load", "1.3", "--seed", "4"});
  for (const char* const policy : {"fifo",
                                   "elastic_fifo",
                                   "srjf",
                                   "elastic_srjf",
                                   "tiresias:thresholds=600/6000",
                                   "elastic_tiresias",
                                   "ffdl",
                                   "afs_l"}) {
    for (const char* const placer : {"none", "steady:beta=2", "repack", "spread"}) {
      const std::string path = record(workload.out, "8x4", policy, placer);

      const auto result = run_command({"replay", path, "--plans", directory_ / "again.plans"});

      EXPECT_EQ(result.status, 0) << result.err;
      EXPECT_THAT(result.out, HasSubstr(", 0 different, 0 failed\n"));
      EXPECT_GT(bytes_of(directory_ / "run.plans").size(), 1000u);
      EXPECT_EQ(bytes_of(directory_ / "again.plans"), bytes_of(directory_ / "run.plans"))
          << policy << " " << placer;
    }
  }
}

TEST_F(ReplayCommand, PlansAreLinesOfJson) {
  static_cast<void>(record(two_jobs, "1x4", "fifo", "steady"));

  EXPECT_EQ(bytes_of(directory_ / "run.plans"),
            R"({"at":0.0,"gpu_type":"","plan":[)"
            R"({"job":"a","kind":"start","before":{},"after":{"n0":3}}]})"
            "\n"
            R"({"at":100.0,"gpu_type":"","plan":[)"
            R"({"job":"b","kind":"start","before":{},"after":{"n0":3}}]})"
            "\n");
}

TEST_F(ReplayCommand, ShowsWhatAnotherPolicyWouldHaveDone) {
  const std::string path = record(two_jobs, "1x4", "fifo", "none");

  const auto result = run_command({"replay", path, "--policy", "srjf", "--diff"});

  // by hand: decisions at 0 (a starts), 10 (fifo keeps a, srjf gives its GPUs to b, which is
  // shorter), 100 (a is done, b starts), 110 (nothing is left). From the decision at 10 on the
  // record is followed.
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      result.out,
      "at 10.0 s:\n"
      "  job a: recorded 3 GPUs, replayed nothing\n"
      "  job b: recorded nothing, replayed 3 GPUs\n"
      "9 events of 2 jobs, 2 of them finished, under fifo with placer none\n"
      "decided again by srjf with placer none: 4 decisions, 3 equal, 1 different, 0 failed\n");
}

TEST_F(ReplayCommand, AnswersAsOneDocument) {
  const std::string path = record(two_jobs, "1x4", "fifo", "none");

  const auto result = run_command({"replay", path, "--policy", "srjf", "--diff", "--json"});

  const auto answer = result.json();
  EXPECT_EQ(answer["differences"].dump(),
            R"([{"at":10.0,"gpu_type":"","jobs":{"a":{"recorded":3,"replayed":{}},)"
            R"("b":{"recorded":{},"replayed":3}}}])");
  EXPECT_EQ(answer["policy"], "srjf");
  EXPECT_EQ(answer["recorded_policy"], "fifo");
  EXPECT_EQ(answer["decisions"], 4);
  EXPECT_EQ(answer["different"], 1);
  EXPECT_EQ(answer["first_at"], 0.0);
  EXPECT_EQ(answer["last_at"], 110.0);
  EXPECT_EQ(answer["cut"], nullptr);
  const auto none = run_command({"replay", path, "--diff", "--json"}).json();
  EXPECT_EQ(none["differences"].dump(), "[]");
  EXPECT_EQ(none["equal"], 4);
  EXPECT_FALSE(run_command({"replay", path, "--json"}).json().contains("differences"));
}

TEST_F(ReplayCommand, DecidesAgainOnlyInTheWindowThatIsAskedFor) {
  const std::string path = record(two_jobs, "1x4", "fifo", "none");

  const auto late = run_command({"replay", path, "--from", "100", "--json"}).json();
  const auto early = run_command({"replay", path, "--until", "99.5", "--json"}).json();

  EXPECT_EQ(late["decisions"], 2);
  EXPECT_EQ(late["events"], 9);
  EXPECT_EQ(early["decisions"], 2);
  EXPECT_EQ(early["jobs_finished"], 0);
}

TEST_F(ReplayCommand, ATornRecordIsReadUpToItsLastWholeFrame) {
  const std::string whole = bytes_of(record(two_jobs, "1x4", "fifo", "none"));
  const std::string torn = directory_.write("torn.rec", whole.substr(0, whole.size() - 1));

  const auto result = run_command({"replay", torn, "--json"});

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, AllOf(HasSubstr("warning"), HasSubstr("cut at byte")));
  EXPECT_EQ(result.json()["events"], 8);
  EXPECT_EQ(result.json()["cut"]["bytes"].get<std::size_t>() +
                result.json()["cut"]["at_byte"].get<std::size_t>(),
            whole.size() - 1);
}

TEST_F(ReplayCommand, WhatIsNoRecordIsRefusedByName) {
  const auto result = run_command({"replay", directory_.write("x.csv", two_jobs)});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("x.csv: not a record"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(ReplayCommand, RefusesOptionsThatMakeNoSense) {
  const std::string path = record(two_jobs, "1x4", "fifo", "none");

  EXPECT_EQ(run_command({"replay", path, "--from", "soon"}).status, 2);
  EXPECT_EQ(run_command({"replay", path, "--policy", "nobody"}).status, 2);
  EXPECT_EQ(run_command({"replay", path, "--plans", "/nowhere/x"}).status, 1);
  EXPECT_EQ(run_command({"replay", directory_ / "missing.rec"}).status, 1);
}

TEST_F(ReplayCommand, ARecordThatCannotBeWrittenIsAnError) {
  const auto result = run_command({"simulate",
                                   directory_.write("trace.csv", two_jobs),
                                   "--cluster",
                                   "1x4",
                                   "--record",
                                   "/dev/full"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("/dev/full"));
}

}  // namespace replay_command_test
}  // namespace voda::test

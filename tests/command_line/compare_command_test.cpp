#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/table.hpp"
#include "command_line/time_text.hpp"
#include "support/command_runner.hpp"

namespace voda::test {
namespace compare_command_test {

using command_line::Best;
using command_line::Quantity;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

// A long job of 4 GPUs, then a short one: fifo lets the short one wait (JCT 100 and 109), srjf does
// not (JCT 110 and 10).
const std::string long_then_short =
    "id,submitted,requested_gpus,work_s\nlong,0,4,400\nshort,1,4,40\n";

TEST(CompareCommand, RowsStandInTheOrderGiven) {
  const auto json =
      run_command(
          {"compare", "-", "--cluster", "1x4", "--policy", "srjf", "--policy", "fifo", "--json"},
          long_then_short)
          .json();

  ASSERT_EQ(json["policies"].size(), 2U);
  EXPECT_EQ(json["policies"][0]["policy"], "srjf");
  EXPECT_EQ(json["policies"][0]["jct_s"]["mean"], 60.0);  // (110 + 10) / 2
  EXPECT_EQ(json["policies"][0]["preemptions"], 1);
  EXPECT_EQ(json["policies"][1]["policy"], "fifo");
  EXPECT_EQ(json["policies"][1]["jct_s"]["mean"], 104.5);  // (100 + 109) / 2
}

TEST(CompareCommand, TableMarksTheBest) {
  const auto result =
      run_command({"compare", "-", "--cluster", "1x4", "--policy", "srjf", "--policy", "fifo"},
                  long_then_short);

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out,
              AllOf(StartsWith("2 jobs on 4 GPUs of 1 node, GPUs counted only\n"),
                    HasSubstr("mean JCT s"),
                    HasSubstr(" 60.0*"),
                    HasSubstr(" 104.5 ")));
}

TEST(CompareCommand, FiguresOverNoJobsAreMissingAndNeverTheBest) {
  // The first job is larger than the cluster, and blocks the second under blocked=wait.
  const std::string trace = "id,submitted,requested_gpus,work_s\nlarge,0,9,10\nsmall,0,4,40\n";
  std::vector<std::string> arguments{
      "compare", "-", "--cluster", "1x4", "--policy", "fifo", "--policy", "fifo:blocked=wait"};
  const auto table = run_command(arguments, trace);
  EXPECT_THAT(table.out, testing::ContainsRegex("fifo +1[*] +10[.]0[*] "));
  EXPECT_THAT(table.out, testing::ContainsRegex("fifo:blocked=wait +0 +- +- +- +- +- +- +- +0 "));

  arguments.emplace_back("--json");
  const auto json = run_command(arguments, trace).json()["policies"];
  EXPECT_EQ(json[0]["jct_s"]["mean"], 10.0);
  for (const char* figure : {"makespan_s", "utilization_held", "fairness_mean", "fairness_worst"})
    EXPECT_TRUE(json[1][figure].is_null()) << figure;
  EXPECT_TRUE(json[1]["jct_s"]["mean"].is_null());
  EXPECT_TRUE(json[1]["waited_s"]["p99"].is_null());
}

TEST(CompareCommand, AllPoliciesHaveARowEach) {
  const auto json =
      run_command({"compare", "-", "--cluster", "1x4", "--all-policies", "--json"}, long_then_short)
          .json();

  EXPECT_EQ(json["policies"].size(), 8U);
}

TEST(CompareCommand, ThreadsDoNotChangeTheAnswer) {
  const std::string trace =
      run_command({"generate", "--jobs", "100", "--gpus", "16", "--seed", "3"}).out;
  const auto with_threads = [&trace](const std::string& threads) {
    return run_command(
               {"compare", "-", "--cluster", "4x4", "--all-policies", "--json", "--jobs", threads},
               trace)
        .out;
  };

  EXPECT_EQ(with_threads("1"), with_threads("4"));
}

TEST(CompareCommand, NeedsAPolicy) {
  const auto result = run_command({"compare", "-", "--cluster", "1x4"}, long_then_short);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--all-policies"));
}

TEST(CompareCommand, WrongOptionsAreUsage) {
  EXPECT_EQ(
      run_command({"compare", "-", "--cluster", "1x4", "--policy", "fifo", "--policy", "lifo"},
                  long_then_short)
          .status,
      2);
  EXPECT_EQ(run_command({"compare", "-", "--cluster", "1x4", "--policy", "fifo", "--jobs", "0"},
                        long_then_short)
                .status,
            2);
}

TEST(CompareCommand, WarnsOfUnfinishedJobsOncePerPolicy) {
  const auto result =
      run_command({"compare", "-", "--cluster", "1x2", "--policy", "fifo", "--policy", "srjf"},
                  long_then_short);

  EXPECT_THAT(result.err,
              AllOf(HasSubstr("fifo: 2 of 2 jobs never finished"), HasSubstr("srjf: 2 of 2")));
}

TEST(CompareCommand, ErrorsOfARunAreReported) {
  // Two GPU types and a job without one.
  const auto result =
      run_command({"compare", "-", "--cluster", "1x2:a+1x2:b", "--all-policies"}, long_then_short);

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("job 'long'"));
}

TEST(GenerateCommand, EqualSeedsGiveEqualBytes) {
  const auto first = run_command({"generate", "--jobs", "50", "--seed", "4"});

  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.out, run_command({"generate", "--jobs", "50", "--seed", "4"}).out);
  EXPECT_NE(first.out, run_command({"generate", "--jobs", "50", "--seed", "5"}).out);
}

TEST(GenerateCommand, FileAndStandardOutputHoldTheSame) {
  const TestDirectory directory;

  const auto result = run_command({"generate", "--jobs", "20", "--out", directory / "trace.csv"});

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(bytes_of(directory / "trace.csv"), run_command({"generate", "--jobs", "20"}).out);
  EXPECT_THAT(directory.files(), testing::ElementsAre("trace.csv"));
}

TEST(GenerateCommand, FullDiskIsAnError) {
  const auto result = run_command({"generate", "--jobs", "20", "--out", "/dev/full"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

TEST(GenerateCommand, WrongOptionsAreUsage) {
  const std::vector<std::vector<std::string>> cases{{"--jobs", "-1"},
                                                    {"--jobs", "1e99"},
                                                    {"--gpus", "0"},
                                                    {"--load", "0"},
                                                    {"--load", "nan"},
                                                    {"--load", "x"},
                                                    {"--arrivals", "monthly"},
                                                    {"--demand", "cern"},
                                                    {"--elastic-share", "1.5"},
                                                    {"--elastic", "2x:1x"},
                                                    {"--seed", "x"},
                                                    {"extra"}};
  for (std::vector<std::string> arguments : cases) {
    arguments.insert(arguments.begin(), "generate");

    EXPECT_EQ(run_command(arguments).status, 2) << testing::PrintToString(arguments);
  }
}

TEST(Table, AlignsByCharactersAndMarksTies) {
  const std::string text = command_line::table_text(
      "name",
      {"é", "abc"},
      {{.header = "n", .quantity = Quantity::count, .best = Best::largest, .values = {5, 12}},
       {.header = "t",
        .quantity = Quantity::seconds,
        .best = Best::smallest,
        .values = {7200, 10800}},
       {.header = "u",
        .quantity = Quantity::percent,
        .best = Best::largest,
        .values = {0.5, 0.5}}});

  EXPECT_EQ(text,
            "name  n   t h   u %\n"
            "é     5  2.00* 50.0\n"
            "abc  12* 3.00  50.0\n");
}

TEST(TimeText, SecondsKeepEveryMicrosecond) {
  EXPECT_EQ(command_line::seconds_text(1234567), "1.234567");
  EXPECT_EQ(command_line::seconds_text(-5), "-0.000005");
  EXPECT_EQ(command_line::seconds_text(INT64_MAX), "9223372036854.775807");
  EXPECT_EQ(command_line::seconds_text(INT64_MIN), "-9223372036854.775808");
}

TEST(TimeText, DurationsHaveTwoUnitsAtMost) {
  EXPECT_EQ(command_line::duration_text(0), "0 s");
  EXPECT_EQ(command_line::duration_text(0.0000125), "12.5 us");
  EXPECT_EQ(command_line::duration_text(0.25), "250 ms");
  EXPECT_EQ(command_line::duration_text(45), "45 s");
  EXPECT_EQ(command_line::duration_text(59.99), "1 min");
  EXPECT_EQ(command_line::duration_text(3599.9), "1 h");
  EXPECT_EQ(command_line::duration_text(11520), "3 h 12 min");
  EXPECT_EQ(command_line::duration_text(86399), "1 d");
  EXPECT_EQ(command_line::duration_text(187200), "2 d 4 h");
}

}  // namespace compare_command_test
}  // namespace voda::test

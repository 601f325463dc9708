#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace fit_command_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string profile_text =
    R"({"version": 1, "demand": [{"gpus": {"1": 0.5, "4": 0.5}, "run_s": {"0": 60, "1": 600}}],)"
    R"( "arrivals": {"mean_gap_s": 60, "squared_variation": 2}, "profiles": {"": {"share": 1}},)"
    R"( "elastic": {"share": 1, "sizes": "1:2x"}, "users": {"ann": 0.5, "bob": 0.5}})";

/// A trace of the program itself.
[[nodiscard]] std::string generated(const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"generate", "--jobs", "400", "--seed", "3"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto result = run_command(arguments);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

TEST(FitCommand, WritesAProfileThatGenerateReads) {
  const TestDirectory directory;
  const std::string trace = directory.write("trace.csv", generated({"--users", "5"}));
  const std::string profile = directory / "profile.json";

  const auto fit = run_command({"fit", trace, "--sample", "500", "--out", profile});
  const auto workload = run_command({"generate", "--demand", profile, "--jobs", "50"});

  EXPECT_EQ(fit.status, 0) << fit.err;
  EXPECT_THAT(fit.out, AllOf(HasSubstr("run time, 1 GPU"), HasSubstr("gaps"), HasSubstr("user")));
  EXPECT_THAT(fit.err, IsEmpty());
  EXPECT_EQ(workload.status, 0) << workload.err;
  EXPECT_THAT(workload.out, AllOf(HasSubstr("user-1"), HasSubstr("voda/")));
}

TEST(FitCommand, ReportsAsJsonWithHalves) {
  const auto result = run_command({"fit", "-", "--sample", "500", "--json"}, generated());

  EXPECT_EQ(result.status, 0) << result.err;
  const auto report = result.json();
  EXPECT_EQ(report["jobs"], 400);
  EXPECT_EQ(report["marginals"][0]["name"], "sizes");
  EXPECT_EQ(report["marginals"][0]["measure"], "total_variation");
  EXPECT_EQ(report["marginals"][1]["name"], "run time, all");
  // 500 draws of quantiles that are 0.05 apart: 0.05 + 1.95 / root of 500 but once in 1000.
  EXPECT_LE(report["marginals"][1]["distance"], 0.05 + 0.088);
  EXPECT_TRUE(report["marginals"][1]["first_half"].is_number());
  EXPECT_TRUE(report["marginals"][1]["later_half"].is_number());
  EXPECT_GT(report["marginals"][1]["trace"]["p90"], 0);
}

TEST(FitCommand, ProfileOnStandardOutputLeavesTheReportToStandardError) {
  const auto result = run_command({"fit", "-", "--sample", "100", "--out", "-"}, generated());

  EXPECT_EQ(result.json()["version"], 1);
  EXPECT_THAT(result.err, HasSubstr("distance"));
}

TEST(FitCommand, ComparesWithAnotherWorkloadInsteadOfFitting) {
  const auto result =
      run_command({"fit", "-", "--against", "philly", "--sample", "500"}, generated());

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("philly"),
                    HasSubstr("run time, 8 GPUs"),
                    testing::Not(HasSubstr("later half"))));
}

TEST(FitCommand, TakesSeveralTracesTogether) {
  const TestDirectory directory;
  const std::string first = directory.write("a.csv", generated());
  const std::string second = directory.write("b.csv", generated({"--demand", "itp"}));

  const auto result = run_command({"fit", first, second, "--sample", "100", "--json"});

  EXPECT_EQ(result.json()["jobs"], 800);
  EXPECT_EQ(result.json()["traces"], 2);
}

TEST(FitCommand, OneJobIsEnough) {
  const auto result =
      run_command({"fit", "-", "--out", "-"}, "id,submitted,requested_gpus,work_s\na,5,2,60\n");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_FALSE(result.json().contains("arrivals"));
}

TEST(FitCommand, RefusesWhatHasNoJobsAndBadFiles) {
  const auto empty = run_command({"fit", "-"}, "id,submitted,requested_gpus,work_s\n");
  EXPECT_EQ(empty.status, 1);
  EXPECT_THAT(empty.err, HasSubstr("no jobs; expected at least one"));
  const auto bad = run_command({"fit", "-"}, "id,submitted,requested_gpus,work_s\na,5,0,60\n");
  EXPECT_EQ(bad.status, 1);
  EXPECT_THAT(bad.err, HasSubstr("requested_gpus"));
  EXPECT_EQ(run_command({"fit", "/nonexistent/trace.csv"}).status, 1);
}

TEST(FitCommand, WrongOptionsAreUsage) {
  const std::vector<std::vector<std::string>> cases{{"fit"},
                                                    {"fit", "-", "--sample", "0"},
                                                    {"fit", "-", "--monday", "tuesday"},
                                                    {"fit", "-", "--against", "cern"},
                                                    {"fit", "-", "--format", "excel"},
                                                    {"fit", "-", "--seed", "x"},
                                                    {"fit", "-", "--against", "itp", "--out", "-"}};
  for (const auto& arguments : cases)
    EXPECT_EQ(run_command(arguments, generated()).status, 2) << testing::PrintToString(arguments);
}

TEST(GenerateCommand, TakesTheProfileUnlessOptionsSayOtherwise) {
  const TestDirectory directory;
  const std::string profile = directory.write("p.json", profile_text);

  const auto plain =
      run_command({"generate", "--demand", profile, "--jobs", "3", "--load", "fitted"});
  const auto changed = run_command({"generate",
                                    "--demand",
                                    profile,
                                    "--jobs",
                                    "3",
                                    "--elastic-share",
                                    "0",
                                    "--users",
                                    "1",
                                    "--arrivals",
                                    "poisson"});

  // Three jobs at a mean gap of 60 s: the last one arrives after 120 s.
  EXPECT_THAT(plain.out,
              AllOf(HasSubstr("\n2,120.000000,"), testing::ContainsRegex(",(ann|bob),")));
  EXPECT_THAT(changed.out, AllOf(HasSubstr(",user-1,"), testing::Not(HasSubstr("ann"))));
}

TEST(GenerateCommand, LabelsAndDeadlinesAreOptions) {
  const auto result = run_command({"generate",
                                   "--jobs",
                                   "50",
                                   "--gpu-types",
                                   "a100:0.3,v100:0.7",
                                   "--queues",
                                   "day:0.5,night:0.5",
                                   "--virtual-clusters",
                                   "a:b:1",
                                   "--users",
                                   "12",
                                   "--deadlines",
                                   "1,1.5:2"});

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(
      result.out,
      AllOf(HasSubstr(",a100,day,user-"), HasSubstr(",v100,night,user-"), HasSubstr(",a:b\n")));
  EXPECT_THAT(result.out, testing::Not(HasSubstr(",0,,")));  // priority, then no deadline
}

TEST(GenerateCommand, WrongLabelsDeadlinesAndProfilesAreUsage) {
  const TestDirectory directory;
  const std::string without_arrivals = directory.write(
      "p.json", R"({"version": 1, "demand": [{"gpus": {"1": 1}, "run_s": {"0": 60, "1": 60}}]})");
  const std::vector<std::vector<std::string>> cases{
      {"--gpu-types", "a100:0.3"},
      {"--gpu-types", "a100"},
      {"--gpu-types", ":1"},
      {"--gpu-types", "a:0.5,a:0.5"},
      {"--gpu-types", "a:0.5,b:x"},
      {"--queues", "a:0.5,,b:0.5"},
      {"--users", "0"},
      {"--users", "1.5"},
      {"--deadlines", "0.5"},
      {"--deadlines", "0.5,2"},
      {"--deadlines", "0.5,2:1"},
      {"--deadlines", "1.5,1:2"},
      {"--load", "fitted"},
      {"--arrivals", "fitted"},
      {"--demand", without_arrivals, "--arrivals", "fitted"},
      {"--demand", without_arrivals, "--load", "fitted"}};
  for (std::vector<std::string> arguments : cases) {
    arguments.insert(arguments.begin(), "generate");

    EXPECT_EQ(run_command(arguments).status, 2) << testing::PrintToString(arguments);
  }
}

TEST(GenerateCommand, NamesADamagedProfile) {
  const TestDirectory directory;
  const std::string profile = directory.write("p.json", R"({"version": 1, "demand": 7})");

  const auto result = run_command({"generate", "--demand", profile});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("p.json: demand: 7; expected an array"));
}

TEST(SimulateCommand, LoadStretchesTheTimeBetweenSubmissions) {
  // Two jobs of 100 s on one GPU, 50 s apart: load 4. At load 1 the second comes after 200 s, when the
  // first is long done, so nobody waits.
  const std::string trace = "id,submitted,requested_gpus,work_s\na,0,1,100\nb,50,1,100\n";
  const std::vector<std::string> command{
      "simulate", "-", "--cluster", "1x1", "--policy", "fifo", "--json"};

  std::vector<std::string> at_load = command;
  at_load.insert(at_load.end(), {"--load", "1"});

  EXPECT_EQ(run_command(command, trace).json()["makespan_s"], 200);
  EXPECT_EQ(run_command(at_load, trace).json()["makespan_s"], 300);
  at_load.back() = "0";
  EXPECT_EQ(run_command(at_load, trace).status, 2);
}

}  // namespace fit_command_test
}  // namespace voda::test

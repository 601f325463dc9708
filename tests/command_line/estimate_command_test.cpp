#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace estimate_command_test {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// 4 GPUs at 100 s: a runs on 3 and has 300 s of work left, b asks for 2 and has 20 s.
const std::string busy = R"({"version": 1, "now": 100, "gpus": 4, "jobs": [
    {"id": "a", "submitted": 0, "min_gpus": 3, "requested_gpus": 3, "max_gpus": 3, "work_s": 300,
     "current": 3},
    {"id": "b", "submitted": 50, "min_gpus": 2, "requested_gpus": 2, "max_gpus": 2,
     "work_s": 20, "progress": {"waited": 50}}]})";

[[nodiscard]] CommandResult run_estimate(std::vector<std::string> arguments,
                                         const std::string& input) {
  arguments.insert(arguments.begin(), "estimate");
  return run_command(arguments, input);
}

[[nodiscard]] nlohmann::ordered_json estimate(std::vector<std::string> arguments,
                                              const std::string& input) {
  arguments.emplace_back("--json");
  const auto result = run_estimate(std::move(arguments), input);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.json();
}

[[nodiscard]] std::vector<std::string> jobs_of(const nlohmann::ordered_json& answer) {
  std::vector<std::string> result;
  for (const auto& [job, estimate] : answer["jobs"].items())
    result.push_back(job);
  return result;
}

TEST(EstimateCommand, SaysWhenTheJobsThatWaitStartAndEnd) {
  const auto answer = estimate({"-", "--policy", "fifo"}, busy);

  EXPECT_EQ(answer["at"], 100.0);
  EXPECT_EQ(answer["policy"], "fifo");
  EXPECT_EQ(answer["placer"], "none");
  EXPECT_EQ(answer["learned_from"], nullptr);
  EXPECT_THAT(jobs_of(answer), ElementsAre("b"));
  const auto& b = answer["jobs"]["b"];  // a ends in 100 s; an interval reaches 1 s and 1 % further
  EXPECT_EQ(b["gpus"], 0);
  EXPECT_EQ(b["start_s"].dump(), R"({"p10":98.0,"p50":100.0,"p90":102.0})");
  EXPECT_EQ(b["finish_s"]["p50"], 110.0);
}

TEST(EstimateCommand, AnswersForTheJobsThatItIsAskedAbout) {
  const auto answer =
      estimate({"-", "--policy", "fifo", "--job", "b", "--job", "a", "--job", "b"}, busy);

  EXPECT_THAT(jobs_of(answer), ElementsAre("b", "a"));
  EXPECT_EQ(answer["jobs"]["a"]["gpus"], 3);
  EXPECT_EQ(answer["jobs"]["a"]["start_s"]["p90"], 0.0);
  EXPECT_EQ(answer["jobs"]["a"]["finish_s"]["p50"], 100.0);
}

TEST(EstimateCommand, AnswersForAJobThatIsNotSubmittedYet) {
  const std::string one_gpu =
      R"({"id": "c", "min_gpus": 1, "requested_gpus": 1, "max_gpus": 1, "work_s": 50})";
  const auto behind = estimate({"-", "--policy", "fifo:blocked=wait", "--add-job", one_gpu}, busy);
  EXPECT_THAT(jobs_of(behind), ElementsAre("c"));
  EXPECT_EQ(behind["jobs"]["c"]["start_s"]["p50"], 100.0);  // not before b
  EXPECT_EQ(behind["jobs"]["c"]["finish_s"]["p50"], 150.0);

  const std::vector<std::string> passes{"-", "--add-job", one_gpu, "--policy", "fifo"};
  const std::vector<std::string> is_next{
      "-", "--add-job", one_gpu, "--policy", "fifo:blocked=wait", "--remove-job", "b"};
  for (const auto& arguments : {passes, is_next}) {
    const auto now = estimate(arguments, busy);
    EXPECT_EQ(now["jobs"]["c"]["start_s"]["p50"], 0.0);
    EXPECT_EQ(now["jobs"]["c"]["finish_s"]["p50"], 50.0);
  }
}

TEST(EstimateCommand, AJobThatNeverFitsStartsInNoFuture) {
  const std::vector<std::string> arguments{
      "-",
      "--policy",
      "fifo",
      "--add-job",
      R"({"id": "c", "min_gpus": 9, "requested_gpus": 9, "max_gpus": 9, "work_s": 50})"};
  const auto answer = estimate(arguments, busy);
  EXPECT_EQ(answer["jobs"]["c"].dump(), R"({"gpus":0,"start_s":null,"finish_s":null})");
  EXPECT_THAT(run_estimate(arguments, busy).out, HasSubstr("in no future"));
}

/// The record of one GPU under FIFO, where a job of 30 s comes every 10 s: at 100 s three have ended, d has run for 10 s and e is next.
[[nodiscard]] std::string record_of_a_queue(const TestDirectory& directory) {
  std::string trace = "id,submitted,requested_gpus,work_s\n";
  for (int i = 0; i < 12; ++i)
    trace += std::string(1, static_cast<char>('a' + i)) + "," + std::to_string(10 * i) + ",1,30\n";
  const std::string path = directory / "run.rec";
  const auto result = run_command(
      {"simulate", "-", "--cluster", "1x1", "--policy", "fifo", "--record", path}, trace);
  EXPECT_EQ(result.status, 0) << result.err;
  return path;
}

[[nodiscard]] std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(EstimateCommand, FollowsARecordAndLearnsFromIt) {
  const TestDirectory directory;
  const std::string record = record_of_a_queue(directory);
  const auto answer = estimate({record, "--at", "100"}, "");

  EXPECT_EQ(answer["at"], 100.0);
  EXPECT_EQ(answer["policy"], "fifo");
  EXPECT_EQ(answer["learned_from"], 3);
  EXPECT_THAT(jobs_of(answer), ElementsAre("e", "f", "g", "h", "i", "j", "k"));
  const auto& start = answer["jobs"]["f"]["start_s"];
  EXPECT_EQ(start["p50"], 50.0);
  EXPECT_LT(start["p90"],
            51.5);  // the forecasts of a, b, c and d came true: narrower than 1 s and 1 %
  EXPECT_EQ(answer["jobs"]["f"]["finish_s"]["p50"], 80.0);

  const auto untaught = estimate({record, "--at", "100", "--learn", "0"}, "");
  EXPECT_EQ(untaught["learned_from"], 0);
  EXPECT_EQ(untaught["jobs"]["f"]["start_s"]["p90"], 51.5);

  const auto thinned = estimate({record, "--at", "100", "--learn", "4"}, "");  // a, d, g and j
  EXPECT_EQ(thinned["learned_from"], 1);
}

TEST(EstimateCommand, ReadsARecordFromAPipe) {
  const TestDirectory directory;
  const std::string record = record_of_a_queue(directory);
  EXPECT_EQ(estimate({"-", "--at", "100"}, content_of(record)),
            estimate({record, "--at", "100"}, ""));
}

TEST(EstimateCommand, WhatAnotherPolicyDecidedTeachesNothing) {
  const TestDirectory directory;
  const auto answer =
      estimate({record_of_a_queue(directory), "--at", "100", "--policy", "srjf"}, "");
  EXPECT_EQ(answer["policy"], "srjf");
  EXPECT_EQ(answer["learned_from"], 0);
  EXPECT_EQ(answer["jobs"]["e"]["start_s"]["p50"], 20.0);
}

TEST(EstimateCommand, ATornRecordCountsToItsLastWholeFrame) {
  const TestDirectory directory;
  std::string record = content_of(record_of_a_queue(directory));
  record.resize(record.size() - 5);
  const auto result = run_estimate({"-"}, record);
  EXPECT_EQ(result.status, 0);
  const std::string warning = "voda: warning: standard input: cut at byte";
  EXPECT_THAT(result.err, StartsWith(warning));
  EXPECT_EQ(result.err.find(warning, 1), std::string::npos);  // once, though it is read twice
}

TEST(EstimateCommand, BeforeTheFirstEventNothingIsThere) {
  const TestDirectory directory;
  const auto answer = estimate({record_of_a_queue(directory), "--at", "-5"}, "");
  EXPECT_EQ(answer["at"], -5.0);
  EXPECT_TRUE(answer["jobs"].empty());
}

TEST(EstimateCommand, PrintsATableAndCsv) {
  const auto table = run_estimate({"-", "--policy", "fifo", "--job", "a", "--job", "b"}, busy);
  EXPECT_THAT(table.out,
              AllOf(HasSubstr("3 GPUs"),
                    HasSubstr("in 1 min 40 s (1 min 38 s to 1 min 42 s)"),
                    HasSubstr("at 100.0 s, under fifo with placer none; median and 80 % interval, "
                              "with no past to learn from")));
  const auto csv = run_estimate({"-", "--policy", "fifo", "-o", "csv"}, busy);
  EXPECT_THAT(csv.out,
              StartsWith("job,gpus,start_s.p10,start_s.p50,start_s.p90,finish_s.p10,finish_s.p50,"
                         "finish_s.p90\nb,0,98.0,100.0,102.0,"));
}

TEST(EstimateCommand, RefusesWhatCannotBe) {
  const auto refused = [](std::vector<std::string> arguments, const std::string& input) {
    const auto result = run_estimate(std::move(arguments), input);
    EXPECT_NE(result.status, 0);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(refused({"-", "--job", "x"}, busy),
              HasSubstr("--job: 'x'; expected the id of a job"));
  EXPECT_THAT(refused({"-", "--at", "3"}, busy), HasSubstr("--at: only a record"));
  EXPECT_THAT(refused({"-", "--policy", "x"}, busy), HasSubstr("'x'"));
  EXPECT_THAT(refused({"-", "--learn", "-1"}, busy), HasSubstr("--learn: '-1'"));
  EXPECT_THAT(refused({"-", "--futures", "0"}, busy), HasSubstr("--futures: '0'"));
  EXPECT_THAT(refused({"-", "--memory", "0"}, busy), HasSubstr("--memory: '0'"));
  EXPECT_THAT(refused({"-", "--resize-cost", "x"}, busy), HasSubstr("--resize-cost: "));
  EXPECT_THAT(refused({"missing.rec"}, ""), HasSubstr("missing.rec: cannot be opened"));
  EXPECT_THAT(refused({"-"}, R"({"version": 1, "gpus": 1, "jobs": [{"id": "u"}]})"),
              HasSubstr("job 'u': its work is unknown"));
}

}  // namespace estimate_command_test
}  // namespace voda::test

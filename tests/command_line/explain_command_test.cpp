#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace explain_command_test {

using testing::HasSubstr;
using testing::IsEmpty;

const std::string three_jobs = R"({"version": 1, "gpus": 4, "jobs": [
    {"id": "a", "submitted": 0, "requested_gpus": 3, "max_gpus": 3},
    {"id": "b", "submitted": 1, "requested_gpus": 2, "max_gpus": 2},
    {"id": "c", "submitted": 2}]})";

TEST(ExplainCommand, SaysWhyAJobWaitsAndWhatWouldHelp) {
  const auto result = run_command({"explain", "--job", "b", "--policy", "fifo", "-"}, three_jobs);

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out,
            "job 'b' gets no GPUs: number 2 of 3 (submitted 1 s)\n"
            "  needs 2 more GPUs, 1 was left\n"
            "what it lacks is held by 'a' (3 GPUs)\n"
            "with 1 more GPU in the pool it would get 2 GPUs\n"
            "with a request of 1 GPU it would get 1 GPU\n"
            "without job 'a' it would get 2 GPUs\n"
            "with option size=minimum it would get 1 GPU\n"
            "no help, as far as was tried: another minimum, another maximum, waiting for the "
            "policy's own reviews\n");
}

TEST(ExplainCommand, GivesOneDocumentAJobAndLine) {
  const auto result = run_command(
      {"explain", "--job", "b", "--job", "c", "--json", "--policy", "fifo", "-"}, three_jobs);

  EXPECT_EQ(result.status, 0) << result.err;
  std::istringstream lines(result.out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const auto first = nlohmann::ordered_json::parse(line);
  EXPECT_EQ(first["job"], "b");
  EXPECT_EQ(first["gpus"], 0);
  EXPECT_EQ(first["rank"].dump(), R"({"place":2,"of":3})");
  EXPECT_EQ(first["keys"].dump(), R"({"submitted":1.0})");
  EXPECT_EQ(first["reasons"].dump(),
            R"([{"code":"no_capacity","facts":{"needed":2,"free":1},)"
            R"("text":"needs 2 more GPUs, 1 was left"}])");
  EXPECT_EQ(first["holders"].dump(), R"([{"job":"a","gpus":3}])");
  EXPECT_EQ(first["changes"][0].dump(), R"({"kind":"more_gpus","facts":{"more":1},"gpus":2})");
  EXPECT_EQ(first["changes"][1].dump(), R"({"kind":"own_minimum","facts":{},"gpus":null})");
  EXPECT_EQ(first["place"], nullptr);
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(nlohmann::ordered_json::parse(line)["job"], "c");
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(ExplainCommand, TellsThePlaceWhereThereAreNodes) {
  const std::string snapshot = R"({"version": 1, "nodes": [{"id": "n0", "gpus": 4}], "jobs": [
      {"id": "a", "current": {"n0": 1}}]})";
  const auto placed = run_command({"explain", "--job", "a", "-"}, snapshot);
  EXPECT_EQ(placed.status, 0) << placed.err;
  EXPECT_THAT(placed.out, HasSubstr("its place:\n"));
  EXPECT_THAT(placed.out, HasSubstr("  all its workers are on n0\n"));

  const auto counted = run_command({"explain", "--job", "a", "--placer", "none", "-"}, snapshot);
  EXPECT_THAT(counted.out, Not(HasSubstr("place")));
}

TEST(ExplainCommand, RefusesAJobThatIsNotThere) {
  const auto result = run_command({"explain", "--job", "zz", "-"}, three_jobs);

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_EQ(
      result.err,
      "voda: standard input: job 'zz': not in the snapshot; expected the id of one of its jobs\n");
}

TEST(ExplainCommand, NamesTheFileOfAJobThatThePolicyCannotRank) {
  const auto result = run_command({"explain", "--job", "a", "--policy", "srjf", "-"}, three_jobs);

  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err,
            "voda: standard input: job 'a': work_s is missing; policy 'srjf' needs it\n");
}

TEST(ExplainCommand, NeedsAJob) {
  const auto result = run_command({"explain", "-"}, three_jobs);
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--job is required"));
}

}  // namespace explain_command_test
}  // namespace voda::test

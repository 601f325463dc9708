#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace snapshot_commands_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    result.push_back(line);
  return result;
}

TEST(AllocateCommand, FifoSkipsWhatDoesNotFit) {
  // 4 GPUs: a takes 3, b's 2 do not fit, c's 1 does. The answer keeps the order of the input.
  const auto result =
      run_command({"allocate", "--policy", "fifo", "-"}, R"({"version": 1, "gpus": 4, "jobs": [
      {"id": "c", "submitted": 2, "requested_gpus": 1}, {"id": "a", "submitted": 0, "requested_gpus": 3},
      {"id": "b", "submitted": 1, "requested_gpus": 2}]})");

  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out,
            R"({"gpus":{"c":1,"a":3,"b":0},"review_at":null,"resets":[]})"
            "\n");
}

TEST(AllocateCommand, TiresiasSaysWhenToAskAgainAndWhoIsReset) {
  // b waited 100 s >= 8 * 10 s in queue 1: reset. a runs first in queue 0 and needs 2600 more
  // GPU-seconds on 2 GPUs to leave it: 100.5 + 1300.
  const auto result = run_command({"allocate", "--policy", "Tiresias", "-"},
                                  R"({"version": 1, "now": 100.5, "gpus": 2, "jobs": [
      {"id": "a", "requested_gpus": 2, "current": 2, "progress": {"service": 1000, "executed": 500, "last_started": 0}},
      {"id": "b", "requested_gpus": 2, "progress": {"service": 4000, "executed": 10, "waited": 100, "last_started": 0}}]})");

  EXPECT_EQ(result.out,
            R"({"gpus":{"a":2,"b":0},"review_at":1400.5,"resets":["b"]})"
            "\n");
}

TEST(AllocateCommand, PoolsAreDecidedByThemselvesAndTheEarliestReviewCounts) {
  // Each job fills its pool. v reaches 3600 GPU-seconds after 3600 / 4 = 900 s, w after 3600 / 2 =
  // 1800 s.
  const auto result = run_command({"allocate", "--policy", "tiresias", "-"}, R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 4, "gpu_type": "v100"}, {"id": "n1", "gpus": 2, "gpu_type": "a100"}],
      "jobs": [{"id": "w", "requested_gpus": 2, "gpu_type": "a100"}, {"id": "v", "requested_gpus": 4, "gpu_type": "v100"},
               {"id": "x", "submitted": 1, "gpu_type": "v100"}]})");

  EXPECT_EQ(result.out,
            R"({"gpus":{"w":2,"v":4,"x":0},"review_at":900.0,"resets":[]})"
            "\n");
}

TEST(AllocateCommand, JobWithoutTypeNeedsTheOnlyPool) {
  const auto result = run_command({"allocate", "-"}, R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 4, "gpu_type": "v100"}, {"id": "n1", "gpus": 2, "gpu_type": "a100"}],
      "jobs": [{"id": "w"}]})");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("voda: standard input: jobs[0]"), HasSubstr("a100, v100")));
}

TEST(AllocateCommand, JobWithoutTypeBelongsToTheNodesWithout) {
  const auto result = run_command({"allocate", "-"}, R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 4, "gpu_type": "v100"}, {"id": "n1", "gpus": 2}],
      "jobs": [{"id": "w", "min_gpus": 1, "max_gpus": 8}, {"id": "v", "gpu_type": "v100", "max_gpus": 8}]})");

  EXPECT_EQ(result.json()["gpus"]["w"], 2);
  EXPECT_EQ(result.json()["gpus"]["v"], 4);
}

TEST(AllocateCommand, MissingWorkNamesJobAndPolicy) {
  const auto result = run_command({"allocate", "--policy", "srjf", "-"},
                                  R"({"version": 1, "gpus": 4, "jobs": [{"id": "a"}]})");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, AllOf(HasSubstr("job 'a'"), HasSubstr("'srjf'"), HasSubstr("work_s")));
}

TEST(AllocateCommand, BadSnapshotsNameThePath) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "empty"},
      {"{", "not a JSON document"},
      {"[]", "the document"},
      {R"({"gpus": 4})", "version"},
      {R"({"version": 2})", "version"},
      {R"({"version": 1, "gpus": -1})", "gpus"},
      {R"({"version": 1, "gpus": 1e99})", "gpus"},
      {R"({"version": 1, "jobs": [{"id": "a", "min_gpus": 0}]})", "jobs[0].min_gpus"},
      {R"({"version": 1, "jobs": [{"id": "a", "colour": 0}]})", "jobs[0].colour"},
      {R"({"version": 1, "jobs": [{"id": "a"}, {"id": "a"}]})", "jobs[1].id"},
      {R"({"version": 1, "jobs": [{"id": "a", "work_s": -1}]})", "jobs[0].work_s"},
      {"{\"version\": 1, \"jobs\": [{\"id\": \"\xFF\"}]}", "UTF-8"},
      {std::string(10000, '['), "nested"}};
  for (const auto& [text, expected] : cases) {
    const auto result = run_command({"allocate", "-"}, text);

    EXPECT_EQ(result.status, 1) << text;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, AllOf(HasSubstr("voda: standard input"), HasSubstr(expected)));
  }
}

TEST(AllocateCommand, ByteOrderMarkAndCarriageReturnsAreFine) {
  const auto result =
      run_command({"allocate", "-"},
                  "\xEF\xBB\xBF{\"version\": 1,\r\n\"gpus\": 1, \"jobs\": [{\"id\": \"a\"}]}\r\n");

  EXPECT_EQ(result.status, 0) << result.err;
}

TEST(AllocateCommand, LinesAreAnsweredOneByOneAndErrorsDoNotStop) {
  const auto result = run_command({"allocate", "--policy", "fifo", "--jsonl", "-"},
                                  "{\"version\": 1, \"gpus\": 1, \"jobs\": [{\"id\": \"a\"}]}\n"
                                  "{\"version\": 1, \"gpus\": true}\r\n"
                                  "\n"
                                  "{\"version\": 1, \"gpus\": 0, \"jobs\": [{\"id\": \"a\"}]}");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, IsEmpty());
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], R"({"gpus":{"a":1},"review_at":null,"resets":[]})");
  const auto refused = nlohmann::json::parse(lines[1]);
  EXPECT_EQ(refused["line"], 2);
  EXPECT_THAT(refused["error"],
              AllOf(HasSubstr("standard input:2: gpus: true"), HasSubstr("expected")));
  EXPECT_EQ(nlohmann::json::parse(lines[2])["line"], 3);
  EXPECT_EQ(lines[3], R"({"gpus":{"a":0},"review_at":null,"resets":[]})");
}

/// A policy that needs all memory for a snapshot of 2 GPUs.
class GreedyAllocator final : public Allocator {
 public:
  [[nodiscard]] AllocationDecision allocate(const AllocationProblem& problem) const override {
    if (problem.capacity == 2)
      throw std::bad_alloc();
    if (problem.capacity == 3)
      throw std::length_error("vector");
    return {.gpus = Allocation(problem.columns->size())};
  }
};

TEST(AllocateCommand, LinesThatNeedTooMuchMemoryDoNotStopTheRest) {
  auto environment = command_line::plain_environment();
  environment.policies.allocators.add(
      {.name = "greedy", .summary = "runs out of memory", .make = [](const Options&) {
         return std::make_unique<GreedyAllocator>();
       }});

  const auto result = run_command({"allocate", "--policy", "greedy", "--jsonl", "-"},
                                  "{\"version\": 1, \"gpus\": 2}\n"
                                  "{\"version\": 1, \"gpus\": 3}\n"
                                  "{\"version\": 1, \"gpus\": 1}\n",
                                  environment);

  EXPECT_EQ(result.status, 1);
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 3U);
  const std::string rest = ": out of memory; expected a smaller problem\",\"line\":";
  EXPECT_EQ(lines[0], "{\"error\":\"standard input:1" + rest + "1}");
  EXPECT_EQ(lines[1], "{\"error\":\"standard input:2" + rest + "2}");
  EXPECT_EQ(lines[2], R"({"gpus":{},"review_at":null,"resets":[]})");
}

TEST(AllocateCommand, LinesThatAreAllRightGiveStatusZero) {
  const std::string line = "{\"version\": 1, \"gpus\": 1, \"jobs\": []}\n";

  const auto result = run_command({"allocate", "--jsonl", "-"}, line + line);

  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(lines_of(result.out).size(), 2U);
}

const std::string two_nodes = R"("nodes": [{"id": "n0", "gpus": 4}, {"id": "n1", "gpus": 4}])";

TEST(PlaceCommand, KeepsWorkersAndFillsTheRest) {
  // b stays on n1; a fits nowhere but on n0 without moving anybody or splitting.
  const auto result = run_command({"place", "--placer", "steady", "--workers", "-"},
                                  R"({"version": 1, )" + two_nodes + R"(, "jobs": [
      {"id": "a", "requested_gpus": 4}, {"id": "b", "requested_gpus": 2, "current": {"n1": 2}}, {"id": "c"}],
      "allocation": {"a": 4, "b": 2}})");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      result.out,
      R"({"placement":{"a":{"n0":4},"b":{"n1":2}},)"
      R"("workers":{"a":["n0","n0","n0","n0"],"b":["n1","n1"]},"unplaced":{},)"
      R"("cost":{"excess_span":0,"moved":0,"forced":0,"excess_by_level":[]},"bound":{"excess_span":0,"moved":0}})"
      "\n");
}

TEST(PlaceCommand, CurrentGpusOfLargeWorkersCountWorkers) {
  // One worker of 2 GPUs on n1: keeping it moves nobody.
  const auto result =
      run_command({"place", "--workers", "-"}, R"({"version": 1, )" + two_nodes + R"(, "jobs": [
      {"id": "a", "min_gpus": 2, "gpus_per_worker": 2, "current": {"n1": 2}}], "allocation": {"a": 2}})");

  EXPECT_EQ(result.json()["workers"]["a"], nlohmann::ordered_json::parse(R"(["n1"])"));
  EXPECT_EQ(result.json()["placement"]["a"], nlohmann::ordered_json::parse(R"({"n1": 2})"));
}

TEST(PlaceCommand, SaysWhyAJobIsUnplaced) {
  // 3 + 3 GPUs: a needs a node with 4, b more GPUs than there are.
  const auto result = run_command({"place", "--placer", "repack", "-"}, R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 3}, {"id": "n1", "gpus": 3}], "jobs": [
      {"id": "a", "min_gpus": 4, "gpus_per_worker": 4}, {"id": "b", "min_gpus": 7}], "allocation": {"a": 4, "b": 7}})");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.json()["placement"], IsEmpty());
  EXPECT_THAT(result.json()["unplaced"]["a"].get<std::string>(),
              AllOf(HasSubstr("fragmentation"), HasSubstr("6 GPUs")));
  EXPECT_THAT(result.json()["unplaced"]["b"].get<std::string>(),
              AllOf(HasSubstr("no capacity"), HasSubstr("6 GPUs")));
}

TEST(PlaceCommand, RefusesWhatCannotBePlacedAtAll) {
  const auto without =
      run_command({"place", "-"}, R"({"version": 1, )" + two_nodes + R"(, "jobs": [{"id": "a"}]})");
  EXPECT_EQ(without.status, 1);
  EXPECT_THAT(without.err, HasSubstr("allocation: missing"));

  const auto split = run_command({"place", "-"}, R"({"version": 1, )" + two_nodes + R"(, "jobs": [
      {"id": "a", "min_gpus": 2, "gpus_per_worker": 2}], "allocation": {"a": 3}})");
  EXPECT_EQ(split.status, 1);
  EXPECT_THAT(
      split.err,
      AllOf(HasSubstr("job 'a'"), HasSubstr("allocation 3"), HasSubstr("gpus_per_worker 2")));

  const auto halved = run_command({"place", "-"}, R"({"version": 1, )" + two_nodes + R"(, "jobs": [
      {"id": "a", "min_gpus": 2, "gpus_per_worker": 2, "current": {"n0": 1, "n1": 1}}], "allocation": {"a": 2}})");
  EXPECT_EQ(halved.status, 1);
  EXPECT_THAT(halved.err, AllOf(HasSubstr("job 'a'"), HasSubstr("1 GPU on node 'n0'")));

  const auto odd = run_command({"place", "-"}, R"({"version": 1, )" + two_nodes + R"(, "jobs": [
      {"id": "a", "min_gpus": 2, "gpus_per_worker": 2, "current": 3}], "allocation": {"a": 2}})");
  EXPECT_EQ(odd.status, 1);
  EXPECT_THAT(odd.err, HasSubstr("job 'a': current: 3 GPUs; expected a multiple"));

  const auto vast = run_command({"place", "-"}, R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 2147483647}],
      "jobs": [{"id": "a", "max_gpus": 2147483647}], "allocation": {"a": 2147483647}})");
  EXPECT_EQ(vast.status, 1);
  EXPECT_THAT(vast.err, HasSubstr("allocation: 2147483647 workers; expected at most 4194304"));

  const auto nowhere =
      run_command({"place", "-"},
                  R"({"version": 1, "gpus": 4, "jobs": [{"id": "a"}], "allocation": {"a": 1}})");
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("no nodes"));

  EXPECT_EQ(run_command({"place", "--placer", "none", "-"}).status, 2);
}

TEST(DecideCommand, GivesAllocationPlacementAndPlan) {
  const auto result = run_command({"decide", "--policy", "fifo", "--placer", "steady", "-"},
                                  R"({"version": 1, )" + two_nodes + R"(, "jobs": [
      {"id": "a", "submitted": 0, "min_gpus": 4, "current": ["n0", "n0", "n0", "n0"]},
      {"id": "b", "submitted": 1, "min_gpus": 4}, {"id": "c", "submitted": 2, "min_gpus": 4}]})");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(
      result.out,
      R"({"gpus":{"a":4,"b":4,"c":0},"review_at":null,"resets":[],)"
      R"("placement":{"a":{"n0":4},"b":{"n1":4}},"unplaced":{},)"
      R"("cost":{"excess_span":0,"moved":0,"forced":0,"excess_by_level":[]},"bound":{"excess_span":0,"moved":0},)"
      R"("capped":{},"plan":[{"job":"b","kind":"start","before":{},"after":{"n1":4}}]})"
      "\n");
}

TEST(DecideCommand, PlanStopsAndShrinksBeforeItStarts) {
  // One queue: srjf serves c (10 s) before b (20 s), then a fits no more and stops.
  const auto result = run_command({"decide", "--policy", "srjf", "--placer", "none", "-"},
                                  R"({"version": 1, "gpus": 4, "jobs": [
      {"id": "a", "min_gpus": 4, "work_s": 400, "current": 4}, {"id": "b", "min_gpus": 2, "work_s": 40},
      {"id": "c", "min_gpus": 2, "work_s": 20}]})");

  EXPECT_EQ(result.out,
            R"({"gpus":{"a":0,"b":2,"c":2},"review_at":null,"resets":[],"plan":[)"
            R"({"job":"a","kind":"stop","before":4,"after":{}},)"
            R"({"job":"b","kind":"start","before":{},"after":2},)"
            R"({"job":"c","kind":"start","before":{},"after":2}]})"
            "\n");
}

TEST(DecideCommand, CapsAJobThatDoesNotFitAndSaysWhy) {
  // 3 + 3 GPUs hold one worker of 2 GPUs each: 6 GPUs are given first, 4 can be placed.
  const auto result = run_command({"decide", "--policy", "elastic_fifo", "--placer", "repack", "-"},
                                  R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 3}, {"id": "n1", "gpus": 3}],
      "jobs": [{"id": "a", "min_gpus": 2, "max_gpus": 6, "gpus_per_worker": 2}]})");

  const auto json = result.json();
  EXPECT_EQ(json["gpus"]["a"], 4);
  EXPECT_EQ(json["placement"]["a"], nlohmann::ordered_json::parse(R"({"n0": 2, "n1": 2})"));
  EXPECT_EQ(json["capped"]["a"]["gpus"], 4);
  EXPECT_THAT(json["capped"]["a"]["reason"].get<std::string>(), HasSubstr("fragmentation"));
}

TEST(DecideCommand, JobsCappedToNothingAreUnplaced) {
  // A worker of 4 GPUs fits on neither node of 3; b's single GPU does.
  const auto result = run_command({"decide", "--policy", "fifo", "--placer", "repack", "-"},
                                  R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 3}, {"id": "n1", "gpus": 3}],
      "jobs": [{"id": "b", "submitted": 1}, {"id": "a", "min_gpus": 4, "gpus_per_worker": 4}]})");

  const auto json = result.json();
  EXPECT_EQ(json["gpus"]["a"], 0);
  EXPECT_EQ(json["gpus"]["b"], 1);
  EXPECT_EQ(json["unplaced"].size(), 1U);
  EXPECT_THAT(json["unplaced"]["a"].get<std::string>(),
              AllOf(HasSubstr("fragmentation: 6 GPUs are free"), HasSubstr("none of its sizes")));
}

TEST(DecideCommand, ReasonsCountOnlyNodesThatTheJobMayUse) {
  // n1 is free, but b may only use n0, which a fills.
  const auto result = run_command({"decide", "--policy", "fifo", "-"}, R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 4}, {"id": "n1", "gpus": 4}], "jobs": [
      {"id": "a", "min_gpus": 4, "eligible": ["n0"]},
      {"id": "b", "submitted": 1, "min_gpus": 4, "eligible": ["n0"]}]})");

  EXPECT_EQ(result.json()["unplaced"]["b"],
            "no capacity: 0 GPUs are free on nodes that it may use");
}

TEST(DecideCommand, WarnsOfJobsWhoseNodesAreNotThere) {
  const auto result = run_command({"decide", "--policy", "fifo", "-"}, R"({"version": 1,
      "nodes": [{"id": "n0", "gpus": 4, "gpu_type": "v100"}],
      "jobs": [{"id": "a", "gpu_type": "a100"}, {"id": "b", "gpu_type": "a100"},
               {"id": "c", "eligible": ["n0", "n8"]}, {"id": "d", "eligible": ["n9"]}]})");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.json()["gpus"]["a"], 0);
  EXPECT_EQ(result.json()["gpus"]["c"], 1);
  EXPECT_EQ(result.json()["unplaced"].size(), 1U);
  EXPECT_TRUE(result.json()["unplaced"].contains("d"));
  EXPECT_EQ(result.err,
            "voda: warning: standard input: jobs[0] 'a': gpu_type 'a100' is on no node, so it gets "
            "no GPUs (and 1 more job like it)\n"
            "voda: warning: standard input: jobs[2] 'c': eligible names 'n8', which is no node of "
            "the snapshot (and 1 more job like it)\n"
            "voda: warning: standard input: jobs[3] 'd': eligible names no node with its gpu_type, "
            "so it can be placed nowhere\n");
}

TEST(DecideCommand, WorkersOfUnknownPlaceDoNotMigrate) {
  const auto result = run_command({"decide", "--policy", "fifo", "-"},
                                  R"({"version": 1, )" + two_nodes + R"(, "jobs": [
      {"id": "a", "min_gpus": 4, "current": 4}]})");

  EXPECT_THAT(result.json()["plan"], IsEmpty());
}

}  // namespace snapshot_commands_test
}  // namespace voda::test

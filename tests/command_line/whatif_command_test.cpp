#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace whatif_command_test {

using testing::HasSubstr;

/// 4 GPUs at 100 s: a runs on 3 and has 300 s of work left, b asks for 2 and has 20 s.
const std::string busy = R"({"version": 1, "now": 100, "gpus": 4, "jobs": [
    {"id": "a", "submitted": 0, "min_gpus": 3, "requested_gpus": 3, "max_gpus": 3, "work_s": 300,
     "current": 3},
    {"id": "b", "submitted": 50, "min_gpus": 2, "requested_gpus": 2, "max_gpus": 2,
     "work_s": 20, "progress": {"waited": 50}}]})";

[[nodiscard]] nlohmann::ordered_json what_if(std::vector<std::string> arguments,
                                             const std::string& input = busy) {
  arguments.insert(arguments.begin(), {"whatif", "-", "--json", "--policy", "fifo"});
  const auto result = run_command(arguments, input);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.json();
}

TEST(WhatIfCommand, ShowsWhatAnotherPolicyWouldChangeNowAndLater) {
  const auto answer = what_if({"--with-policy", "srjf"});

  // as it is: a ends at 200, b at 210; shortest first: b at 110, then a at 210
  EXPECT_EQ(answer["decision"].dump(),
            R"({"a":{"as_is":3,"changed":{}},"b":{"as_is":{},"changed":2}})");
  EXPECT_EQ(answer["future"]["jobs"]["a"]["as_is"]["finished"]["p50"], 200.0);
  EXPECT_EQ(answer["future"]["jobs"]["b"]["as_is"]["finished"]["p50"], 210.0);
  EXPECT_EQ(answer["future"]["jobs"]["b"]["changed"]["finished"]["p50"], 110.0);
  EXPECT_EQ(answer["future"]["jobs"]["a"]["changed"]["finished"]["p50"], 210.0);
  EXPECT_EQ(answer["future"]["as_is"]["mean_jct_s"]["p50"], (200 + 160) / 2.0);
  EXPECT_EQ(answer["future"]["changed"]["mean_jct_s"]["p50"], (210 + 60) / 2.0);
  EXPECT_EQ(answer["as_is"]["policy"], "fifo");
  EXPECT_EQ(answer["changed"]["policy"], "srjf");
}

TEST(WhatIfCommand, AddsAndRemovesNodesAndJobs) {
  const std::string with_nodes = R"({"version": 1, "now": 100,
      "nodes": [{"id": "n0", "gpus": 4}, {"id": "n1", "gpus": 4}], "jobs": [
      {"id": "a", "submitted": 0, "requested_gpus": 3, "min_gpus": 3, "max_gpus": 3,
       "work_s": 300, "current": {"n0": 3}}]})";

  const auto gone = what_if({"--remove-node", "n0"}, with_nodes);
  EXPECT_EQ(gone["decision"]["a"].dump(), R"({"as_is":{"n0":3},"changed":{"n1":3}})");

  const auto both =
      what_if({"--cordon",
               "n0",
               "--cordon",
               "n1",
               "--add-nodes",
               "1x8",
               "--add-job",
               R"({"id": "c", "min_gpus": 2, "requested_gpus": 2, "max_gpus": 2, "work_s": 40})"},
              with_nodes);
  EXPECT_EQ(both["decision"]["a"]["changed"].dump(), R"({"new0":3})");
  EXPECT_EQ(both["decision"]["c"].dump(), R"({"as_is":null,"changed":{"new0":2}})");
  EXPECT_EQ(both["future"]["jobs"]["c"]["changed"]["finished"]["p50"], 120.0);
  EXPECT_EQ(both["future"]["jobs"]["c"]["as_is"], nullptr);

  const auto without = what_if({"--remove-job", "a"});
  EXPECT_EQ(without["future"]["jobs"]["b"]["changed"]["finished"]["p50"], 110.0);
}

TEST(WhatIfCommand, ChangesWhatAJobAsksFor) {
  const auto answer = what_if({"--set-job", "b:min_gpus=1,requested_gpus=1,max_gpus=1"});

  EXPECT_EQ(answer["decision"]["b"]["changed"], 1);
  EXPECT_EQ(answer["future"]["jobs"]["b"]["changed"]["finished"]["p50"], 120.0);
}

TEST(WhatIfCommand, UncertainWorkGivesIntervals) {
  const auto answer = what_if({"--estimate-error", "0.5", "--futures", "400"});

  const auto& finished = answer["future"]["jobs"]["a"]["as_is"]["finished"];
  EXPECT_EQ(finished["futures"], 400);
  // 100 s are left at 3 GPUs, times e^(0.5 z): 10 % below 53 s, 90 % below 190 s
  EXPECT_NEAR(finished["p10"].get<double>(), 153, 10);
  EXPECT_NEAR(finished["p90"].get<double>(), 290, 40);
  EXPECT_EQ(answer["future"]["as_is"], answer["future"]["changed"]);
}

TEST(WhatIfCommand, TellsPeople) {
  const auto result =
      run_command({"whatif", "-", "--policy", "fifo", "--with-policy", "srjf"}, busy);

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out,
            "at 100.0 s, under srjf with placer none instead of fifo with none\n"
            "next decision:\n"
            "  job a: nothing instead of 3 GPUs\n"
            "  job b: 2 GPUs instead of nothing\n"
            "future, median (10 to 90 %) of 1 run:\n"
            "  mean JCT                           2 min 15 s   "
            "instead of                              3 min\n"
            "  mean wait                                30 s   "
            "instead of                         1 min 15 s\n"
            "  last end                              210.0 s   "
            "instead of                            210.0 s\n"
            "  job b ends at 110.0 s instead of 210.0 s\n"
            "  job a ends at 210.0 s instead of 200.0 s\n");
}

TEST(WhatIfCommand, WithoutTheWorkThereIsNoFuture) {
  const std::string unknown = R"({"version": 1, "gpus": 4, "jobs": [{"id": "a"}]})";

  EXPECT_EQ(what_if({}, unknown)["future"], nullptr);
  EXPECT_THAT(run_command({"whatif", "-"}, unknown).out,
              HasSubstr("no future: the work of job 'a' is unknown"));
}

TEST(WhatIfCommand, LooksAtAMomentOfARecord) {
  const TestDirectory directory;
  const std::string trace = directory.write("trace.csv",
                                            "id,submitted,requested_gpus,work_s\n"
                                            "a,0,3,300\n"
                                            "b,10,3,30\n"
                                            "c,20,3,90\n");
  const std::string record = directory / "run.rec";
  ASSERT_EQ(
      run_command({"simulate", trace, "--cluster", "1x4", "--policy", "fifo", "--record", record})
          .status,
      0);

  const auto answer =
      run_command({"whatif", record, "--at", "15", "--with-policy", "srjf", "--json"}).json();

  // fifo: a ends at 100, b at 110, c at 140. At 15 s srjf takes b: 10 s; from 20 s on c (30 s) would take longer than what
  // b has left, so b ends at 25, c at 55, and a, which had 255 s of work left at 15, at 140
  EXPECT_EQ(answer["as_is"]["policy"], "fifo");
  EXPECT_EQ(answer["future"]["jobs"]["b"]["as_is"]["finished"]["p50"], 110.0);
  EXPECT_EQ(answer["future"]["jobs"]["c"]["as_is"]["finished"]["p50"], 140.0);
  EXPECT_EQ(answer["future"]["jobs"]["b"]["changed"]["finished"]["p50"], 25.0);
  EXPECT_EQ(answer["future"]["jobs"]["c"]["changed"]["finished"]["p50"], 55.0);
  EXPECT_EQ(answer["future"]["jobs"]["a"]["changed"]["finished"]["p50"], 140.0);
}

TEST(WhatIfCommand, RefusesChangesThatMakeNoSense) {
  const auto refusal = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"whatif", "-"});
    const auto result = run_command(arguments, busy);
    EXPECT_EQ(result.status, 2);
    return result.err;
  };

  EXPECT_THAT(refusal({"--remove-job", "x"}), HasSubstr("--remove-job: 'x': job 'x': unknown"));
  EXPECT_THAT(refusal({"--remove-node", "x"}), HasSubstr("--remove-node: 'x': node 'x': unknown"));
  EXPECT_THAT(refusal({"--cordon", "x"}), HasSubstr("--cordon: 'x'"));
  EXPECT_THAT(refusal({"--add-nodes", "many"}), HasSubstr("--add-nodes: "));
  EXPECT_THAT(refusal({"--add-job", "{"}), HasSubstr("--add-job"));
  EXPECT_THAT(refusal({"--add-job", R"({"id": "a"})"}), HasSubstr("submitted twice"));
  EXPECT_THAT(refusal({"--add-job", R"({"id": "z", "current": 1})"}), HasSubstr("holds nothing"));
  EXPECT_THAT(refusal({"--add-job", R"({"id": "y"}, {"id": "z"})"}), HasSubstr("one job"));
  EXPECT_THAT(refusal({"--set-job", "b:colour=1"}), HasSubstr("min_gpus, requested_gpus"));
  EXPECT_THAT(refusal({"--set-job", "x:max_gpus=1"}), HasSubstr("a job that is there"));
  EXPECT_THAT(refusal({"--set-job", "b:max_gpus=1"}), HasSubstr("max_gpus 1"));
  EXPECT_THAT(refusal({"--at", "5"}), HasSubstr("--at: only a record"));
  EXPECT_THAT(refusal({"--futures", "0"}), HasSubstr("--futures: '0'"));
}

}  // namespace whatif_command_test
}  // namespace voda::test

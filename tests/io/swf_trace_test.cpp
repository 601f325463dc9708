#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/trace_checks.hpp"

namespace voda {
namespace swf_trace_test {

using test::read_text;
using test::refusal_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Written by hand after the definition of version 2.2 of the format: header, then 18 fields.
const std::string header =
    "; Version: 2.2\n"
    ";   Computer: Intel iPSC/860\n"
    "; UnixStartTime: 749458803\n"
    "; MaxNodes: 128\n"
    "; MaxProcs: 128 (one for each node)\n"
    "; Note: queue numbers are explained below\n"
    "; Queue: 0 interactive\n"
    "; Queue: 1 batch (the default)\n"
    "; Partition: 3 large\n"
    ";\n";

TEST(SwfTrace, ReadsTheEighteenFields) {
  const auto result = read_text(header +
                                    "    1        0     10  1451  128  -1 -1  128 -1 -1 1 1 2 -1 "
                                    "1 3 -1 -1\n"
                                    "    2     12.5     -1    60    4 1.5 20    4 90 -1 0 7 1 5 0 "
                                    "-1 -1 -1\n",
                                "swf");

  EXPECT_TRUE(result.left_out.empty());
  EXPECT_TRUE(result.remarks.empty());
  EXPECT_TRUE(result.warnings.empty());
  ASSERT_EQ(result.trace.jobs.size(), 2u);
  const Job& first = result.trace.jobs[0];
  EXPECT_EQ(first.id.value, "1");
  EXPECT_EQ(first.submitted, TimePoint());
  EXPECT_EQ(first.spec,
            (JobSpec{.min_gpus = 128,
                     .requested_gpus = 128,
                     .max_gpus = 128,
                     .queue = "batch",
                     .user = "1",
                     .virtual_cluster = "large"}));
  EXPECT_EQ(first.work->left_s, 1451 * 128);
  const Job& second = result.trace.jobs[1];
  EXPECT_EQ(second.submitted, TimePoint(Duration(12500000)));
  EXPECT_EQ(second.spec.queue, "interactive");
  EXPECT_EQ(second.spec.virtual_cluster, "");
}

TEST(SwfTrace, KeepsWhatTheHeaderSays) {
  const auto result = read_text(header + "; Note: and a second one\n", "swf");

  EXPECT_EQ(result.header.fields.at("Computer"), "Intel iPSC/860");
  EXPECT_EQ(result.header.fields.at("Note"), "queue numbers are explained below\nand a second one");
  EXPECT_EQ(result.header.number("MaxProcs"), 128);
  EXPECT_EQ(result.header.number("UnixStartTime"), 749458803);
  EXPECT_EQ(result.header.number("MaxJobs"), std::nullopt);
  EXPECT_EQ(result.header.queues.at(1), "batch");
  EXPECT_TRUE(result.trace.jobs.empty());
}

TEST(SwfTrace, LeavesOutWhatIsNoJob) {
  const auto result = read_text(
      "1 0 -1 -1 -1 -1 -1 4 -1 -1 5 1 1 -1 1 -1 -1 -1\n"  // cancelled before it ran
      "2 1 3 0 4 -1 -1 4 -1 -1 5 1 1 -1 1 -1 -1 -1\n"     // the same
      "3 2 3 8 4 -1 -1 4 -1 -1 5 1 1 -1 1 -1 -1 -1\n"     // cancelled while it ran
      "4 3 3 -1 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n"    // run time unknown
      "5 4 3 8 -1 -1 -1 -1 -1 -1 1 1 1 -1 1 -1 -1 -1\n"   // processors unknown
      "6 5 3 20 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n"    // a whole job ...
      "6 -1 3 12 4 -1 -1 4 -1 -1 2 1 1 -1 1 -1 -1 -1\n"   // ... and its parts
      "6 -1 3 8 4 -1 -1 4 -1 -1 3 1 1 -1 1 -1 -1 -1\n"
      "7 6 3 0 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n",  // less than half a second
      "swf");

  EXPECT_EQ(result.left_out,
            (RowCounts{{"are parts of a job that has a row of its own", 2},
                       {"have no run time", 1},
                       {"name no number of processors", 1},
                       {"were cancelled before they ran", 2}}));
  ASSERT_EQ(result.trace.jobs.size(), 3u);
  EXPECT_EQ(result.trace.jobs[0].id.value, "3");
  EXPECT_EQ(result.trace.jobs[1].id.value, "6");
  EXPECT_EQ(result.trace.jobs[1].work->left_s, 80);
  EXPECT_EQ(result.trace.jobs[2].work->left_s, 0);
}

TEST(SwfTrace, TakesTheProcessorsThatAJobHeld) {
  const auto result = read_text(
      "; MaxProcs: 16\n"
      "1 0 0 10 8 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"
      "2 0 0 10 -1 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 1 5\n"
      "3 0 0 10 32 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
      "swf");

  ASSERT_EQ(result.trace.jobs.size(), 3u);
  EXPECT_EQ(result.trace.jobs[0].spec.requested_gpus, 8);
  EXPECT_EQ(result.trace.jobs[1].spec.requested_gpus, 4);
  EXPECT_EQ(result.trace.jobs[1].spec.user, "");
  EXPECT_EQ(
      result.remarks,
      (RowCounts{{"hold more processors than the MaxProcs of the header", 1},
                 {"wait for an earlier job, which is not kept", 1},
                 {"were given another number of processors than asked for, which counts", 1}}));
}

TEST(SwfTrace, WarnsWhenTheHeaderCountsOtherRows) {
  const std::string row = " 0 0 10 8 -1 -1 8 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
  EXPECT_THAT(read_text("; MaxJobs: 2\n; MaxRecords: 2\n1" + row, "swf").warnings,
              ElementsAre("the header says MaxJobs 2, and there are 1",
                          "the header says MaxRecords 2, and there are 1"));
  EXPECT_THAT(read_text("; MaxJobs: 1\n; MaxRecords: UNKNOWN\n1" + row, "swf").warnings,
              ElementsAre());
}

TEST(SwfTrace, RefusesHeadersThatContradictTheFormat) {
  EXPECT_EQ(refusal_of("; Version: 2.2\n; MaxProcs: many\n", "swf"),
            "t.csv:2: header 'MaxProcs': 'many'; expected a whole number >= 0, or -1 or UNKNOWN");
  EXPECT_EQ(refusal_of("; MaxJobs: 1\n; MaxJobs: 2\n", "swf"),
            "t.csv:2: header 'MaxJobs': '2'; expected it once, or again '1'");
  EXPECT_EQ(refusal_of("; Queue: 1 a\n;\n; Queue: 1 b\n", "swf"),
            "t.csv:3: number 1 is named 'a' and 'b'; expected one name for each number");
}

TEST(SwfTrace, RefusesBadRows) {
  const auto row = [](const std::string& start, const std::string& status) {
    return start + " -1 -1 4 -1 -1 " + status + " 1 1 -1 1 -1 -1 -1\n";
  };
  EXPECT_EQ(refusal_of(row("1 0 0 x 4", "1"), "swf"),
            "t.csv:1: column 'run_time': 'x'; expected a number from -1 to 1000000000000");
  EXPECT_EQ(refusal_of(row("1 0 0 -0.5 4", "1"), "swf"),
            "t.csv:1: column 'run_time': '-0.5'; expected seconds >= 0, or -1 where they are "
            "unknown");
  EXPECT_EQ(refusal_of(row("1 -1 0 5 4", "1"), "swf"),
            "t.csv:1: column 'submit_time': '-1'; expected a number from 0 to 1000000000000");
  EXPECT_EQ(refusal_of(row("1 0 0 5 4", "6"), "swf"),
            "t.csv:1: column 'status': '6'; expected a whole number from -1 to 5");
  EXPECT_EQ(refusal_of(row("1 0 0 5 4", "1") + row("1 0 0 5 4", "0"), "swf"),
            "t.csv:2: column 'job_number': '1'; expected an id that is not taken yet (line 1)");
  EXPECT_THAT(refusal_of("; a comment\n\n1 0 0 5 4\n", "swf"),
              HasSubstr("t.csv:3: 5 cells; expected a header with the columns job_number, "));
  EXPECT_THAT(refusal_of("", "swf"), HasSubstr("t.csv:1: the file is empty; expected"));
}

TEST(SwfTrace, ListsBadLinesWhenTheyAreToBeSkipped) {
  const auto result = read_text(
      "; MaxProcs: many\n"
      "1 0 0 5 4\n"
      "2 0 0 5 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "3 0 0 5 four -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n",
      "swf",
      {.bad_rows = BadRows::skip});

  ASSERT_EQ(result.trace.jobs.size(), 1u);
  ASSERT_EQ(result.skipped.size(), 3u);
  EXPECT_THAT(result.skipped[0].message, HasSubstr("t.csv:1: header 'MaxProcs': 'many'"));
  EXPECT_THAT(result.skipped[1].message, HasSubstr("t.csv:2: 5 cells"));
  EXPECT_THAT(result.skipped[2].message, HasSubstr("t.csv:4: column 'allocated_processors'"));
}

RC_GTEST_PROP(SwfTrace, SurvivesTheVodaFormat, ()) {
  std::string text = "; Queue: 1 \"quoted,name\"\n; Queue: 2 plain\n";
  const auto count = *rc::gen::inRange(0, 20);
  const auto unknown_or = [](std::int64_t end) {
    return " " + std::to_string(*rc::gen::inRange<std::int64_t>(-1, end));
  };
  for (int i = 0; i < count; ++i) {
    const double submitted = *rc::gen::inRange(0, 1000000) / 64.0;
    text += std::to_string(i + 1) + " " + std::to_string(submitted) + " -1" + unknown_or(5000) +
            unknown_or(64) + " -1 -1" + unknown_or(64) + " -1 -1" + unknown_or(6) + unknown_or(9) +
            " -1 -1" + unknown_or(4) + unknown_or(4) + " -1 -1\n";
  }

  const auto result = read_text(text.empty() ? ";\n" : text, "swf");

  std::size_t left_out = 0;
  for (const auto& entry : result.left_out)
    left_out += entry.second;
  RC_ASSERT(result.trace.jobs.size() + left_out == static_cast<std::size_t>(count));
  RC_ASSERT(test::survives_the_voda_format(result.trace));
}

}  // namespace swf_trace_test
}  // namespace voda

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/trace_checks.hpp"

namespace voda {
namespace pai_trace_test {

using test::read_text;
using test::refusal_of;
using ::testing::HasSubstr;

// The first row is the example of the trace's README, the others follow its description.
const std::string task_rows =
    "4f057009a5d481acec67b088,tensorflow,1.0,Terminated,1739162.0,1739200.0,600.0,29.296875,50.0,"
    "MISC\n"
    "job_0,ps,1.0,Terminated,1739160.0,1739200.0,600.0,10,,\n"
    "job_0,worker,2.0,Failed,1739161.0,1739171.0,400.0,10,300.0,V100\n"
    "job_1,worker,1.0,Running,1739170.0,,400.0,10,100.0,T4\n"
    "job_2,worker,1.0,Waiting,,,400.0,10,100.0,\n";

TEST(PaiTrace, ReadsTheTableOfTasksWithoutItsHeader) {
  const auto result = read_text(task_rows, "pai");

  EXPECT_EQ(result.left_out, (RowCounts{{"ask for no GPU", 1}, {"have no start or no end", 2}}));
  EXPECT_EQ(result.remarks, (RowCounts{{"ask for parts of GPUs and get whole ones", 1}}));
  ASSERT_EQ(result.trace.jobs.size(), 2u);
  const Job& worker = result.trace.jobs[0];
  EXPECT_EQ(worker.id.value, "job_0/worker");
  EXPECT_EQ(worker.submitted, time_from_seconds(1739161, "start_time"));
  EXPECT_EQ(worker.spec,
            (JobSpec{.min_gpus = 6, .requested_gpus = 6, .max_gpus = 6, .gpu_type = "V100"}));
  EXPECT_EQ(worker.work->left_s, 10 * 6);
  const Job& half = result.trace.jobs[1];
  EXPECT_EQ(half.id.value, "4f057009a5d481acec67b088/tensorflow");
  EXPECT_EQ(half.spec.requested_gpus, 1);
  EXPECT_EQ(half.spec.gpu_type, "MISC");
  EXPECT_EQ(half.work->left_s, 38);
}

TEST(PaiTrace, ReadsTheTableOfTasksWithItsHeader) {
  const auto result = read_text(
      "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_"
      "type\n" +
          task_rows,
      "pai");

  EXPECT_EQ(result.trace.jobs.size(), 2u);
}

TEST(PaiTrace, ReadsTheJobsOfTheSimulator) {
  const auto result = read_text(
      "job_id,num_inst,submit_time,num_cpu,num_gpu,gpu_type,duration,user\n"
      "0,1,0,7.05,1.0,T4,4,u1\n"
      "12,5,3,6,0.25,MISC,100,u2\n"
      "13,2,4,6,0,CPU,100,u2\n"
      "14,3,5,6,2,V100,0,u2\n",
      "pai");

  EXPECT_EQ(result.left_out, (RowCounts{{"ask for no GPU", 1}}));
  EXPECT_EQ(result.remarks, (RowCounts{{"ask for parts of GPUs and get whole ones", 1}}));
  ASSERT_EQ(result.trace.jobs.size(), 3u);
  EXPECT_EQ(result.trace.jobs[0].id.value, "00");
  EXPECT_EQ(result.trace.jobs[0].work->left_s, 4);
  EXPECT_EQ(
      result.trace.jobs[1].spec,
      (JobSpec{
          .min_gpus = 5, .requested_gpus = 5, .max_gpus = 5, .gpu_type = "MISC", .user = "u2"}));
  EXPECT_EQ(result.trace.jobs[1].submitted, TimePoint(Duration(3000000)));
  EXPECT_EQ(result.trace.jobs[1].work->left_s, 500);
  EXPECT_EQ(result.trace.jobs[2].spec.requested_gpus, 6);
  EXPECT_EQ(result.trace.jobs[2].work->left_s, 0);
}

TEST(PaiTrace, TakesTheSimulatorsEstimates) {
  const auto result = read_text(
      "job_id,num_gpu,submit_time,duration,num_pod,group,wait_time,user_dur,group_dur,"
      "group_gpu_dur\n7,1,2,3,1,abc,0.5,10.5,11,12\n",
      "pai");

  ASSERT_EQ(result.trace.jobs.size(), 1u);
  EXPECT_EQ(result.trace.jobs[0].spec.requested_gpus, 1);
}

TEST(PaiTrace, AClusterWithoutGpuTypesTakesEveryJob) {
  const TraceOptions untyped{.gpu_types = {""}};

  const auto result = read_text(task_rows, "pai", untyped);

  ASSERT_EQ(result.trace.jobs.size(), 2u);
  EXPECT_EQ(result.trace.jobs[0].spec.gpu_type, "");
  EXPECT_EQ(result.remarks.at("name a GPU type, and no node does: any GPU will do"), 2u);
}

TEST(PaiTrace, RefusesBadRows) {
  const auto task = [](const std::string& cells) {
    return refusal_of("j,worker," + cells + ",V100\n", "pai");
  };
  EXPECT_EQ(task("1.5,Failed,1,2,1,1,100"),
            "t.csv:1: column 'inst_num': '1.5'; expected a whole number from 1 to 2147483647");
  EXPECT_EQ(task("1,Failed,9,2,1,1,100"),
            "t.csv:1: column 'end_time': '2'; expected an end not before start_time, 9");
  EXPECT_EQ(task("1,Failed,1,2,1,1,-50"),
            "t.csv:1: column 'plan_gpu': '-50'; expected a number from 0 to 100000000");
  EXPECT_EQ(
      task("2147483647,Failed,1,2,1,1,101"),
      "t.csv:1: column 'plan_gpu': '101'; expected at most 2147483647 GPUs for all instances");
  EXPECT_EQ(refusal_of("job_id,num_gpu,duration\n", "pai"),
            "t.csv:1: column 'submit_time' is missing; found job_id, num_gpu, duration");
  EXPECT_THAT(refusal_of("1,2,3\n", "pai"),
              HasSubstr("t.csv:1: 3 cells; expected a header with the columns job_id, num_gpu, "));
}

TEST(PaiTrace, ABadHeaderIsNeverSkipped) {
  EXPECT_EQ(refusal_of("job_id,num_gpu,duration\n1,1,1\n", "pai", {.bad_rows = BadRows::skip}),
            "t.csv:1: column 'submit_time' is missing; found job_id, num_gpu, duration");
}

TEST(PaiTrace, SkipsBadRowsOfATableWithoutHeader) {
  const auto result = read_text(
      "a,b\n" + task_rows + "x,y,z,Failed,1,2,1,1,100,\n", "pai", {.bad_rows = BadRows::skip});

  EXPECT_EQ(result.trace.jobs.size(), 2u);
  ASSERT_EQ(result.skipped.size(), 2u);
  EXPECT_THAT(result.skipped[0].message, HasSubstr("t.csv:1: 2 cells; expected"));
  EXPECT_THAT(result.skipped[1].message, HasSubstr("t.csv:7: column 'inst_num': 'z'"));
}

RC_GTEST_PROP(PaiTrace, SurvivesTheVodaFormat, ()) {
  std::string text =
      "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_"
      "type\n";
  const auto count = *rc::gen::inRange(0, 20);
  for (int i = 0; i < count; ++i) {
    const int start = *rc::gen::inRange(0, 6000000);
    const int end = start + *rc::gen::inRange(0, 100000);
    text +=
        "j" + std::to_string(i) + "," + *rc::gen::element<std::string>("ps", "\"a \"\"b\"\"\"") +
        "," + std::to_string(*rc::gen::inRange(1, 9)) + ".0,Terminated," + std::to_string(start) +
        ".5," + std::to_string(end) + ".75,600,29.3," + std::to_string(*rc::gen::inRange(0, 900)) +
        "," + *rc::gen::element<std::string>("", "T4") + "\n";
  }

  const auto result = read_text(text, "pai");

  const auto left_out = result.left_out.find("ask for no GPU");
  RC_ASSERT(result.trace.jobs.size() + (left_out == result.left_out.end() ? 0 : left_out->second) ==
            static_cast<std::size_t>(count));
  RC_ASSERT(test::survives_the_voda_format(result.trace));
}

}  // namespace pai_trace_test
}  // namespace voda

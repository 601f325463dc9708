#include <map>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/trace_checks.hpp"
#include "voda/io/throughputs_reader.hpp"

namespace voda {
namespace pollux_trace_test {

using test::message_of;
using test::read_text;
using test::refusal_of;
using ::testing::HasSubstr;

const std::string header = "name,time,application,num_replicas,batch_size\n";

/// Toy numbers: cifar10 takes 100, 60, 25 s on 1, 2, 8 GPUs; ncf was not measured on one GPU.
[[nodiscard]] MeasuredModels toy_run_times() {
  return read_run_times(
      "application,batch_size,num_replicas,run_time_s\n"
      "cifar10,2048,1,100\ncifar10,2048,2,60\ncifar10,2048,8,25\nncf,32768,2,40\nncf,32768,4,25\n",
      "times.csv");
}

TEST(PolluxTrace, TakesWorkFromTheRunTimes) {
  const auto trace = read_text(header + "cifar10-0,107,cifar10,8,2048\nncf-2,135.5,ncf,2,32768\n",
                               "pollux",
                               {.run_times = toy_run_times()})
                         .trace;

  ASSERT_EQ(trace.jobs.size(), 2u);
  const Job& cifar = trace.jobs[0];
  EXPECT_EQ(cifar.id.value, "cifar10-0");
  EXPECT_EQ(cifar.submitted, TimePoint(Duration(107000000)));
  EXPECT_EQ(cifar.spec, (JobSpec{.min_gpus = 8, .requested_gpus = 8, .max_gpus = 8}));
  EXPECT_EQ(trace.profiles.at(cifar.id), "cifar10/2048");
  EXPECT_EQ(cifar.speedup(8), 4);
  EXPECT_NEAR(cifar.speedup(2), 100.0 / 60, 1e-7);  // speeds are multiples of 2^-24
  EXPECT_EQ(cifar.work->left_s, 25 * 4);
  const Job& ncf = trace.jobs[1];
  EXPECT_EQ(ncf.speedup(2), 2);  // no loss up to the smallest number that was measured
  EXPECT_NEAR(ncf.speedup(4), 2 * 40.0 / 25, 1e-7);
  EXPECT_EQ(ncf.work->left_s, 80);
}

TEST(PolluxTrace, AColumnOfDurationsWillDo) {
  const std::string text =
      "name,time,application,num_replicas,batch_size,duration\na,0,net,4,64,100\nb,1,half,2,32,"
      "50\n";
  const Profiles speedups{{"half", SpeedupCurve({{1, 1}, {2, 1.5}})},
                          {"net/64", SpeedupCurve({{1, 1}, {2, 2}, {4, 3}})}};

  const auto linear = read_text(text, "pollux").trace;
  const auto curved = read_text(text, "pollux", {.speedups = speedups}).trace;

  EXPECT_EQ(linear.jobs[0].work->left_s, 400);
  EXPECT_EQ(curved.jobs[0].work->left_s, 300);
  EXPECT_EQ(curved.jobs[1].work->left_s, 75);
  EXPECT_EQ(curved.profiles.at(JobId{"b"}), "half");
}

TEST(PolluxTrace, SaysWhichRunTimeIsMissing) {
  EXPECT_EQ(refusal_of(header + "a,0,cifar10,8,2048\n", "pollux"),
            "t.csv:2: column 'application': 'cifar10'; expected its run times, which the trace "
            "does not tell (--run-times FILE), or a column 'duration'");
  EXPECT_EQ(refusal_of(header + "a,0,bert,8,384\n", "pollux", {.run_times = toy_run_times()}),
            "t.csv:2: column 'application': 'bert'; expected one of the run times; 'bert/384' is "
            "none of cifar10/2048, ncf/32768");
  EXPECT_EQ(refusal_of(header + "a,0,cifar10,4,2048\n", "pollux", {.run_times = toy_run_times()}),
            "t.csv:2: column 'num_replicas': '4'; expected a number that the run times of "
            "'cifar10/2048' have: 1, 2, 8");
}

TEST(PolluxTrace, RefusesOptionsThatContradict) {
  EXPECT_EQ(
      refusal_of(header, "pollux", {.speedups = Profiles{}, .run_times = toy_run_times()}),
      "format pollux: speedups are given; expected none, for they follow from what was measured");
  EXPECT_EQ(refusal_of(header, "philly", {.run_times = toy_run_times()}),
            "format philly: run times are given; expected none, for they are for pollux");
}

TEST(PolluxTrace, RefusesBadRows) {
  const auto refusal = [](const std::string& row) {
    return refusal_of(header + row + "\n", "pollux", {.run_times = toy_run_times()});
  };
  EXPECT_THAT(refusal("a,x,ncf,2,32768"), HasSubstr("t.csv:2: column 'time': 'x'"));
  EXPECT_THAT(refusal("a,0,ncf,0,32768"), HasSubstr("column 'num_replicas': '0'"));
  EXPECT_THAT(refusal("a,0,ncf,2,1.5"), HasSubstr("column 'batch_size': '1.5'"));
  EXPECT_THAT(refusal(",0,ncf,2,32768"), HasSubstr("column 'name': ''; expected a name"));
  EXPECT_THAT(refusal("a,0,ncf,2,32768\na,1,ncf,2,32768"),
              HasSubstr("t.csv:3: column 'name': 'a'"));
}

TEST(PolluxTrace, SkipsBadRowsWhenAskedTo) {
  const auto result = read_text(header + "a,0,ncf,2,32768\nb,0,bert,2,384\n",
                                "pollux",
                                {.bad_rows = BadRows::skip, .run_times = toy_run_times()});

  EXPECT_EQ(result.trace.jobs.size(), 1u);
  ASSERT_EQ(result.skipped.size(), 1u);
  EXPECT_EQ(result.skipped[0].line, 3u);
}

TEST(RunTimes, AreRefusedWithTheirLine) {
  const auto refusal = [](const std::string& rows) {
    return message_of([&] {
      return read_run_times("application,batch_size,num_replicas,run_time_s\n" + rows, "r.csv");
    });
  };
  EXPECT_EQ(refusal("a,1,1,5\na,1,1,5\n"),
            "r.csv:3: column 'num_replicas': '1'; expected a number that this batch size has not "
            "been given yet");
  EXPECT_EQ(refusal("a,1,1,0\n"),
            "r.csv:2: column 'run_time_s': '0'; expected a number from 1e-06 to 1000000000000");
  EXPECT_THAT(refusal("a,1,1,1000000000000\na,1,2,0.000001\n"), HasSubstr("r.csv: 'a/1': "));
}

RC_GTEST_PROP(PolluxTrace, SurvivesTheVodaFormat, ()) {
  std::string text = header;
  const auto count = *rc::gen::inRange(0, 20);
  for (int i = 0; i < count; ++i) {
    text +=
        "job-" + std::to_string(i) + "," + std::to_string(*rc::gen::inRange(0, 28800)) + "," +
        *rc::gen::element<std::string>(
            "cifar10,1,2048", "cifar10,2,2048", "cifar10,8,2048", "ncf,2,32768", "ncf,4,32768") +
        "\n";
  }

  const auto trace = read_text(text, "pollux", {.run_times = toy_run_times()}).trace;

  RC_ASSERT(trace.jobs.size() == static_cast<std::size_t>(count));
  RC_ASSERT(test::survives_the_voda_format(trace));
}

}  // namespace pollux_trace_test
}  // namespace voda

#include "voda/io/trace_reader.hpp"

#include <cmath>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/io_checks.hpp"
#include "voda/io/speedups_reader.hpp"

namespace voda {
namespace trace_reader_test {

using test::message_of;
using test::shared_path;
using ::testing::HasSubstr;

[[nodiscard]] TraceReadResult read(const std::string& text,
                                   const std::string& format,
                                   const TraceOptions& options = {}) {
  std::istringstream in(text);
  return read_trace(in, "t.csv", format, options);
}

[[nodiscard]] std::string refusal_of(const std::string& text,
                                     const std::string& format,
                                     const TraceOptions& options = {}) {
  return message_of([&] { return read(text, format, options); });
}

[[nodiscard]] Profiles two_profiles() {
  return {{"half", SpeedupCurve({{1, 1}, {2, 1.5}, {4, 2}})},
          {"net/64", SpeedupCurve({{1, 1}, {2, 2}, {4, 3}})}};
}

TEST(TraceReader, ARowNeedsATypeWhereThereAreSeveral) {
  const std::string text = "id,submitted,requested_gpus,work_s,gpu_type\na,0,1,1,v100\nb,0,1,1,\n";
  EXPECT_EQ(refusal_of(text, "voda", {.gpu_types = {"a100", "v100"}}),
            "t.csv:3: job 'b': it names no gpu_type; expected one of those of the cluster: a100, "
            "v100");
  EXPECT_EQ(refusal_of(text, "voda", {.gpu_types = {"v100"}}), "nothing thrown");
  EXPECT_EQ(refusal_of(text, "voda", {.gpu_types = {"", "v100"}}), "nothing thrown");
  EXPECT_EQ(refusal_of("job_id,num_gpu,submit_time,duration\n1,1,0,1\n",
                       "tiresias",
                       {.gpu_types = {"a100", "v100"}}),
            "t.csv:2: job '1': it names no gpu_type; expected one of those of the cluster: a100, "
            "v100");
}

TEST(TraceReader, ReadsVodaRowsWithDefaults) {
  const Trace trace =
      read("id,submitted,requested_gpus,work_s\nb,1.5,4,60.25\na,1,2,0\n", "voda").trace;

  ASSERT_EQ(trace.jobs.size(), 2u);
  const Job& first = trace.jobs[0];
  EXPECT_EQ(first.id.value, "a");  // arrival order
  const Job& second = trace.jobs[1];
  EXPECT_EQ(second.submitted, TimePoint(Duration(1500000)));
  EXPECT_EQ(second.spec, (JobSpec{.min_gpus = 4, .requested_gpus = 4, .max_gpus = 4}));
  EXPECT_EQ(second.work->left_s, 60.25);
  EXPECT_EQ(second.work->since, second.submitted);
  EXPECT_TRUE(trace.profiles.empty());
}

TEST(TraceReader, ReadsEveryVodaColumn) {
  const Trace trace = read(
                          "id,submitted,min_gpus,requested_gpus,max_gpus,work_s,profile,gpu_type,"
                          "queue,user,priority,"
                          "deadline,virtual_cluster\nx,0,1,2,4,9,half,v100,q,u,3,100,vc\n",
                          "voda",
                          {.speedups = two_profiles()})
                          .trace;

  const JobSpec expected{.min_gpus = 1,
                         .requested_gpus = 2,
                         .max_gpus = 4,
                         .priority = 3,
                         .gpu_type = "v100",
                         .queue = "q",
                         .user = "u",
                         .virtual_cluster = "vc",
                         .deadline = TimePoint(Duration(100000000))};
  EXPECT_EQ(trace.jobs[0].spec, expected);
  EXPECT_EQ(trace.jobs[0].speedup(2), 1.5);
  EXPECT_EQ(trace.profiles.at(JobId{"x"}), "half");
}

TEST(TraceReader, PadsWholeNumberIdsToTheLongest) {
  const std::string header = "id,submitted,requested_gpus,work_s\n";

  const Trace numbers = read(header + "9,0,1,1\n10,0,1,1\n100,0,1,1\n", "voda").trace;
  const Trace mixed = read(header + "9,0,1,1\nx10,0,1,1\n", "voda").trace;

  EXPECT_EQ(numbers.jobs[0].id.value, "009");
  EXPECT_EQ(numbers.jobs[2].id.value, "100");
  EXPECT_EQ(mixed.jobs[0].id.value, "9");
}

// Rows in the form of HeliosData; 2020-06-09 18:41:01 is 18,422 days and 67,261 s after 1970.
TEST(TraceReader, HeliosCountsJobsWithoutGpus) {
  const auto result = read(
      "job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
      "queue\n"
      "7,u1,vcA,8,64,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:42:01,2020-06-09 "
      "18:52:01,600,60\n"
      "8,u2,vcB,0,4,1,FAILED,2020-06-09 18:41:02,2020-06-09 18:41:02,2020-06-09 18:41:05,3,0\n"
      "12,u2,vcB,1,4,1,CANCELLED,2020-06-09 18:41:00,2020-06-09 18:41:02,2020-06-09 18:41:05,3,2\n",
      "helios");

  EXPECT_EQ(result.left_out, (RowCounts{{"ask for no GPU", 1}}));
  EXPECT_THAT(result.skipped, testing::IsEmpty());
  ASSERT_EQ(result.trace.jobs.size(), 2u);
  EXPECT_EQ(result.trace.jobs[0].id.value, "12");
  const Job& second = result.trace.jobs[1];
  EXPECT_EQ(second.id.value, "07");
  EXPECT_EQ(second.submitted, time_from_seconds(18422 * 86400.0 + 67261, "submitted"));
  EXPECT_EQ(second.spec,
            (JobSpec{.min_gpus = 8,
                     .requested_gpus = 8,
                     .max_gpus = 8,
                     .user = "u1",
                     .virtual_cluster = "vcA"}));
  EXPECT_EQ(second.work->left_s, 600 * 8);
}

TEST(TraceReader, HeliosRefusesFewerThanNoGpus) {
  EXPECT_THAT(
      refusal_of("job_id,gpu_num,submit_time,duration\n1,-1,2020-06-09 18:41:01,5\n", "helios"),
      HasSubstr("column 'gpu_num': '-1'"));
}

TEST(TraceReader, ItpWorkIsDurationTimesSpeedup) {
  const std::string text =
      "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration\n"
      "a,10,5,net,99,64,4,100\nb,11,5,half,99,32,2,100\n";

  const Trace linear = read(text, "itp").trace;
  const Trace curved = read(text, "itp", {.speedups = two_profiles()}).trace;

  EXPECT_EQ(linear.jobs[0].work->left_s, 400);
  EXPECT_EQ(linear.profiles.at(JobId{"a"}), "net");
  EXPECT_EQ(curved.jobs[0].work->left_s, 300);  // net/64 at 4 GPUs: 3
  EXPECT_EQ(curved.profiles.at(JobId{"a"}), "net/64");
  EXPECT_EQ(curved.jobs[1].work->left_s, 150);  // half at 2 GPUs: 1.5
  EXPECT_EQ(curved.jobs[0].spec,
            (JobSpec{.min_gpus = 4,
                     .requested_gpus = 4,
                     .max_gpus = 4,
                     .deadline = TimePoint(Duration(99000000))}));
}

TEST(TraceReader, PcsJobsAreElasticFromOneGpu) {
  const Trace trace = read(
                          "app_id,submit_time,service,num_jobs,sleep_time,model_name\n7,6.0,16670."
                          "000000000004,4,6.0,half\n",
                          "pcs",
                          {.speedups = two_profiles()})
                          .trace;

  EXPECT_EQ(trace.jobs[0].spec, (JobSpec{.min_gpus = 1, .requested_gpus = 4, .max_gpus = 4}));
  EXPECT_EQ(trace.jobs[0].work->left_s, 16670.000000000004);
}

TEST(TraceReader, ReadsTiresiasRows) {
  // First rows of simulator/60_job.csv of SymbioticLab/Tiresias.
  const Trace trace = read(
                          "job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n"
                          "0,1,0,606,vgg19,164,30\n1,8,30,133,vgg11,147,23\n",
                          "tiresias")
                          .trace;

  EXPECT_EQ(trace.jobs[1].submitted, TimePoint(Duration(30000000)));
  EXPECT_EQ(trace.jobs[1].spec.min_gpus, 8);
  EXPECT_EQ(trace.jobs[1].work->left_s, 8 * 147);
}

TEST(TraceReader, ReadsPhillyDatesAndSeconds) {
  // 2017-10-09 07:01:55 UTC is 1507532515 seconds after 1970 (date -u -d).
  const Trace trace =
      read(
          "timestamp,duration,num_gpus,gpu_time,cluster\n"
          "2017-10-09 07:01:55,66.0,1,66.0,11cb48\n1507532514.5,30.0,8,240.0,ee9e8c\n",
          "philly")
          .trace;

  EXPECT_EQ(trace.jobs[0].id.value, "1");  // ids are row numbers from 0
  EXPECT_EQ(trace.jobs[0].spec.virtual_cluster, "ee9e8c");
  EXPECT_EQ(trace.jobs[0].work->left_s, 240);
  EXPECT_EQ(trace.jobs[1].submitted, TimePoint(Duration(1507532515000000)));
}

TEST(TraceReader, RefusesDatesThatDoNotExist) {
  for (const char* date : {"2017-02-29 00:00:00",
                           "2017-13-01 00:00:00",
                           "2017-10-09 24:00:00",
                           "2017-10-09",
                           "2017-10-09 07:01:5x",
                           "tomorrow",
                           ""}) {
    const auto message =
        refusal_of("timestamp,duration,num_gpus\n" + std::string(date) + ",1,1\n", "philly");
    EXPECT_THAT(
        message,
        HasSubstr("t.csv:2: column 'timestamp': '" + std::string(date) + "'; expected a date"));
  }
}

TEST(TraceReader, AcceptsZeroDurationAndRefusesZeroGpus) {
  const std::string header = "timestamp,duration,num_gpus\n";

  EXPECT_EQ(read(header + "5,0,2\n", "philly").trace.jobs[0].work->left_s, 0);
  EXPECT_EQ(refusal_of(header + "5,1,0\n", "philly"),
            "t.csv:2: column 'num_gpus': '0'; expected a whole number from 1 to 2147483647");
}

TEST(TraceReader, RefusesBadNumbers) {
  const std::string header = "id,submitted,requested_gpus,work_s\n";
  const auto message = [&header](const std::string& row) {
    return refusal_of(header + row, "voda");
  };

  EXPECT_THAT(message("a,nan,1,1\n"),
              HasSubstr("t.csv:2: column 'submitted': 'nan'; expected a number from"));
  EXPECT_THAT(message("a,inf,1,1\n"), HasSubstr("column 'submitted': 'inf'"));
  EXPECT_THAT(message("a,1e13,1,1\n"), HasSubstr("column 'submitted': '1e13'"));
  EXPECT_THAT(message("a,0,-1,1\n"), HasSubstr("column 'requested_gpus': '-1'"));
  EXPECT_THAT(message("a,0,99999999999,1\n"), HasSubstr("column 'requested_gpus': '99999999999'"));
  EXPECT_THAT(message("a,0,1,-1\n"), HasSubstr("column 'work_s': '-1'; expected a number from 0"));
  EXPECT_THAT(message("a,0,1,\n"), HasSubstr("column 'work_s': ''"));
  EXPECT_THAT(message(",0,1,1\n"), HasSubstr("column 'id': ''; expected a name"));
}

TEST(TraceReader, RefusesSizesThatContradictEachOther) {
  const std::string header = "id,submitted,min_gpus,requested_gpus,max_gpus,work_s\n";
  EXPECT_EQ(refusal_of(header + "a,0,3,2,4,1\n", "voda"),
            "t.csv:2: column 'min_gpus': '3'; expected at most requested_gpus, 2");
  EXPECT_EQ(refusal_of(header + "a,0,1,2,1,1\n", "voda"),
            "t.csv:2: column 'max_gpus': '1'; expected at least requested_gpus, 2");
}

TEST(TraceReader, RefusesRepeatedIds) {
  const std::string header = "id,submitted,requested_gpus,work_s\n";
  EXPECT_EQ(refusal_of(header + "a,0,1,1\na,1,1,1\n", "voda"),
            "t.csv:3: column 'id': 'a'; expected an id that is not taken yet (line 2)");
  EXPECT_EQ(refusal_of(header + "1,0,1,1\n01,1,1,1\n", "voda"),
            "t.csv: jobs '1' and '01' are the same number; expected unique ids (lines 2 and 3)");
}

TEST(TraceReader, RefusesProfilesThatTheSpeedupsLack) {
  EXPECT_EQ(
      refusal_of("id,submitted,requested_gpus,work_s,profile\na,0,1,1,zzz\n",
                 "voda",
                 {.speedups = two_profiles()}),
      "t.csv:2: column 'profile': 'zzz'; expected a profile of the speedup file: half, net/64");
}

TEST(TraceReader, RefusesWorkBeyondTheLargest) {
  EXPECT_THAT(refusal_of("timestamp,duration,num_gpus\n5,1e12,2\n", "philly"),
              HasSubstr("t.csv:2: column 'duration': '1e12'; expected a time whose work"));
}

TEST(TraceReader, ListsTheFormatsForAnUnknownOne) {
  try {
    static_cast<void>(read("", "csv"));
    FAIL() << "expected UnknownName";
  } catch (const UnknownName& error) {
    EXPECT_STREQ(error.what(),
                 "unknown trace format 'csv'; expected voda, itp, pcs, tiresias, philly, helios, "
                 "swf, pai, pollux, gavel");
  }
}

TEST(TraceReader, RefusesAnEmptyFileAndTakesOneWithoutRows) {
  EXPECT_THAT(refusal_of("", "pcs"), HasSubstr("t.csv:1: the file is empty"));
  EXPECT_TRUE(read("id,submitted,requested_gpus,work_s\n", "voda").trace.jobs.empty());
}

TEST(TraceReader, SkipsBadRowsOnlyWhenAskedToAndListsThem) {
  const std::string text =
      "id,submitted,requested_gpus,work_s\na,0,1,1\nb,x,1,1\nc\nd\xFF,0,1,1\na,0,1,1\ne,0,1,1\n";

  const auto result = read(text, "voda", {.bad_rows = BadRows::skip});

  ASSERT_EQ(result.trace.jobs.size(), 2u);
  ASSERT_EQ(result.skipped.size(), 4u);
  EXPECT_EQ(result.skipped[0].line, 3u);
  EXPECT_THAT(result.skipped[0].message, HasSubstr("t.csv:3: column 'submitted': 'x'"));
  EXPECT_THAT(result.skipped[1].message, HasSubstr("t.csv:4: 1 cells; expected 4"));
  EXPECT_THAT(result.skipped[2].message, HasSubstr("t.csv:5: a byte that is not UTF-8"));
  EXPECT_THAT(result.skipped[3].message, HasSubstr("not taken yet (line 2)"));
}

TEST(TraceReader, NeverSkipsAQuoteThatIsNotClosed) {
  EXPECT_THAT(refusal_of("id,submitted,requested_gpus,work_s\n\"a,0,1,1\nb,0,1,1\n",
                         "voda",
                         {.bad_rows = BadRows::skip}),
              HasSubstr("t.csv:2: a quote is never closed"));
}

TEST(TraceReader, NamesAFileThatCannotBeRead) {
  EXPECT_EQ(message_of([] { return read_trace_file("no/such.csv", "voda"); }),
            "no/such.csv: cannot be opened: No such file or directory");
  EXPECT_EQ(message_of([] { return read_trace_file("/", "voda"); }),
            "/: it is a directory; expected a file");
}

TEST(TraceWriter, RefusesWhatTheFormatCannotHold) {
  Trace trace = read("id,submitted,requested_gpus,work_s\na,0,4,1\n", "voda").trace;
  trace.jobs[0].spec.sizes = {.kind = SizeRule::Kind::powers_of_two};
  EXPECT_EQ(
      message_of([&] {
        std::ostringstream out;
        write_trace(out, trace);
        return 0;
      }),
      "job 'a': sizes cannot be written to a trace; expected every size from min_gpus to max_gpus");
}

TEST(TraceWriter, SaysWhenTheStreamFails) {
  const Trace trace = read("id,submitted,requested_gpus,work_s\na,0,4,1\n", "voda").trace;
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THROW(write_trace(out, trace), Error);
}

RC_GTEST_PROP(TraceWriter, IsReadBackEqual, ()) {
  Trace trace;
  const auto count = *rc::gen::inRange<std::size_t>(0, 20);
  for (std::size_t i = 0; i < count; ++i) {
    const auto min = *rc::gen::inRange<GpuCount>(1, 5);
    const auto requested = min + *rc::gen::inRange<GpuCount>(0, 5);
    Job job{.id = {"j,\"" + std::to_string(i)},
            .submitted = TimePoint(Duration(
                *rc::gen::inRange<std::int64_t>(-4'290'000'000'000'000, 4'290'000'000'000'000))),
            .spec = {.min_gpus = min,
                     .requested_gpus = requested,
                     .max_gpus = requested + *rc::gen::inRange<GpuCount>(0, 5),
                     .priority = *rc::gen::inRange(0, 9),
                     .queue = *rc::gen::element<std::string>("", "q", "a b", " x")}};
    const double work_s =
        std::ldexp(static_cast<double>(*rc::gen::inRange<std::int64_t>(0, INT64_C(1) << 53)), -20);
    job.work = RemainingWork{.left_s = work_s, .since = job.submitted};
    trace.jobs.push_back(job);
  }
  trace = sorted_by_arrival(trace);
  std::stringstream file;
  write_trace(file, trace);
  const Trace again = read_trace(file, "written", "voda").trace;
  RC_ASSERT(again.jobs.size() == trace.jobs.size());
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    RC_ASSERT(again.jobs[i].id == trace.jobs[i].id);
    RC_ASSERT(again.jobs[i].submitted == trace.jobs[i].submitted);
    RC_ASSERT(again.jobs[i].spec == trace.jobs[i].spec);
    RC_ASSERT(again.jobs[i].work == trace.jobs[i].work);
  }
}

/// Row counts are those of the data's README: a trace is read whole.
TEST(TraceReader, ReadsThePublishedTraces) {
  VODA_NEED_SHARED("data/itp/cluster01.csv");

  const auto itp = read_trace_file(shared_path("data/itp/cluster01.csv"), "itp").trace;
  const auto philly = read_trace_file(shared_path("data/philly-vc/trace_0e4a51.csv"), "pcs").trace;
  const auto small_philly =
      read_trace_file(shared_path("data/philly-vc/trace_103959.csv"), "pcs").trace;

  EXPECT_EQ(itp.jobs.size(), 1595u);
  EXPECT_EQ(itp.jobs[0].id.value, "965d744f-0445-c1a8-12af-97e4c536c66e");
  EXPECT_EQ(itp.jobs[0].work->left_s, 64.0 * 2429);
  EXPECT_EQ(philly.jobs.size(), 2465u);
  EXPECT_EQ(philly.jobs[0].id.value, "0000");
  EXPECT_EQ(small_philly.jobs.size(), 2677u);
}

TEST(TraceReader, FindsEveryModelAndBatchOfThe195JobTraceInTheA100Tables) {
  VODA_NEED_SHARED("data/itp/195job.csv");
  const auto path = shared_path("data/itp/195job.csv");
  const auto speedups = [](const char* folder) {
    return read_speedups_file(shared_path("data/speedups/") / folder);
  };

  const auto trace =
      read_trace_file(path, "itp", {.speedups = speedups("elasticflow_throughputs_A100")}).trace;
  const auto message = message_of([&] {
    return read_trace_file(path, "itp", {.speedups = speedups("elasticflow_throughputs_T4")});
  });

  EXPECT_EQ(trace.jobs.size(), 195u);
  EXPECT_EQ(trace.profiles.size(), 195u);
  // bert at batch 64, GPUs 1 and 4 (A100/bert.csv): 10.356284859349557 / 6.030661553957379
  // = 1.7172717...
  for (const Job& job : trace.jobs) {
    if (trace.profiles.at(job.id) != "bert/64")
      continue;
    EXPECT_NEAR(job.speedup(4), 1.71727, 1e-5);
  }
  EXPECT_THAT(message, HasSubstr("expected a profile of the speedup file"));
}

}  // namespace trace_reader_test
}  // namespace voda

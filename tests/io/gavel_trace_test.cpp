#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/trace_checks.hpp"
#include "voda/io/throughputs_reader.hpp"

namespace voda {
namespace gavel_trace_test {

using test::message_of;
using test::read_text;
using test::refusal_of;
using ::testing::HasSubstr;

/// Toy numbers in the form of Gavel's simulation_throughputs.json.
const std::string toy_json = R"json({
  "k80": {"('A3C', 1)": {"null": 1.0, "('LM (batch size 5)', 1)": [0.5, 3.25]}},
  "v100": {"('A3C', 1)": {"null": 4.0}, "('A3C', 2)": {"null": 6.0}, "('A3C', 4)": {"null": 8.0},
           "('A3C', 8)": {"null": 0.0},
           "('LM (batch size 5)', 2)": {"null": 10.0}}
})json";

[[nodiscard]] TraceOptions v100_cluster() {
  return {.gpu_types = {"v100"}, .throughputs = read_throughputs(toy_json, "toy.json")};
}

// A row of each version of parse_trace() in scheduler/utils.py.
const std::string seven =
    "A3C\tcd %s/rl && python3 main.py --env \"Pong\", "
    "'x'\t--max-steps\t0\t1600\t343918.500000\t4\n";
const std::string nine =
    "A3C\tpython3 main.py\t--max-steps\t0\t1600\t4\t1.000000\t-1.000000\t7.0\n";
const std::string ten =
    "LM (batch size 5)\tpython main.py --cuda \tlm\t--steps\t1\t500\t2\t2.000000\t1.2\t7.0\n";

TEST(GavelTrace, ReadsSevenColumns) {
  const auto result = read_text(seven, "gavel", v100_cluster());

  ASSERT_EQ(result.trace.jobs.size(), 1u);
  const Job& job = result.trace.jobs[0];
  EXPECT_EQ(job.id.value, "0");
  EXPECT_EQ(job.submitted, TimePoint(Duration(343918500000)));
  EXPECT_EQ(job.spec, (JobSpec{.min_gpus = 4, .requested_gpus = 4, .max_gpus = 4}));
  EXPECT_EQ(job.speedup(2), 1.5);
  EXPECT_EQ(job.speedup(4), 2);
  EXPECT_EQ(job.work->left_s, 400);  // 1600 steps on 4 GPUs take 200 s, and S(4) = 2
  EXPECT_EQ(result.trace.profiles.at(job.id), "A3C");
}

TEST(GavelTrace, ReadsNineColumns) {
  const auto result = read_text(nine, "gavel", v100_cluster());

  ASSERT_EQ(result.trace.jobs.size(), 1u);
  EXPECT_EQ(result.trace.jobs[0].work->left_s, 400);
  EXPECT_EQ(result.trace.jobs[0].spec.deadline, std::nullopt);
  EXPECT_TRUE(result.remarks.empty());
}

TEST(GavelTrace, ReadsTenColumns) {
  const auto result = read_text(ten, "gavel", v100_cluster());

  ASSERT_EQ(result.trace.jobs.size(), 1u);
  const Job& job = result.trace.jobs[0];
  EXPECT_EQ(job.submitted, TimePoint(Duration(7000000)));
  EXPECT_EQ(job.spec.requested_gpus, 2);
  EXPECT_EQ(job.work->left_s, 100);  // 50 s on 2 GPUs; one was not measured: S(2) = 2
  EXPECT_EQ(job.spec.deadline, TimePoint(Duration(67000000)));  // 7 + 1.2 * 50
  EXPECT_EQ(result.remarks,
            (RowCounts{{"have a priority_weight other than 1, which is not kept", 1}}));
}

TEST(GavelTrace, CountsJobsWithoutGpus) {
  const auto result =
      read_text("A3C\tc\t-n\t0\t10\t5\t0\nA3C\tc\t-n\t0\t8\t5\t1\n", "gavel", v100_cluster());

  EXPECT_EQ(result.left_out, (RowCounts{{"ask for no GPU", 1}}));
  ASSERT_EQ(result.trace.jobs.size(), 1u);
  EXPECT_EQ(result.trace.jobs[0].id.value, "1");
  EXPECT_EQ(result.trace.jobs[0].work->left_s, 2);
}

TEST(GavelTrace, TakesTheThroughputsOfTheClustersGpus) {
  const std::string row = "A3C\tc\t-n\t0\t10\t5\t1\n";
  const auto all = read_throughputs(toy_json, "toy.json");
  const auto work = [&](const Throughputs& throughputs, const std::vector<std::string>& types) {
    return read_text(row, "gavel", {.gpu_types = types, .throughputs = throughputs})
        .trace.jobs[0]
        .work->left_s;
  };
  const auto refusal = [&](const std::vector<std::string>& types) {
    return refusal_of(row, "gavel", {.gpu_types = types, .throughputs = all});
  };

  EXPECT_EQ(work(all, {"k80"}), 10);
  EXPECT_EQ(work(all, {"v100"}), 2.5);
  EXPECT_EQ(work({{"k80", all.at("k80")}}, {std::string()}), 10);
  EXPECT_EQ(refusal({std::string()}),
            "the throughputs are of the GPU types k80, v100, and the cluster has none; expected a "
            "cluster of one of these types, as in --cluster 8x4:v100");
  EXPECT_THAT(refusal({"a100"}), HasSubstr("and the cluster has a100; expected"));
  EXPECT_THAT(refusal({"k80", "v100"}), HasSubstr("and the cluster has k80, v100; expected"));
}

TEST(GavelTrace, NeedsThroughputs) {
  EXPECT_EQ(refusal_of(seven, "gavel"),
            "format gavel: its jobs are so many steps; expected throughputs that turn steps into "
            "seconds (--throughputs FILE, such as Gavel's simulation_throughputs.json)");
  EXPECT_EQ(refusal_of("", "philly", v100_cluster()),
            "format philly: throughputs are given; expected none, for they are for gavel");
}

TEST(GavelTrace, RefusesBadRows) {
  const auto refusal = [](const std::string& row) {
    return refusal_of(row + "\n", "gavel", v100_cluster());
  };
  EXPECT_EQ(refusal("GAN\tc\t-n\t0\t10\t5\t1"),
            "t.csv:1: column 'job_type': 'GAN'; expected a job type of the throughputs: A3C, LM "
            "(batch size 5)");
  EXPECT_EQ(refusal("A3C\tc\t-n\t0\t10\t5\t8"),
            "t.csv:1: column 'scale_factor': '8'; expected a number that the throughputs of 'A3C' "
            "have: 1, 2, 4");
  EXPECT_EQ(refusal("A3C\tc\t-n\t2\t10\t5\t1"),
            "t.csv:1: column 'needs_data_dir': '2'; expected a whole number from 0 to 1");
  EXPECT_THAT(refusal("A3C\tc\t-n\t0\t-1\t5\t1"), HasSubstr("column 'total_steps': '-1'"));
  EXPECT_THAT(refusal("A3C\tc\t-n\t0\t1\tx\t1"), HasSubstr("column 'arrival_time': 'x'"));
  EXPECT_THAT(
      refusal("A3C\tc\t-n\t0\t1\t5\t1\t1"),
      HasSubstr("t.csv:1: 8 cells; expected a header with the columns job_type, command, "));
  EXPECT_EQ(refusal(seven + nine), "t.csv:2: 9 cells; expected 7, as many as before");
}

TEST(GavelTrace, SkipsBadRowsWhenAskedTo) {
  TraceOptions options = v100_cluster();
  options.bad_rows = BadRows::skip;

  const auto result = read_text("A3C\n" + seven + "GAN\tc\t-n\t0\t10\t5\t1\n", "gavel", options);

  EXPECT_EQ(result.trace.jobs.size(), 1u);
  EXPECT_EQ(result.skipped.size(), 2u);
}

TEST(Throughputs, AreRefusedWithTheirPath) {
  const auto refusal = [](const std::string& text) {
    return message_of([&] { return read_throughputs(text, "t.json"); });
  };
  EXPECT_EQ(refusal(R"json({"v100": {"A3C": {"null": 1}}})json"),
            "t.json: v100.A3C: unknown key; expected a job type like ('ResNet-18 (batch size 64)', "
            "1)");
  EXPECT_EQ(refusal(R"json({"v100": {"('A3C', 1)": {"null": -1}}})json"),
            "t.json: v100[\"('A3C', 1)\"].null: -1; expected a number from 0 to 1000000000000");
  EXPECT_EQ(
      refusal(R"json({"v100": {"('A3C', 1)": {"null": 1}, "('A3C', 1.0)": {"null": 1}}})json"),
      "t.json: v100[\"('A3C', 1.0)\"]: a job type and count that are there twice; expected them "
      "once");
  EXPECT_THAT(
      refusal(R"json({"v100": {"('A', 1)": {"null": 1e-9}, "('A', 2)": {"null": 1e9}}})json"),
      HasSubstr("t.json: v100: job type 'A': "));
  EXPECT_EQ(refusal("[]"), "t.json: the document: an array; expected an object");
}

RC_GTEST_PROP(GavelTrace, SurvivesTheVodaFormat, ()) {
  std::string text;
  const auto count = *rc::gen::inRange(1, 20);
  for (int i = 0; i < count; ++i) {
    text += *rc::gen::element<std::string>("A3C\tc", "LM (batch size 5)\ta,\"b") + "\twd\t-n\t1\t" +
            std::to_string(*rc::gen::inRange(0, 100000000)) + "\t2\t1.0\t" +
            *rc::gen::element<std::string>("-1.0", "0", "1.3") + "\t" +
            std::to_string(*rc::gen::inRange(0, 1000000) / 8.0) + "\n";
  }

  const auto trace = read_text(text, "gavel", v100_cluster()).trace;

  RC_ASSERT(trace.jobs.size() == static_cast<std::size_t>(count));
  RC_ASSERT(test::survives_the_voda_format(trace));
}

}  // namespace gavel_trace_test
}  // namespace voda

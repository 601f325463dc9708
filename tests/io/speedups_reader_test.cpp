#include "voda/io/speedups_reader.hpp"

#include <cmath>
#include <map>
#include <sstream>
#include <string>

#include "support/io_checks.hpp"

namespace voda {
namespace speedups_reader_test {

using test::message_of;
using test::shared_path;
using ::testing::HasSubstr;

[[nodiscard]] std::string refusal_of(const std::string& text) {
  return message_of([&] { return read_speedups(text, "dir/net.csv"); });
}

TEST(SpeedupsReader, DividesTimesByTheTimeOnOneGpu) {
  const auto profiles =
      read_speedups("model,gpus,us_per_iteration\nA,2,1600\nA,1,3200\nA,4,1000\n", "t.csv");
  EXPECT_EQ(profiles.at("A").points(), (std::map<GpuCount, double>{{1, 1}, {2, 2}, {4, 3.2}}));
}

TEST(SpeedupsReader, TakesSpeedupsAsTheyStand) {
  const auto profiles = read_speedups("model,gpus,speedup\nA,1,0.9\nA,2,1.785\n", "t.csv");
  EXPECT_EQ(profiles.at("A").points(), (std::map<GpuCount, double>{{1, 0.9}, {2, 1.785}}));
}

TEST(SpeedupsReader, NamesThroughputsByStemAndBatchAndLeavesGapsOut) {
  const auto profiles =
      read_speedups("global_batch_size,1,2,4,8\r\n64,2,3,nan,0\r\n128,1,,4,NaN\r\n", "dir/net.csv");
  ASSERT_EQ(profiles.size(), 2u);
  EXPECT_EQ(profiles.at("net/64").points(), (std::map<GpuCount, double>{{1, 1}, {2, 1.5}}));
  EXPECT_EQ(profiles.at("net/128").points(), (std::map<GpuCount, double>{{1, 1}, {4, 4}}));
}

TEST(SpeedupsReader, ScalesToTheSmallestCountWhenOneGpuWasNotMeasured) {
  // No loss is assumed up to 2 GPUs: S(2) = 2, and 4 GPUs are 1.5 times as fast as 2.
  const auto times = read_speedups("model,gpus,us_per_iteration\nA,2,300\nA,4,200\n", "t.csv");
  const auto throughputs = read_speedups("global_batch_size,1,2,4\n64,,10,15\n", "net.csv");
  EXPECT_EQ(times.at("A").points(), (std::map<GpuCount, double>{{2, 2}, {4, 3}}));
  EXPECT_EQ(throughputs.at("net/64").points(), (std::map<GpuCount, double>{{2, 2}, {4, 3}}));
}

TEST(SpeedupsReader, ReadsJsonWithSpanFactors) {
  const auto profiles =
      read_speedups(R"({"p": {"1": 1.0, "2": 1.9, "span": {"2": 0.92}}})", "s.json");
  EXPECT_EQ(profiles.at("p").points(), (std::map<GpuCount, double>{{1, 1}, {2, 1.9}}));
  EXPECT_EQ(profiles.at("p").span_factors(), (std::map<std::int32_t, double>{{2, 0.92}}));
}

TEST(SpeedupsReader, RefusesBadRows) {
  EXPECT_EQ(refusal_of("model,gpus,speedup\nA,1,0\n"),
            "dir/net.csv:2: column 'speedup': '0'; expected a number from 2^-24 to 2^20");
  EXPECT_EQ(refusal_of("model,gpus,speedup\nA,0,1\n"),
            "dir/net.csv:2: column 'gpus': '0'; expected a whole number from 1 to 2147483647");
  EXPECT_EQ(
      refusal_of("model,gpus,speedup\nA,1,1\nA,1,1\n"),
      "dir/net.csv:3: column 'gpus': '1'; expected a count that model 'A' has not been given yet");
  EXPECT_THAT(refusal_of("model,gpus,speedup\nA,1,1e9\n"),
              HasSubstr("dir/net.csv:2: column 'speedup': '1e9'; expected a number from 2^-24"));
  EXPECT_THAT(
      refusal_of("model,gpus,us_per_iteration\nB,1,1\nA,2,1e-9\nA,1,1e9\n"),
      HasSubstr("dir/net.csv:3: model 'A' at 2 GPUs: its speed is 1e+18 times that of one GPU"));
  EXPECT_THAT(refusal_of("model,gpus\nA,1\n"),
              HasSubstr("dir/net.csv:1: header 'model,gpus'; expected model,gpus"));
  EXPECT_THAT(refusal_of(""), HasSubstr("dir/net.csv:1: the file is empty"));
}

TEST(SpeedupsReader, RefusesBadThroughputTables) {
  EXPECT_EQ(refusal_of("global_batch_size,1,x\n"),
            "dir/net.csv:1: column 'x'; expected a number of GPUs");
  EXPECT_EQ(refusal_of("global_batch_size,1,1\n"),
            "dir/net.csv:1: column '1' is there twice; expected it once");
  EXPECT_EQ(refusal_of("global_batch_size,1,2\n64,1\n"), "dir/net.csv:2: 2 cells; expected 3");
  EXPECT_THAT(refusal_of("global_batch_size,1\n64,-1\n"),
              HasSubstr("dir/net.csv:2: column '1': '-1'; expected"));
  EXPECT_THAT(refusal_of("global_batch_size,1\n6.5,1\n"),
              HasSubstr("column 'global_batch_size': '6.5'"));
  EXPECT_THAT(refusal_of("global_batch_size,1\n64,nan\n"),
              HasSubstr("dir/net.csv:2: batch 64: nothing is measured"));
  EXPECT_THAT(refusal_of("global_batch_size,1\n64,1\n64,2\n"),
              HasSubstr("profile 'net/64': its name is taken"));
}

TEST(SpeedupsReader, RefusesBadJson) {
  EXPECT_THAT(refusal_of(R"({"p": {"01": 1}})"),
              HasSubstr("p.01: unknown key; expected a number of GPUs"));
  EXPECT_THAT(refusal_of(R"({"p": {"1": "x"}})"), HasSubstr("p.1: \"x\"; expected a number"));
  EXPECT_THAT(refusal_of(R"({"p": {"1": 1, "span": {"1": 0.5}}})"),
              HasSubstr("p: span at 1 node: 0.5; expected 1"));
  EXPECT_EQ(refusal_of(R"({"p": {"1": 1, "2": 1e-9}})"),
            "dir/net.csv: p.2: 1e-09; expected a number from 2^-24 to 2^20");
  EXPECT_THAT(refusal_of(R"({"p": {"1": 1, "2": 1e999}})"),
              HasSubstr("dir/net.csv: p.2: number overflow parsing '1e999'"));
  EXPECT_THAT(refusal_of(R"({"p": {"1": 1}, "p": {"1": 1}})"),
              HasSubstr("p: the key is there twice"));
  EXPECT_THAT(refusal_of(R"({"": {"1": 1}})"),
              HasSubstr("a profile without a proper name; expected one that is not empty"));
  EXPECT_THAT(refusal_of(R"({"a\tb": {"1": 1}})"),
              HasSubstr("a profile without a proper name; expected one that is not empty"));
}

TEST(SpeedupsWriter, IsReadBackEqual) {
  const Profiles profiles{{"a,b", SpeedupCurve({{1, 1}, {2, 1.5}, {3, 1.0 / 3}})},
                          {"c", SpeedupCurve({{2, 1.9}, {3, 2}, {4, 2.5}})}};
  std::stringstream file;
  write_speedups(file, profiles);
  EXPECT_EQ(read_speedups(file.str(), "t.csv"), profiles);
}

TEST(SpeedupsReader, ReadsThePublishedTables) {
  VODA_NEED_SHARED("data/speedups");

  const auto afs = read_speedups_file(shared_path("data/speedups/speedups_us_per_iteration.csv"));
  const auto a100 = read_speedups_file(shared_path("data/speedups/elasticflow_throughputs_A100"));
  const auto t4 = read_speedups_file(shared_path("data/speedups/elasticflow_throughputs_T4"));

  EXPECT_EQ(afs.size(), 9u);
  EXPECT_EQ(afs.at("VggnetModel256")(2),
            std::floor(3020532.0 / 1659208.0 * 16777216 + 0.5) / 16777216);
  EXPECT_EQ(a100.size(), 17u);                                    // rows of the seven tables
  EXPECT_EQ(a100.at("deepspeech2/32").points().size(), 6u);       // blank at 64 GPUs
  EXPECT_EQ(a100.at("resnet50_cifar10/64").points().size(), 4u);  // zeros from 16 GPUs on
  EXPECT_EQ(t4.at("yolov3/64").points().size(), 5u);              // nan from 32 GPUs on
}

}  // namespace speedups_reader_test
}  // namespace voda

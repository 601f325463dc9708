#include "voda/io/cluster_text.hpp"

#include <string>
#include <vector>

#include "support/io_checks.hpp"

namespace voda {
namespace cluster_text_test {

using test::message_of;
using ::testing::HasSubstr;

[[nodiscard]] std::string refusal_of(const std::string& text) {
  return message_of([&] { return parse_cluster(text); });
}

TEST(ClusterText, ReadsNodesTimesGpus) {
  const auto nodes = parse_cluster("16x4");
  ASSERT_EQ(nodes.size(), 16u);
  EXPECT_EQ(nodes[0], (Node{.id = {"n00"}, .gpus = 4}));
  EXPECT_EQ(nodes[15], (Node{.id = {"n15"}, .gpus = 4}));
}

TEST(ClusterText, ReadsSeveralTypes) {
  const auto nodes = parse_cluster("8x4:v100+3x8:a100");
  ASSERT_EQ(nodes.size(), 11u);
  EXPECT_EQ(nodes[7], (Node{.id = {"n07"}, .gpu_type = "v100", .gpus = 4}));
  EXPECT_EQ(nodes[8], (Node{.id = {"n08"}, .gpu_type = "a100", .gpus = 8}));
}

TEST(ClusterText, ReadsRacksAndNumbersThemThroughAllGroups) {
  const auto nodes = parse_cluster("2x3x4+1x1x8:big+1x2");
  ASSERT_EQ(nodes.size(), 8u);
  EXPECT_EQ(nodes[2], (Node{.id = {"n2"}, .gpus = 4, .domains = {"rack-0"}}));
  EXPECT_EQ(nodes[3], (Node{.id = {"n3"}, .gpus = 4, .domains = {"rack-1"}}));
  EXPECT_EQ(nodes[6], (Node{.id = {"n6"}, .gpu_type = "big", .gpus = 8, .domains = {"rack-2"}}));
  EXPECT_EQ(nodes[7], (Node{.id = {"n7"}, .gpus = 2}));
}

TEST(ClusterText, QuotesWhatItRefuses) {
  EXPECT_THAT(refusal_of(""), HasSubstr("cluster '': expected a number from 1"));
  EXPECT_THAT(refusal_of("16"), HasSubstr("cluster '16': expected nodes x GPUs like 16x4"));
  EXPECT_THAT(refusal_of("1x2x3x4"),
              HasSubstr("racks x nodes x GPUs like 4x8x4, in place of '1x2x3x4'"));
  EXPECT_THAT(refusal_of("16xa"), HasSubstr("in place of 'a'"));
  EXPECT_THAT(refusal_of("0x4"), HasSubstr("in place of '0'"));
  EXPECT_THAT(refusal_of("-1x4"), HasSubstr("in place of '-1'"));
  EXPECT_THAT(refusal_of("1.0x4"), HasSubstr("in place of '1.0'"));
  EXPECT_THAT(refusal_of("2x4+"), HasSubstr("cluster '2x4+'"));
  EXPECT_THAT(refusal_of("2x4:"), HasSubstr("expected a GPU type made of letters"));
  EXPECT_THAT(refusal_of("2x4:a b"), HasSubstr("in place of 'a b'"));
}

TEST(ClusterText, BoundsNodesAndGpus) {
  EXPECT_EQ(parse_cluster("1000000x1").size(), 1000000u);
  EXPECT_THAT(refusal_of("1000001x1"), HasSubstr("at most 1000000 nodes"));
  EXPECT_THAT(refusal_of("2147483647x2147483647x2147483647"), HasSubstr("at most 1000000 nodes"));
  EXPECT_THAT(refusal_of("2x2147483647"), HasSubstr("at most 2147483647 GPUs"));
  EXPECT_THAT(refusal_of("99999999999999999999x1"),
              HasSubstr("in place of '99999999999999999999'"));
}

TEST(ClusterText, ReadsAFileWhenTheTextNamesOne) {
  EXPECT_EQ(read_cluster("2x4").size(), 2u);
  EXPECT_EQ(message_of([] { return read_cluster("no-such.json"); }),
            "no-such.json: cannot be opened: No such file or directory");
  EXPECT_THAT(message_of([] { return read_cluster("no/such"); }),
              HasSubstr("no/such: cannot be opened"));
}

}  // namespace cluster_text_test
}  // namespace voda

#include "voda/io/node_events_reader.hpp"

#include <sstream>
#include <string>

#include "support/io_checks.hpp"

namespace voda {
namespace node_events_reader_test {

using Kind = NodeEvent::Kind;

[[nodiscard]] std::vector<NodeEvent> read(const std::string& text) {
  std::istringstream in(text);
  return read_node_events(in, "e.csv");
}

TEST(NodeEventsReader, SortsByTimeAndKeepsTheOrderOfEqualOnes) {
  const auto events =
      read("time_s,node,event\n5,n0,up\n1.5,n0,down\n5,n1,gpus=2\n5,n0,cordon\n6,n0,uncordon\n");
  const auto at = [](std::int64_t us) { return TimePoint(Duration(us)); };
  const std::vector<NodeEvent> expected{
      {.at = at(1500000), .node = {"n0"}, .kind = Kind::down},
      {.at = at(5000000), .node = {"n0"}, .kind = Kind::up},
      {.at = at(5000000), .node = {"n1"}, .kind = Kind::resize, .gpus = 2},
      {.at = at(5000000), .node = {"n0"}, .kind = Kind::cordon},
      {.at = at(6000000), .node = {"n0"}, .kind = Kind::uncordon},
  };
  EXPECT_EQ(events, expected);
}

TEST(NodeEventsReader, NamesWhatItRefuses) {
  const auto refusal = [](const char* row) {
    return test::message_of([row] { return read(std::string("time_s,node,event\n") + row); });
  };
  EXPECT_EQ(refusal("1,n0,broken\n"),
            "e.csv:2: column 'event': 'broken'; expected down, up, cordon, uncordon or gpus=N");
  EXPECT_EQ(
      refusal("1,n0,cordn\n"),
      "e.csv:2: column 'event': 'cordn'; expected down, up, cordon, uncordon or gpus=N; did you "
      "mean 'cordon'?");
  EXPECT_EQ(refusal("1,n0,gpus=-1\n"),
            "e.csv:2: column 'event': 'gpus=-1'; expected gpus=N with N from 0 to 2147483647");
  EXPECT_EQ(refusal("1,n0,gpus=\n"),
            "e.csv:2: column 'event': 'gpus='; expected gpus=N with N from 0 to 2147483647");
  EXPECT_THAT(refusal("x,n0,up\n"),
              ::testing::HasSubstr("e.csv:2: column 'time_s': 'x'; expected a number"));
  EXPECT_EQ(refusal("1,,up\n"), "e.csv:2: column 'node': ''; expected a name");
}

TEST(NodeEventsReader, NamesTheLineWithWhichAPoolGrowsTooLarge) {
  const std::vector<Node> nodes{{.id = {"n0"}, .gpus = 4}, {.id = {"n1"}, .gpus = 4}};
  const auto refusal = [&nodes](const std::string& rows) {
    return test::message_of([&] {
      std::istringstream in("time_s,node,event\n" + rows);
      return read_node_events(in, "e.csv", nodes);
    });
  };
  EXPECT_EQ(refusal("1,n0,gpus=2147483643\n2,n1,gpus=4\n"), "nothing thrown");
  EXPECT_THAT(refusal("1,n0,gpus=2147483643\n2,n1,gpus=5\n"),
              ::testing::StartsWith("e.csv:3: column 'event': 'gpus=5'; expected a number"));
}

TEST(NodeEventsReader, NamesTheLineOfANodeThatIsNotThere) {
  const auto refusal = [](std::vector<Node> nodes) {
    return test::message_of([&nodes] {
      std::istringstream in("time_s,node,event\n1,n0,up\n2,n7,down\n");
      return read_node_events(in, "e.csv", nodes);
    });
  };
  EXPECT_EQ(refusal({{.id = {"n0"}}, {.id = {"n1"}}}),
            "e.csv:3: column 'node': 'n7'; expected one of the 2 nodes of the cluster, 'n0' to "
            "'n1'");
  EXPECT_EQ(refusal({{.id = {"n0"}}}),
            "e.csv:3: column 'node': 'n7'; expected the cluster's only node, 'n0'");
  EXPECT_EQ(refusal({{.id = {"n0"}}, {.id = {"n7"}}}), "nothing thrown");
  const auto renamed = test::message_of([] {
    std::istringstream in("time_s,node,event\n1,rack1-node7,up\n");
    return read_node_events(
        in, "e.csv", std::vector<Node>{{.id = {"rack1-node17"}}, {.id = {"login"}}});
  });
  EXPECT_THAT(renamed, ::testing::EndsWith("; did you mean 'rack1-node17'?"));
}

}  // namespace node_events_reader_test
}  // namespace voda

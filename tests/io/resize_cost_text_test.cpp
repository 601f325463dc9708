#include "voda/io/resize_cost_text.hpp"

#include "support/io_checks.hpp"

namespace voda {
namespace resize_cost_text_test {

using Kind = ResizeCost::Kind;

TEST(ResizeCostText, ReadsTheThreeForms) {
  EXPECT_EQ(parse_resize_cost("none"), ResizeCost{});
  EXPECT_EQ(parse_resize_cost("stall:30.5"), (ResizeCost{.kind = Kind::stall, .fixed_s = 30.5}));
  EXPECT_EQ(parse_resize_cost("restart:10,2.5"),
            (ResizeCost{.kind = Kind::restart, .fixed_s = 10, .per_doubling_s = 2.5}));
}

TEST(ResizeCostText, WritesWhatItReads) {
  for (const char* text : {"none", "stall:30.5", "restart:10,0.1"}) {
    EXPECT_EQ(to_text(parse_resize_cost(text)), text);
  }
}

TEST(ResizeCostText, QuotesWhatItRefuses) {
  const auto refusal = [](const char* text) {
    return test::message_of([text] { return parse_resize_cost(text); });
  };
  EXPECT_EQ(refusal(""), "resize cost '': expected none, stall:S or restart:A,B");
  EXPECT_EQ(refusal("stal:10"),
            "resize cost 'stal:10': expected none, stall:S or restart:A,B; did you mean 'stall'?");
  EXPECT_EQ(refusal("restart:10"), "resize cost 'restart:10': expected two numbers: restart:A,B");
  for (const char* number : {"", "-1", "nan", "inf", "1e10", "1,2", "x"}) {
    const std::string text = std::string("stall:") + number;
    EXPECT_EQ(refusal(text.c_str()),
              "resize cost '" + text + "': expected seconds from 0 to 1000000000 in place of '" +
                  number + "'");
  }
}

}  // namespace resize_cost_text_test
}  // namespace voda

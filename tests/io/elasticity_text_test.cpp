#include "voda/io/elasticity_text.hpp"

#include "support/io_checks.hpp"

namespace voda {
namespace elasticity_text_test {

using Kind = SizeBound::Kind;

TEST(ElasticityText, ReadsFactorsAndCounts) {
  EXPECT_EQ(parse_elasticity("0.5x:4x"),
            (Elasticity{.min = {.kind = Kind::factor, .value = 0.5},
                        .max = {.kind = Kind::factor, .value = 4}}));
  EXPECT_EQ(parse_elasticity("1:2x"),
            (Elasticity{.min = {.kind = Kind::gpus, .value = 1},
                        .max = {.kind = Kind::factor, .value = 2}}));
}

TEST(ElasticityText, WritesWhatItReads) {
  for (const char* text : {"0.5x:4x", "1:16", "1x:64"})
    EXPECT_EQ(to_text(parse_elasticity(text)), text);
}

TEST(ElasticityText, QuotesWhatItRefuses) {
  const auto refusal = [](const char* text) {
    return test::message_of([text] { return parse_elasticity(text); });
  };
  EXPECT_EQ(refusal("4x"), "elastic '4x': expected MIN:MAX, as in 0.5x:4x or 1:16");
  EXPECT_EQ(refusal("1:y"),
            "elastic '1:y': expected a number of GPUs like 4 or a multiple of the request like "
            "0.5x in place of 'y'");
  EXPECT_EQ(refusal("2x:4x"),
            "elastic '2x:4x': elastic minimum: 2x; expected a factor of at most 1");
  EXPECT_EQ(refusal("1x:0.5x"),
            "elastic '1x:0.5x': elastic maximum: 0.5x; expected a factor of at least 1");
  EXPECT_EQ(refusal("0:4"),
            "elastic '0:4': elastic minimum: 0; expected a whole number of GPUs >= 1");
  EXPECT_EQ(refusal("1.5:4"),
            "elastic '1.5:4': elastic minimum: 1.5; expected a whole number of GPUs >= 1");
  EXPECT_EQ(refusal("8:4"),
            "elastic '8:4': elastic minimum: 8 GPUs; expected at most the maximum, 4");
  EXPECT_EQ(refusal("-1x:4x"), "elastic '-1x:4x': elastic minimum: -1x; expected a factor > 0");
}

}  // namespace elasticity_text_test
}  // namespace voda

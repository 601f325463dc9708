#include "voda/model/number_text.hpp"

#include <gtest/gtest.h>

namespace voda {
namespace number_text_test {

TEST(NumberText, ReadsDecimalNumbers) {
  EXPECT_EQ(parse_number("16670.000000000004"), 16670.000000000004);
  EXPECT_EQ(parse_number("-0.5e3"), -500.0);
  EXPECT_EQ(parse_number(".5"), 0.5);
  EXPECT_EQ(parse_number("7."), 7.0);
}

TEST(NumberText, RefusesWhatIsNoFiniteDecimal) {
  for (const char* text : {"",
                           " 1",
                           "1 ",
                           "+1",
                           "0x10",
                           "nan",
                           "inf",
                           "-inf",
                           "1e999",
                           "1e",
                           "e5",
                           ".",
                           "-",
                           "1.2.3",
                           "1,5",
                           "--1",
                           "1e+",
                           "12a"}) {
    EXPECT_FALSE(parse_number(text)) << text;
    EXPECT_FALSE(parse_whole_number(text)) << text;
  }
}

TEST(NumberText, ReadsWholeNumbersAlsoWithPointOrExponent) {
  EXPECT_EQ(parse_whole_number("4"), 4);
  EXPECT_EQ(parse_whole_number("4.0"), 4);
  EXPECT_EQ(parse_whole_number("-1e3"), -1000);
  EXPECT_EQ(parse_whole_number("9223372036854775807"), INT64_MAX);
}

TEST(NumberText, RefusesFractionsAndOverflow) {
  EXPECT_FALSE(parse_whole_number("4.5"));
  EXPECT_FALSE(parse_whole_number("9223372036854775808"));
  EXPECT_FALSE(parse_whole_number("1e18"));  // a double cannot say whether it is exact
}

TEST(NumberText, FindsTheFirstByteThatIsNotUtf8) {
  // Unicode 15.0, table 3-7: overlong forms, surrogates and values above U+10FFFF are ill-formed.
  EXPECT_FALSE(find_invalid_utf8("plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"));
  EXPECT_EQ(find_invalid_utf8("ab\xFF"), 2u);
  EXPECT_EQ(find_invalid_utf8("a\xC0\x80"), 1u);
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0u);
  EXPECT_EQ(find_invalid_utf8("\xF4\x90\x80\x80"), 0u);
  EXPECT_EQ(find_invalid_utf8("abc\xE2\x82"), 3u);
}

TEST(NumberText, ShowsLongAndStrangeTextsBriefly) {
  EXPECT_EQ(shown("a\tb\xFFz"), "a?b?z");
  EXPECT_EQ(shown(std::string(100, 'x')), std::string(80, 'x') + "...");
}

}  // namespace number_text_test
}  // namespace voda

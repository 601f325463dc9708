#include "voda/policy/options.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "voda/model/error.hpp"

namespace options_test {

using testing::ElementsAre;
using voda::InvalidInput;
using voda::OptionReader;
using voda::Options;
using voda::OptionValue;
using voda::test::error_text;

enum class Colour : std::uint8_t { red, green };

/// One option of every type.
struct Paint {
  bool is_wet = false;
  std::int64_t coats = 2;
  double litres = 0.5;
  std::optional<double> gloss{};
  std::vector<double> mix{1, 2.5};
  Colour colour = Colour::red;

  void read(OptionReader& reader) {
    reader.read("is_wet", is_wet, "whether it drips")
        .read("coats", coats, {.min = 1, .max = 9}, "how often")
        .read("litres", litres, {}, "how much")
        .read("gloss", gloss, {.max = 1}, "how shiny")
        .read("mix", mix, {}, "parts")
        .read("colour", colour, {{"red", Colour::red}, {"green", Colour::green}}, "which");
  }
};

Paint paint(const Options& options) {
  return voda::options_from<Paint>("policy 'paint'", options);
}

std::string refusal(const Options& options) {
  return error_text<InvalidInput>([&] { return paint(options); });
}

TEST(OptionReader, AbsentOptionsKeepTheirDefaults) {
  const Paint result = paint({});

  EXPECT_FALSE(result.is_wet);
  EXPECT_EQ(result.coats, 2);
  EXPECT_EQ(result.litres, 0.5);
  EXPECT_EQ(result.gloss, std::nullopt);
  EXPECT_THAT(result.mix, ElementsAre(1, 2.5));
  EXPECT_EQ(result.colour, Colour::red);
}

TEST(OptionReader, ReadsTextAsEveryType) {
  const Paint result = paint({{"is_wet", "true"},
                              {"coats", "3"},
                              {"litres", ".25"},
                              {"gloss", "1e-1"},
                              {"mix", "1000/5000/0.5"},
                              {"colour", "green"}});

  EXPECT_TRUE(result.is_wet);
  EXPECT_EQ(result.coats, 3);
  EXPECT_EQ(result.litres, 0.25);
  EXPECT_EQ(result.gloss, 0.1);
  EXPECT_THAT(result.mix, ElementsAre(1000, 5000, 0.5));
  EXPECT_EQ(result.colour, Colour::green);
}

TEST(OptionReader, ReadsTypedValues) {
  const Paint result = paint({{"is_wet", true},
                              {"coats", 3.0},
                              {"litres", std::int64_t{4}},
                              {"gloss", 0.25},
                              {"mix", std::int64_t{7}}});

  EXPECT_TRUE(result.is_wet);
  EXPECT_EQ(result.coats, 3);
  EXPECT_EQ(result.litres, 4);
  EXPECT_EQ(result.gloss, 0.25);
  EXPECT_THAT(result.mix, ElementsAre(7));
}

TEST(OptionReader, NoneTakesAnOptionalNumberAway) {
  std::optional<double> field = 3;
  OptionReader reader("owner", {{"limit", "none"}});

  reader.read("limit", field, {}, "").finish();

  EXPECT_EQ(field, std::nullopt);
}

TEST(OptionReader, InfinityIsANumberWhereTheRangeAllowsIt) {
  double field = 0;
  OptionReader reader("owner", {{"limit", "inf"}});

  reader.read("limit", field, {.max = HUGE_VAL}, "");

  EXPECT_EQ(field, HUGE_VAL);
}

TEST(OptionReader, RefusesValuesThatDoNotFit) {
  EXPECT_EQ(refusal({{"is_wet", "yes"}}),
            "policy 'paint': option 'is_wet': 'yes'; expected true | false");
  EXPECT_EQ(refusal({{"is_wet", std::int64_t{1}}}),
            "policy 'paint': option 'is_wet': '1'; expected true | false");
  EXPECT_EQ(refusal({{"coats", "0"}}),
            "policy 'paint': option 'coats': '0'; expected a number from 1 to 9");
  EXPECT_EQ(refusal({{"coats", "2.5"}}),
            "policy 'paint': option 'coats': '2.5'; expected a whole number from 1 to 9");
  EXPECT_EQ(refusal({{"litres", "-1"}}),
            "policy 'paint': option 'litres': '-1'; expected a number >= 0");
  EXPECT_EQ(refusal({{"litres", true}}),
            "policy 'paint': option 'litres': 'true'; expected a number >= 0");
  EXPECT_EQ(refusal({{"gloss", "2"}}),
            "policy 'paint': option 'gloss': '2'; expected a number from 0 to 1");
  EXPECT_EQ(refusal({{"mix", "1//2"}}), "policy 'paint': option 'mix': ''; expected a number >= 0");
  EXPECT_EQ(refusal({{"mix", ""}}), "policy 'paint': option 'mix': ''; expected a number >= 0");
  EXPECT_EQ(refusal({{"mix", "1/a"}}), "policy 'paint': option 'mix': 'a'; expected a number >= 0");
  EXPECT_EQ(refusal({{"colour", "blue"}}),
            "policy 'paint': option 'colour': 'blue'; expected red | green");
}

TEST(OptionReader, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"", " 1", "1 ", "1x", "nan", "+1", "0x10", "1e999", "--1", "infinity", "inf"}) {
    EXPECT_NE(refusal({{"litres", text}}), "nothing thrown") << text;
  }
}

TEST(OptionReader, FinishListsTheKnownOptions) {
  EXPECT_EQ(refusal({{"color", "red"}}),
            "policy 'paint': unknown option 'color'; expected is_wet, coats, litres, gloss, mix, "
            "colour; did you mean 'colour'?");
  EXPECT_EQ(error_text<InvalidInput>([] {
              OptionReader("policy 'plain'", {{"x", "1"}}).finish();
              return 0;
            }),
            "policy 'plain': unknown option 'x'; it has no options");
}

TEST(OptionReader, DescribesEveryOption) {
  const auto described = voda::describe_options<Paint>();

  std::vector<std::string> lines;
  for (const auto& option : described) {
    lines.push_back(option.name + " = " + option.default_value + " (" + option.expected +
                    "): " + option.summary);
  }
  EXPECT_THAT(lines,
              ElementsAre("is_wet = false (true | false): whether it drips",
                          "coats = 2 (a whole number from 1 to 9): how often",
                          "litres = 0.5 (a number >= 0): how much",
                          "gloss = none (a number from 0 to 1, or none): how shiny",
                          "mix = 1/2.5 (numbers >= 0, written a/b/c): parts",
                          "colour = red (red | green): which"));
}

TEST(OptionValue, IsWrittenAsItsAuthorWould) {
  EXPECT_EQ(voda::to_text(OptionValue(true)), "true");
  EXPECT_EQ(voda::to_text(OptionValue(std::int64_t{-4})), "-4");
  EXPECT_EQ(voda::to_text(OptionValue(0.5)), "0.5");
  EXPECT_EQ(voda::to_text(OptionValue(std::string("a/b"))), "a/b");
}

}  // namespace options_test

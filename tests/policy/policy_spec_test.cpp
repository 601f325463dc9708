#include "voda/policy/policy_spec.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/error_text.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace policy_spec_test {

using voda::InvalidInput;
using voda::Options;
using voda::parse_policy_spec;
using voda::PolicySpec;
using voda::test::error_text;

std::string refusal(std::string_view text) {
  return error_text<InvalidInput>([text] { return parse_policy_spec(text); });
}

TEST(PolicySpec, ReadsANameAlone) {
  const PolicySpec spec = parse_policy_spec("elastic_fifo");

  EXPECT_EQ(spec.name, "elastic_fifo");
  EXPECT_TRUE(spec.options.empty());
  EXPECT_TRUE(spec.wrappers.empty());
}

TEST(PolicySpec, ReadsVodasSpelling) {
  EXPECT_EQ(parse_policy_spec("AFS-L").name, "AFS-L");
}

TEST(PolicySpec, ReadsOptionsAsText) {
  const PolicySpec spec = parse_policy_spec("tiresias:thresholds=1000/5000,knob=0.5");

  EXPECT_EQ(spec.name, "tiresias");
  EXPECT_EQ(spec.options, (Options{{"thresholds", "1000/5000"}, {"knob", "0.5"}}));
}

TEST(PolicySpec, AValueMayHoldEqualsAndColons) {
  EXPECT_EQ(parse_policy_spec("a:b=c=d:e").options, (Options{{"b", "c=d:e"}}));
}

TEST(PolicySpec, ReadsAWrapper) {
  const PolicySpec spec = parse_policy_spec("hysteresis(min_gain=0.1,min_run_s=600)/afs_l:x=1");

  ASSERT_EQ(spec.wrappers.size(), 1U);
  EXPECT_EQ(spec.wrappers[0].name, "hysteresis");
  EXPECT_EQ(spec.wrappers[0].options, (Options{{"min_gain", "0.1"}, {"min_run_s", "600"}}));
  EXPECT_EQ(spec.name, "afs_l");
  EXPECT_EQ(spec.options, (Options{{"x", "1"}}));
}

TEST(PolicySpec, ReadsWrappersFromTheOutside) {
  const PolicySpec spec = parse_policy_spec("a()/b(c=1)/d");

  ASSERT_EQ(spec.wrappers.size(), 2U);
  EXPECT_EQ(spec.wrappers[0].name, "a");
  EXPECT_TRUE(spec.wrappers[0].options.empty());
  EXPECT_EQ(spec.wrappers[1].name, "b");
  EXPECT_EQ(spec.name, "d");
}

TEST(PolicySpec, AWrappersOptionMayHoldAList) {
  const PolicySpec spec = parse_policy_spec("queues(tree=a:1/b:2)/fifo");

  ASSERT_EQ(spec.wrappers.size(), 1U);
  EXPECT_EQ(spec.wrappers[0].options, (Options{{"tree", "a:1/b:2"}}));
  EXPECT_EQ(spec.name, "fifo");
}

TEST(PolicySpec, ParenthesesInAnOptionOfThePolicyMakeNoWrapper) {
  EXPECT_EQ(parse_policy_spec("fifo:x=(1)/2").options, (Options{{"x", "(1)/2"}}));
}

TEST(PolicySpec, ReadsPythonPolicies) {
  EXPECT_EQ(parse_policy_spec("py:my.module:Equal_Share").name, "py:my.module:Equal_Share");

  const PolicySpec spec = parse_policy_spec("py:m:C:share=2,b=x");
  EXPECT_EQ(spec.name, "py:m:C");
  EXPECT_EQ(spec.options, (Options{{"share", "2"}, {"b", "x"}}));
}

TEST(PolicySpec, ReadsAPythonPolicyInAWrapper) {
  EXPECT_EQ(parse_policy_spec("hysteresis(min_gain=0)/py:m:C").name, "py:m:C");
}

TEST(PolicySpec, QuotesTheTextAndSaysWhatWasExpected) {
  const std::string a_name = "expected a name made of letters, digits, '_', '-' and '.'";

  EXPECT_EQ(refusal(""), "policy '': " + a_name);
  EXPECT_EQ(refusal("fi fo"), "policy 'fi fo': " + a_name);
  EXPECT_EQ(refusal(":a=1"), "policy ':a=1': " + a_name);
  EXPECT_EQ(refusal("a/b"), "policy 'a/b': " + a_name);
  EXPECT_EQ(refusal("fifo:"), "policy 'fifo:': expected option=value in place of ''");
  EXPECT_EQ(refusal("fifo:size"), "policy 'fifo:size': expected option=value in place of 'size'");
  EXPECT_EQ(refusal("fifo:size="),
            "policy 'fifo:size=': expected option=value in place of 'size='");
  EXPECT_EQ(refusal("fifo:=1"), "policy 'fifo:=1': expected option=value in place of '=1'");
  EXPECT_EQ(refusal("fifo:a=1,"), "policy 'fifo:a=1,': expected option=value in place of ''");
  EXPECT_EQ(refusal("fifo:a=1,a=2"), "policy 'fifo:a=1,a=2': expected option 'a' once");
}

TEST(PolicySpec, RefusesBrokenWrappers) {
  EXPECT_EQ(refusal("(a=1)/fifo"), "policy '(a=1)/fifo': expected a wrapper's name before '('");
  EXPECT_EQ(refusal("h(a=1/fifo"), "policy 'h(a=1/fifo': expected ')' after '('");
  EXPECT_EQ(refusal("h(a=1)"), "policy 'h(a=1)': expected '/' and a policy after ')'");
  EXPECT_EQ(refusal("h(a=1)fifo"), "policy 'h(a=1)fifo': expected '/' and a policy after ')'");
  EXPECT_EQ(refusal("h(a)/fifo"), "policy 'h(a)/fifo': expected option=value in place of 'a'");
  EXPECT_EQ(refusal("h()/"),
            "policy 'h()/': expected a name made of letters, digits, '_', '-' and '.'");
}

TEST(PolicySpec, RefusesBrokenPythonNames) {
  for (const char* text : {"py:", "py:m", "py:m:", "py::C", "py:m:C:", "py:m n:C"}) {
    EXPECT_NE(refusal(text), "nothing thrown") << text;
  }
  EXPECT_EQ(refusal("py:m"), "policy 'py:m': expected py:module:Class");
}

/// A spec as its author would write it.
std::string written(const PolicySpec& spec) {
  const auto list = [](const Options& options) {
    std::string result;
    for (const auto& [name, value] : options) {
      result += (result.empty() ? "" : ",") + name + "=" + voda::to_text(value);
    }
    return result;
  };
  std::string result;
  for (const auto& wrapper : spec.wrappers)
    result += wrapper.name + "(" + list(wrapper.options) + ")/";
  return result + spec.name + (spec.options.empty() ? "" : ":" + list(spec.options));
}

RC_GTEST_PROP(PolicySpec, AnyTextParsesOrIsRefused, ()) {
  const auto letters = rc::gen::elementOf(std::string("ab:=,/()py. -_1"));
  const std::string text = *rc::gen::container<std::string>(letters);

  PolicySpec spec;
  try {
    spec = parse_policy_spec(text);
  } catch (const InvalidInput& error) {
    RC_ASSERT(
        std::string(error.what()).starts_with("policy '" + voda::shown(text) + "': expected "));
    return;
  }

  RC_ASSERT(!spec.name.empty());
  RC_ASSERT(written(parse_policy_spec(written(spec))) == written(spec));
}

RC_GTEST_PROP(PolicySpec, AnyBytesParseOrAreRefused, (const std::string& text)) {
  try {
    RC_ASSERT(!parse_policy_spec(text).name.empty());
  } catch (const InvalidInput& error) {
    RC_ASSERT(!std::string(error.what()).empty());
  }
}

}  // namespace policy_spec_test

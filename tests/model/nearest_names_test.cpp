#include "voda/model/nearest_names.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace nearest_names_test {

using testing::ElementsAre;
using testing::IsEmpty;
using voda::did_you_mean;
using voda::edit_distance;
using voda::nearest_names;

constexpr std::string_view letters = "ab";
constexpr std::size_t longest = 5;

/// Every text that one edit makes of `text`, by the definition of an edit.
std::vector<std::string> edited(const std::string& text) {
  std::vector<std::string> result;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    for (const char letter : letters) {
      result.push_back(text.substr(0, at) + letter + text.substr(at));
      if (at < text.size())
        result.push_back(text.substr(0, at) + letter + text.substr(at + 1));
    }
    if (at < text.size())
      result.push_back(text.substr(0, at) + text.substr(at + 1));
    if (at + 1 < text.size()) {
      result.push_back(text);
      std::swap(result.back()[at], result.back()[at + 1]);
    }
  }
  return result;
}

/// The fewest edits between two texts, by trying all of them; texts on the way may be as long as both together.
std::size_t distance_by_search(const std::string& from, const std::string& to) {
  std::map<std::string, std::size_t> edits{{from, 0}};
  std::queue<std::string> open({from});
  while (!open.empty() && !edits.contains(to)) {
    const std::string text = open.front();
    open.pop();
    for (const std::string& next : edited(text)) {
      if (next.size() <= from.size() + to.size() && edits.emplace(next, edits[text] + 1).second)
        open.push(next);
    }
  }
  return edits.at(to);
}

rc::Gen<std::string> short_texts() {
  return rc::gen::resize(longest,
                         rc::gen::container<std::string>(rc::gen::elementOf(std::string(letters))));
}

RC_GTEST_PROP(EditDistance, IsTheLengthOfTheShortestWayOfEdits, ()) {
  const std::string a = *short_texts();
  const std::string b = *short_texts();

  RC_ASSERT(edit_distance(a, b) == distance_by_search(a, b));
}

RC_GTEST_PROP(EditDistance, IsAMetric, ()) {
  const auto text = rc::gen::container<std::string>(rc::gen::elementOf(std::string("abcA_")));
  const std::string a = *text;
  const std::string b = *text;
  const std::string c = *text;

  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT(edit_distance(a, a) == 0U);
  RC_ASSERT(edit_distance(a, c) <= edit_distance(a, b) + edit_distance(b, c));
}

TEST(EditDistance, OfTextbookExamples) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("ca", "abc"), 2U);  // 3 where a swapped pair may not be edited again
  EXPECT_EQ(edit_distance("fifo", "ffio"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("FIFO", "fifo"), 0U);
}

const std::vector<std::string_view> policies{
    "fifo", "elastic_fifo", "srjf", "elastic_srjf", "tiresias", "elastic_tiresias"};

TEST(NearestNames, AreThoseWithTheFewestEdits) {
  EXPECT_THAT(nearest_names("elastic_tiresia", policies), ElementsAre("elastic_tiresias"));
  EXPECT_THAT(nearest_names("Elastic-FIFO", policies), ElementsAre("elastic_fifo"));
  EXPECT_THAT(nearest_names("srtf", policies), ElementsAre("srjf"));
  EXPECT_THAT(nearest_names("lifo", policies), ElementsAre("fifo"));
}

TEST(NearestNames, AreNoneWhenAllAreFar) {
  EXPECT_THAT(nearest_names("roundrobin", policies), IsEmpty());
  EXPECT_THAT(nearest_names("", policies), IsEmpty());
  // Two edits of four letters are more than a third; one of three is a third; one of two is more.
  EXPECT_THAT(nearest_names("sjfq", policies), IsEmpty());
  EXPECT_THAT(nearest_names("abd", std::vector<std::string_view>{"abc"}), ElementsAre("abc"));
  EXPECT_THAT(nearest_names("n4", std::vector<std::string_view>{"n0", "n1"}), IsEmpty());
}

TEST(NearestNames, AreTheFirstThreeOfThoseThatAreAsNear) {
  const std::vector<std::string_view> nodes{
      "node-7", "rack", "node-2", "node-12", "node-1", "node-4"};

  EXPECT_THAT(nearest_names("node-9", nodes), ElementsAre("node-7", "node-2", "node-1"));
  EXPECT_THAT(nearest_names("node-122", nodes), ElementsAre("node-12"));
}

TEST(NearestNames, AreNotSoughtForLongTexts) {
  const std::string most(64, 'x');
  const std::string more = most + "x";

  EXPECT_THAT(nearest_names(most, std::vector<std::string_view>{most}), ElementsAre(most));
  EXPECT_THAT(nearest_names(most, std::vector<std::string_view>{more}), IsEmpty());
  EXPECT_THAT(nearest_names(more, std::vector<std::string_view>{most}), IsEmpty());
}

RC_GTEST_PROP(NearestNames, AreAllOfTheNearestUpToThree, ()) {
  const std::string name = *short_texts();
  const auto known = *rc::gen::unique<std::vector<std::string>>(short_texts());

  const std::vector<std::string_view> views(known.begin(), known.end());
  const auto allowed = [&name](std::string_view one) {
    return distance_by_search(name, std::string(one)) * 3 <= std::max(name.size(), one.size());
  };
  std::vector<std::string_view> expected;
  for (const std::string_view one : views) {
    const auto is_nearer = [&](std::string_view other) {
      return allowed(other) && distance_by_search(name, std::string(other)) <
                                   distance_by_search(name, std::string(one));
    };
    if (allowed(one) && std::ranges::none_of(views, is_nearer) && expected.size() < 3)
      expected.push_back(one);
  }
  RC_ASSERT(nearest_names(name, views) == expected);
}

TEST(DidYouMean, EndsAMessage) {
  EXPECT_EQ(did_you_mean("fiffo", policies), "; did you mean 'fifo'?");
  EXPECT_EQ(did_you_mean("roundrobin", policies), "");
  EXPECT_EQ(did_you_mean("job-9", std::vector<std::string>{"job-1", "job-2"}),
            "; did you mean 'job-1' or 'job-2'?");
  EXPECT_EQ(did_you_mean("job-9", std::vector<std::string>{"job-1", "job-2", "job-3", "job-4"}),
            "; did you mean 'job-1', 'job-2' or 'job-3'?");
}

TEST(DidYouMean, ShowsNothingThatATerminalObeys) {
  EXPECT_EQ(did_you_mean("job-[31m", std::vector<std::string>{"job-\x1B[31m"}),
            "; did you mean 'job-?[31m'?");
}

}  // namespace nearest_names_test

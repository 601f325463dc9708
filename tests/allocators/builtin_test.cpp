#include "voda/allocators/builtin.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/policies.hpp"
#include "voda/model/error.hpp"

namespace builtin_test {

using testing::ElementsAre;
using voda::builtin_allocators;
using voda::test::error_text;

TEST(BuiltinAllocators, AreTheEightPoliciesWithVodasSpellings) {
  std::vector<std::string> names;
  const auto registry = builtin_allocators();
  for (const auto& entry : registry.entries()) {
    for (const auto& alias : entry.aliases)
      names.push_back(entry.name + " " + alias);
  }

  EXPECT_THAT(names,
              ElementsAre("fifo FIFO",
                          "elastic_fifo ElasticFIFO",
                          "srjf SRJF",
                          "elastic_srjf ElasticSRJF",
                          "tiresias Tiresias",
                          "elastic_tiresias ElasticTiresias",
                          "ffdl FfDLOptimizer",
                          "afs_l AFS-L"));
}

TEST(BuiltinAllocators, MakeByNameAndAlias) {
  const auto registry = builtin_allocators();
  for (const auto& entry : registry.entries()) {
    EXPECT_NE(registry.make(entry.name), nullptr);
    for (const auto& alias : entry.aliases)
      EXPECT_NE(registry.make(alias), nullptr);
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
  }
}

/// "name=default" of every option of a policy.
std::vector<std::string> options_of(const std::string& policy) {
  std::vector<std::string> result;
  const auto registry = builtin_allocators();
  for (const auto& option : registry.find(policy).options) {
    EXPECT_FALSE(option.summary.empty()) << option.name;
    EXPECT_FALSE(option.expected.empty()) << option.name;
    result.push_back(option.name + "=" + option.default_value);
  }
  return result;
}

TEST(BuiltinAllocators, DescribeTheirOptions) {
  EXPECT_THAT(options_of("fifo"), ElementsAre("size=requested", "blocked=skip", "preempt=false"));
  EXPECT_THAT(options_of("elastic_fifo"), ElementsAre("grow=round_robin"));
  EXPECT_THAT(options_of("srjf"), ElementsAre("rank=time", "size=requested"));
  EXPECT_THAT(options_of("elastic_srjf"), ElementsAre("grow=round_robin", "rank=work"));
  EXPECT_THAT(options_of("tiresias"), ElementsAre("thresholds=3600", "knob=8"));
  EXPECT_THAT(options_of("elastic_tiresias"),
              ElementsAre("thresholds=3600", "knob=8", "compact_above=10"));
  EXPECT_THAT(options_of("ffdl"), ElementsAre());
  EXPECT_THAT(options_of("afs_l"), ElementsAre());
}

TEST(BuiltinAllocators, AcceptTheirOwnDefaults) {
  const auto registry = builtin_allocators();
  for (const auto& entry : registry.entries()) {
    voda::Options defaults;
    for (const auto& option : entry.options)
      defaults[option.name] = option.default_value;
    EXPECT_NO_THROW(static_cast<void>(registry.make(entry.name, defaults))) << entry.name;
  }
}

TEST(BuiltinAllocators, UnknownNamesListTheKnownOnes) {
  EXPECT_EQ(error_text<voda::UnknownName>([] { return voda::test::policy("lifo"); }),
            "unknown policy 'lifo'; expected one of fifo, elastic_fifo, srjf, elastic_srjf, "
            "tiresias, elastic_tiresias, "
            "ffdl, afs_l; did you mean 'fifo'?");
}

TEST(BuiltinAllocators, UnknownOptionsListTheKnownOnes) {
  const auto text = [](const char* written) {
    return error_text<voda::InvalidInput>([written] { return voda::test::policy(written); });
  };

  EXPECT_EQ(text("srjf:blocked=wait"),
            "policy 'srjf': unknown option 'blocked'; expected rank, size");
  EXPECT_EQ(text("afs_l:x=1"), "policy 'afs_l': unknown option 'x'; it has no options");
  EXPECT_EQ(text("fifo:blocked=no"), "policy 'fifo': option 'blocked': 'no'; expected skip | wait");
  EXPECT_EQ(text("elastic_tiresias:compact_above=1.5"),
            "policy 'elastic_tiresias': option 'compact_above': '1.5'; expected a whole number "
            "from 0 to 1000000000");
}

TEST(BuiltinAllocators, EachCallGivesAFreshValue) {
  auto mine = builtin_allocators();
  mine.add({.name = "mine",
            .make = [](const voda::Options&) { return std::unique_ptr<voda::Allocator>{}; }});

  EXPECT_EQ(mine.entries().size(), 9U);
  const auto fresh = builtin_allocators();
  EXPECT_EQ(fresh.entries().size(), 8U);
}

}  // namespace builtin_test

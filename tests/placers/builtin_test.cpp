#include "voda/placers/builtin.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/placement_builders.hpp"
#include "voda/model/error.hpp"

namespace builtin_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using voda::builtin_placers;
using voda::test::PlacementBuilder;

TEST(BuiltinPlacers, AreKnownByName) {
  const auto placers = builtin_placers();
  std::vector<std::string> names;
  for (const auto& entry : placers.entries())
    names.push_back(entry.name);

  EXPECT_THAT(names, ElementsAre("steady", "repack", "spread"));
}

TEST(BuiltinPlacers, ReadBeta) {
  const auto problem = PlacementBuilder()
                           .node("a", 4)
                           .node("b", 4)
                           .job({.id = "split", .gpus = 4, .current = {"a", "a", "b", "b"}})
                           .build();
  const auto placers = builtin_placers();

  EXPECT_EQ(placers.make("steady")->place(problem).cost.moved, 2);
  EXPECT_EQ(placers.make("steady", {{"beta", 0.0}})->place(problem).cost.moved, 0);
  EXPECT_EQ(placers.make("steady", {{"beta", std::string("inf")}})->place(problem).cost.moved, 2);
}

TEST(BuiltinPlacers, RefuseANegativeBeta) {
  EXPECT_THAT([] { static_cast<void>(builtin_placers().make("steady", {{"beta", -1.0}})); },
              ThrowsMessage<voda::InvalidInput>(HasSubstr("beta")));
}

TEST(BuiltinPlacers, RefuseOptionsOfAPlacerWithoutAny) {
  EXPECT_THAT([] { static_cast<void>(builtin_placers().make("repack", {{"beta", 1.0}})); },
              ThrowsMessage<voda::InvalidInput>(HasSubstr("beta")));
}

}  // namespace builtin_test

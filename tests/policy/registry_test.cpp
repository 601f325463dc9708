#include "voda/policy/registry.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "voda/model/error.hpp"

namespace registry_test {

using voda::InvalidInput;
using voda::Options;
using voda::Registry;
using voda::UnknownName;
using voda::test::error_text;

struct Animal {
  std::string sound{};
};

Registry<Animal>::Entry animal(std::string name,
                               std::vector<std::string> aliases,
                               std::string sound) {
  return {.name = std::move(name),
          .aliases = std::move(aliases),
          .make = [sound](const Options& options) {
            return std::make_unique<Animal>(Animal{sound + std::to_string(options.size())});
          }};
}

Registry<Animal> farm() {
  Registry<Animal> registry("animal");
  registry.add(animal("cow", {"Cow", "kine"}, "moo")).add(animal("dog", {}, "woof"));
  return registry;
}

TEST(Registry, MakesByNameAndByAliasWithOptions) {
  const Registry<Animal> registry = farm();

  EXPECT_EQ(registry.make("dog")->sound, "woof0");
  EXPECT_EQ(registry.make("kine", {{"loud", true}})->sound, "moo1");
  EXPECT_EQ(registry.find("Cow").name, "cow");
}

TEST(Registry, ListsEntriesInTheOrderAdded) {
  const Registry<Animal> registry = farm();

  ASSERT_EQ(registry.entries().size(), 2U);
  EXPECT_EQ(registry.entries()[0].name, "cow");
  EXPECT_EQ(registry.entries()[1].name, "dog");
}

TEST(Registry, IsAValue) {
  Registry<Animal> copy = farm();
  const Registry<Animal> before = copy;

  copy.add(animal("cat", {}, "meow"));

  EXPECT_EQ(copy.make("cat")->sound, "meow0");
  EXPECT_EQ(before.entries().size(), 2U);
}

TEST(Registry, RefusesATakenNameAndStaysAsItWas) {
  Registry<Animal> registry = farm();
  const auto refusal = [&registry](Registry<Animal>::Entry entry) {
    return error_text<InvalidInput>([&] { return registry.add(entry).entries().size(); });
  };

  EXPECT_EQ(refusal(animal("cow", {}, "")), "animal 'cow': the name is taken; expected a new one");
  EXPECT_EQ(refusal(animal("kine", {}, "")),
            "animal 'kine': the name is taken; expected a new one");
  EXPECT_EQ(refusal(animal("cat", {"dog"}, "")),
            "animal 'dog': the name is taken; expected a new one");
  EXPECT_EQ(registry.entries().size(), 2U);
}

TEST(Registry, UnknownNamesListTheKnownOnes) {
  EXPECT_EQ(error_text<UnknownName>([] { return farm().make("cwo"); }),
            "unknown animal 'cwo'; expected one of cow, dog; did you mean 'cow'?");
}

}  // namespace registry_test

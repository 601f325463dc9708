#include "command_line/program.hpp"

#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"
#include "voda/config.hpp"

namespace voda::test {
namespace program_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// A device without room.
class FullBuffer final : public std::streambuf {
 protected:
  int_type overflow(int_type) override { return traits_type::eof(); }
};

const std::string small_snapshot = R"({"version": 1, "gpus": 2, "jobs": [{"id": "a"}]})";

TEST(Program, SaysItsVersion) {
  const auto result = run_command({"--version"});

  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "voda " VODA_VERSION "\n");
}

TEST(Program, HelpListsEveryCommand) {
  const auto result = run_command({"--help"});

  EXPECT_EQ(result.status, 0);
  for (const char* name : {"simulate",
                           "compare",
                           "generate",
                           "fit",
                           "allocate",
                           "place",
                           "decide",
                           "explain",
                           "assign",
                           "policies"}) {
    EXPECT_THAT(result.out, HasSubstr(name));
    EXPECT_THAT(run_command({name, "--help"}).out, HasSubstr("Usage: voda " + std::string(name)));
    EXPECT_EQ(run_command({"help", name}).out, run_command({name, "--help"}).out);
  }
}

TEST(Program, UnknownCommandIsUsageAndListsTheKnownOnes) {
  const auto result = run_command({"frobnicate"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(
      result.err,
      AllOf(HasSubstr("voda: unknown command 'frobnicate'"), HasSubstr("simulate, compare")));
}

TEST(Program, NoCommandIsUsage) {
  EXPECT_EQ(run_command({}).status, 2);
}

TEST(Program, UnknownOptionIsUsageAndListsTheKnownOnes) {
  const auto result = run_command({"allocate", "--polcy", "fifo", "-"});

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("--polcy"), HasSubstr("--policy"), HasSubstr("--jsonl")));
}

TEST(Program, UnknownPolicyIsUsageAndListsTheKnownOnes) {
  const auto result = run_command({"allocate", "--policy", "lifo", "-"}, small_snapshot);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("'lifo'"), HasSubstr("elastic_tiresias")));
}

TEST(Program, UnknownPlacerIsUsageAndListsTheKnownOnes) {
  const auto result = run_command({"decide", "--placer", "tight", "-"}, small_snapshot);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("'tight'"), HasSubstr("repack")));
}

TEST(Program, BadPolicyOptionsAreUsage) {
  for (const char* policy : {"fifo:size=3",
                             "fifo:colour=red",
                             "fifo:",
                             "fifo:size",
                             "fifo:size=minimum,size=minimum",
                             "tiresias:thresholds=5/x",
                             "",
                             "f i f o",
                             "\xFF"}) {
    const auto result = run_command({"allocate", "--policy", policy, "-"}, small_snapshot);

    EXPECT_EQ(result.status, 2) << policy;
    EXPECT_THAT(result.err, HasSubstr("--policy")) << policy;
  }
}

TEST(Program, PythonPoliciesNeedThePythonEntryPoint) {
  const auto result =
      run_command({"allocate", "--policy", "py:mine:Fair:x=1", "-"}, small_snapshot);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("py:mine:Fair"), HasSubstr("Python entry point")));
}

TEST(Program, UnknownWrapperIsNamed) {
  const auto result =
      run_command({"allocate", "--policy", "hysterics(min_gain=0.1)/fifo", "-"}, small_snapshot);

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err,
              HasSubstr("unknown wrapper 'hysterics'; expected one of hysteresis; did "
                        "you mean 'hysteresis'?"));
}

TEST(Program, AWrapperGoesAroundAnyPolicy) {
  const auto result =
      run_command({"allocate", "--policy", "hysteresis(min_gain=0.1)/fifo", "-"}, small_snapshot);

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, run_command({"allocate", "--policy", "fifo", "-"}, small_snapshot).out);
}

TEST(Program, MissingFileIsRefusedByName) {
  const auto result = run_command({"allocate", "no-such-file.json"});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("voda: no-such-file.json"), HasSubstr("No such file")));
}

TEST(Program, EmptyOptionValuesAreRefused) {
  // As a script gives them whose variable was never set; they used to count as no option.
  for (const char* option : {"--out", "--speedups", "--node-events", "--elastic", "--mtbf"}) {
    const auto result = run_command({"simulate", "-", "--cluster", "1x4", option, ""});

    EXPECT_EQ(result.status, 2) << option;
    EXPECT_EQ(
        result.err,
        std::string("voda: simulate: ") + option + ": ''; expected a value that is not empty\n");
  }
  EXPECT_EQ(run_command({"generate", "--out", ""}).status, 2);
  EXPECT_EQ(run_command({"allocate", ""}).status, 2);
}

TEST(Program, DirectoryIsNoInput) {
  const TestDirectory directory;

  const auto result = run_command({"allocate", directory / "."});

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("directory"));
}

TEST(Program, FullOutputIsAnError) {
  FullBuffer full;
  std::ostream out(&full);
  std::istringstream in;
  std::ostringstream err;
  const std::vector<std::string> arguments{"policies"};

  const int status = command_line::run(arguments, in, out, err, command_line::plain_environment());

  EXPECT_EQ(status, 1);
  EXPECT_THAT(err.str(), HasSubstr("standard output"));
}

TEST(Program, PoliciesListsOptionsWithDefaults) {
  const auto text = run_command({"policies"});
  const auto json = run_command({"policies", "--json"}).json();

  EXPECT_THAT(text.out,
              AllOf(HasSubstr("afs_l"),
                    HasSubstr("AFS-L"),
                    HasSubstr("thresholds=3600"),
                    HasSubstr("steady")));
  ASSERT_EQ(json["policies"].size(), 8U);
  EXPECT_EQ(json["policies"][0]["name"], "fifo");
  EXPECT_EQ(json["policies"][0]["aliases"][0], "FIFO");
  EXPECT_EQ(json["policies"][0]["options"][0]["name"], "size");
  EXPECT_EQ(json["policies"][0]["options"][0]["default"], "requested");
  EXPECT_EQ(json["policies"][0]["options"][0]["expected"], "requested | minimum");
}

TEST(Program, PoliciesOfTheEnvironmentCanBeNamed) {
  auto environment = command_line::plain_environment();
  auto entry = environment.policies.allocators.find("fifo");
  entry.name = "first_come";
  entry.aliases.clear();
  environment.policies.allocators.add(entry);

  const auto result =
      run_command({"allocate", "--policy", "first_come", "-"}, small_snapshot, environment);

  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.json()["gpus"]["a"], 1);
}

}  // namespace program_test
}  // namespace voda::test

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/command.hpp"
#include "support/command_runner.hpp"
#include "support/shell_runner.hpp"

namespace voda::test {
namespace examples_test {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

/// The files that the examples of help read.
void write_inputs(const TestDirectory& directory) {
  const std::string nodes = R"("nodes": [{"id": "n0", "gpus": 4}, {"id": "n1", "gpus": 4}])";
  const std::string jobs =
      R"("jobs": [{"id": "bert", "submitted": 0, "work_s": 900, "requested_gpus": 2, "max_gpus": 4},
                  {"id": "resnet", "submitted": 5, "work_s": 600, "requested_gpus": 3, "max_gpus": 6}])";
  directory.write("snapshot.json", "{\"version\": 1, " + nodes + ", " + jobs + "}");
  directory.write("snapshots.jsonl",
                  "{\"version\": 1, " + nodes + "}\n{\"version\": 1, " + nodes + "}\n");
  directory.write(
      "allocated.json",
      "{\"version\": 1, " + nodes + ", " + jobs + R"(, "allocation": {"bert": 2, "resnet": 3}})");
  directory.write("costs.csv", "4,1,3\n2,0,5\n3,2,2\n");
  directory.write("trace.csv",
                  "id,submitted,requested_gpus,work_s,min_gpus,max_gpus\n"
                  "a,0,2,100,1,4\nb,10,4,400,2,8\nc,20,1,50,1,1\n");
}

class EveryCommand : public testing::TestWithParam<const command_line::CommandEntry*> {};

std::vector<const command_line::CommandEntry*> all_commands() {
  std::vector<const command_line::CommandEntry*> result;
  for (const auto& entry : command_line::commands())
    result.push_back(&entry);
  return result;
}

INSTANTIATE_TEST_SUITE_P(Help,
                         EveryCommand,
                         testing::ValuesIn(all_commands()),
                         [](const auto& one) { return std::string(one.param->name); });

TEST_P(EveryCommand, HasExamplesThatWork) {
  const auto command = GetParam()->make();
  const auto examples = command->examples();
  const std::string help = run_command({std::string(GetParam()->name), "--help"}).out;

  ASSERT_THAT(examples, testing::Not(IsEmpty())) << "describe at least one in examples()";
  for (const auto& example : examples) {
    const TestDirectory directory;
    write_inputs(directory);
    const auto result = run_shell(directory, std::string(example.line));

    EXPECT_EQ(result.status, 0) << example.line << '\n' << result.err;
    EXPECT_THAT(result.err, IsEmpty()) << example.line;
    EXPECT_THAT(help, HasSubstr(std::string(example.line)));
    EXPECT_THAT(help, HasSubstr(std::string(example.meaning)));
    EXPECT_THAT(example.line, HasSubstr("voda " + std::string(GetParam()->name)));
  }
}

}  // namespace examples_test
}  // namespace voda::test

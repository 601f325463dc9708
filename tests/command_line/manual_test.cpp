#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/command.hpp"
#include "command_line/described_command.hpp"
#include "support/command_runner.hpp"
#include "support/shell_runner.hpp"

namespace voda::test {
namespace manual_test {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Manual, IsWellFormed) {
  const TestDirectory directory;

  const auto result =
      run_shell(directory, "voda manual >voda.1 && mandoc -T lint -W warning voda.1");

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out + result.err, IsEmpty());
}

TEST(Manual, IsReadWithoutWarningsByMan) {
  const TestDirectory directory;

  const auto result = run_shell(
      directory,
      "voda manual >voda.1 && LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l voda.1 >/dev/null");

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, IsEmpty());
}

/// As a reader sees the page.
std::string formatted_page() {
  const TestDirectory directory;
  return run_shell(directory, "voda manual | mandoc -T utf8 -O width=300 | col -b").out;
}

TEST(Manual, HasEveryCommandOptionAndExample) {
  const std::string page = formatted_page();

  for (const auto& entry : command_line::commands()) {
    const auto described = command_line::describe(entry);
    EXPECT_THAT(page, HasSubstr("\n   " + std::string(entry.name) + "\n"));
    EXPECT_THAT(page, HasSubstr(std::string(entry.summary)));
    for (const auto& option : command_line::option_texts(*described.app)) {
      EXPECT_THAT(page, HasSubstr(option.names)) << entry.name;
      EXPECT_THAT(page, HasSubstr(option.summary)) << entry.name;
    }
    for (const auto& example : described.command->examples())
      EXPECT_THAT(page, HasSubstr(std::string(example.line)));
  }
  for (const char* section : {"EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"})
    EXPECT_THAT(page, HasSubstr(section));
}

}  // namespace manual_test
}  // namespace voda::test

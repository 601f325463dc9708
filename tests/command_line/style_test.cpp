#include "command_line/style.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/status.hpp"
#include "support/command_runner.hpp"
#include "support/shell_runner.hpp"
#include "support/terminal.hpp"

namespace voda::test {
namespace style_test {

using command_line::ColorChoice;
using command_line::Emphasis;
using command_line::style_for;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* escape = "\x1b[";

TEST(Style, ColoursWhereAskedForOrOnATerminalWhereNobodyObjects) {
  struct Case {
    ColorChoice choice{};
    bool is_terminal = false;
    bool is_unwanted = false;
    bool is_coloured = false;
  };

  for (const Case& one : {Case{ColorChoice::automatic, true, false, true},
                          Case{ColorChoice::automatic, true, true, false},
                          Case{ColorChoice::automatic, false, false, false},
                          Case{ColorChoice::always, false, true, true},
                          Case{ColorChoice::never, true, false, false}}) {
    const auto style = style_for(one.choice, one.is_terminal, one.is_unwanted);

    EXPECT_EQ(style(Emphasis::best, "x"), one.is_coloured ? "\x1b[32mx\x1b[0m" : "x");
  }
}

TEST(Style, UnknownChoiceIsUsageWithTheNearestOne) {
  const auto result = run_command({"policies", "--color", "alway"});

  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "voda: --color: 'alway'; expected auto | always | never; did you mean 'always'?\n");
}

TEST(Style, NothingIsColouredInPipesAndFiles) {
  const TestDirectory directory;
  const auto result = run_shell(directory, "voda policies | cat; voda help | cat; voda frobnicate");

  EXPECT_THAT(result.out + result.err, Not(HasSubstr(escape)));
}

TEST(Style, AlwaysColoursInPipesToo) {
  EXPECT_THAT(run_command({"policies", "--color", "always"}).out, StartsWith("\x1b[1mPolicies"));
  EXPECT_THAT(run_command({"explain", "--help", "--color=always"}).out,
              HasSubstr("\x1b[1mOptions:\x1b[0m"));
  const auto refused = run_command({"allocate", "--color", "always", "none.json"});
  EXPECT_THAT(refused.err, StartsWith("\x1b[1;31mvoda:\x1b[0m none.json: "));
}

TEST(Style, MachinesGetNoColoursEvenIfAlwaysAskedFor) {
  const std::string snapshot = R"({"version": 1, "gpus": 1, "jobs": [{"id": "a"}]})";
  for (const char* format : {"json", "csv"}) {
    const auto result = run_command({"allocate", "-o", format, "--color", "always", "-"}, snapshot);

    EXPECT_THAT(result.out, Not(HasSubstr(escape))) << format;
  }
}

/// What the program shows on a terminal.
std::string on_terminal(const std::vector<std::string>& arguments,
                        const Terminal::Variables& variables) {
  const TestDirectory directory;
  std::vector<std::string> words{VODA_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return Terminal(directory / ".", words, variables).rest();
}

TEST(Style, HeadingsAndErrorsAreColouredOnATerminal) {
  const Terminal::Variables plain{{"TERM", "xterm"}, {"NO_COLOR", ""}};

  EXPECT_THAT(on_terminal({"policies"}, plain), StartsWith("\x1b[1mPolicies"));
  EXPECT_THAT(on_terminal({"frobnicate"}, plain),
              StartsWith("\x1b[1;31mvoda:\x1b[0m unknown command"));
  EXPECT_THAT(on_terminal({"--help"}, plain), HasSubstr("\x1b[1mCommands:\x1b[0m"));
}

TEST(Style, TheEnvironmentAndTheOptionKeepColoursAway) {
  for (const Terminal::Variables& variables :
       {Terminal::Variables{{"TERM", "xterm"}, {"NO_COLOR", "1"}},
        Terminal::Variables{{"TERM", "xterm"}, {"NO_COLOR", "no"}},
        Terminal::Variables{{"TERM", "dumb"}, {"NO_COLOR", ""}},
        Terminal::Variables{{"TERM", ""}, {"NO_COLOR", ""}}}) {
    EXPECT_THAT(on_terminal({"policies"}, variables), StartsWith("Policies"));
    EXPECT_THAT(on_terminal({"frobnicate"}, variables), StartsWith("voda: unknown"));
    EXPECT_THAT(on_terminal({"policies", "--color=always"}, variables), StartsWith(escape));
  }
  EXPECT_THAT(on_terminal({"policies", "--color=never"}, {{"TERM", "xterm"}, {"NO_COLOR", ""}}),
              StartsWith("Policies"));
}

// A pager would be started by $PAGER and would wait for a key.
TEST(Style, NoPagerIsStartedOnATerminal) {
  const TestDirectory directory;
  const std::string mark = directory / "paged";
  const std::string text =
      on_terminal({"policies"}, {{"PAGER", "touch " + mark}, {"TERM", "xterm"}});

  EXPECT_THAT(text, HasSubstr("spread"));
  EXPECT_FALSE(std::filesystem::exists(mark));
}

}  // namespace style_test
}  // namespace voda::test

#include "command_line/completion.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command_line/command.hpp"
#include "command_line/described_command.hpp"
#include "command_line/environment.hpp"
#include "support/command_runner.hpp"
#include "support/shell_runner.hpp"
#include "support/terminal.hpp"

namespace voda::test {
namespace completion_test {

using command_line::Completion;
using command_line::PathKind;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;
using testing::UnorderedElementsAre;

Completion completion_of(const std::vector<std::string>& words) {
  return command_line::complete(words, command_line::plain_environment().policies);
}

std::vector<std::string> candidates(const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (const auto& candidate : completion_of(words).candidates)
    result.push_back(candidate.text);
  return result;
}

TEST(Completion, OfCommands) {
  std::vector<std::string> expected;
  for (const auto& entry : command_line::commands())
    expected.emplace_back(entry.name);
  expected.emplace_back("help");

  EXPECT_EQ(candidates({""}), expected);
  EXPECT_EQ(candidates({}), expected);
  EXPECT_THAT(candidates({"sim"}), ElementsAre("simulate"));
  EXPECT_THAT(candidates({"help", "exp"}), ElementsAre("explain"));
  EXPECT_THAT(candidates({"--v"}), ElementsAre("--version"));
  EXPECT_THAT(candidates({"frobnicate", ""}), IsEmpty());
}

TEST(Completion, OfOptionsThatAreNotGivenYet) {
  EXPECT_THAT(candidates({"assign", "--"}),
              testing::UnorderedElementsAre(
                  "--help", "--jsonl", "--output", "--json", "--maximize", "--partial", "--color"));
  EXPECT_THAT(candidates({"assign", "--maximize", "--ma"}), IsEmpty());
  EXPECT_THAT(candidates({"compare", "--policy", "fifo", "--pol"}), ElementsAre("--policy"));
}

TEST(Completion, OfPoliciesAndPlacers) {
  EXPECT_THAT(candidates({"allocate", "--policy", "elastic_"}),
              ElementsAre("elastic_fifo", "elastic_srjf", "elastic_tiresias"));
  EXPECT_THAT(candidates({"allocate", "--policy=elastic_f"}), ElementsAre("--policy=elastic_fifo"));
  EXPECT_THAT(candidates({"place", "--placer", ""}),
              UnorderedElementsAre("repack", "steady", "spread"));
  EXPECT_THAT(candidates({"decide", "--placer", ""}),
              UnorderedElementsAre("repack", "steady", "spread", "none"));
}

TEST(Completion, OfOptionsOfPoliciesAndTheirWords) {
  EXPECT_THAT(candidates({"allocate", "--policy", "fifo:"}),
              ElementsAre("fifo:size=", "fifo:blocked=", "fifo:preempt="));
  EXPECT_THAT(candidates({"allocate", "--policy", "fifo:size="}),
              ElementsAre("fifo:size=requested", "fifo:size=minimum"));
  EXPECT_THAT(candidates({"allocate", "--policy", "fifo:size=minimum,"}),
              ElementsAre("fifo:size=minimum,blocked=", "fifo:size=minimum,preempt="));
  EXPECT_THAT(candidates({"allocate", "--policy", "fifo:size=minimum,blocked=w"}),
              ElementsAre("fifo:size=minimum,blocked=wait"));
  EXPECT_THAT(candidates({"allocate", "--policy", "elastic_tiresias:kn"}),
              ElementsAre("elastic_tiresias:knob="));
  EXPECT_THAT(candidates({"allocate", "--policy", "FIFO:size=m"}),
              ElementsAre("FIFO:size=minimum"));
  EXPECT_TRUE(completion_of({"allocate", "--policy", "fifo:"}).has_more);
  EXPECT_FALSE(completion_of({"allocate", "--policy", "fifo:size="}).has_more);
}

TEST(Completion, OfFormatsAndOtherWords) {
  EXPECT_THAT(candidates({"explain", "-o", ""}), ElementsAre("table", "wide", "json", "csv"));
  EXPECT_THAT(candidates({"generate", "--arrivals", ""}),
              ElementsAre("poisson", "bursty", "daily", "fitted"));
  EXPECT_THAT(candidates({"simulate", "--format", ""}), IsSupersetOf({"voda", "itp", "philly"}));
  EXPECT_THAT(candidates({"simulate", "--resize-cost", ""}),
              ElementsAre("none", "stall:", "restart:"));
  EXPECT_THAT(candidates({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
  EXPECT_THAT(candidates({"simulate", "--seed", ""}), IsEmpty());
}

TEST(Completion, OfPaths) {
  EXPECT_EQ(completion_of({"simulate", "tr"}).paths, PathKind::files);
  EXPECT_EQ(completion_of({"simulate", "--seed", "7", "tr"}).paths, PathKind::files);
  EXPECT_EQ(completion_of({"simulate", "--out", ""}).paths, PathKind::directories);
  EXPECT_EQ(completion_of({"simulate", "--node-events=x"}).paths, PathKind::files);
  EXPECT_EQ(completion_of({"simulate", "--seed", ""}).paths, PathKind::none);
  EXPECT_EQ(completion_of({"simulate", "trace.csv", "x"}).paths, PathKind::none);
  EXPECT_EQ(completion_of({"simulate", "--", "--x"}).paths, PathKind::files);
}

/// The words of a type like `auto|always|never`; none of placeholders and of what stands for other names.
std::vector<std::string> words_in(const std::string& type) {
  std::vector<std::string> result;
  std::istringstream alternatives(type);
  for (std::string word; std::getline(alternatives, word, '|');) {
    if (std::ranges::none_of(word, [](char c) { return c >= 'A' && c <= 'Z'; }))
      result.push_back(word);
  }
  return result;
}

// Whatever a command adds is offered without a change here.
TEST(Completion, OffersEveryOptionOfEveryCommandAndItsWords) {
  for (const auto& entry : command_line::commands()) {
    const std::string name(entry.name);
    const auto described = command_line::describe(entry);
    for (const auto& option : command_line::option_texts(*described.app)) {
      if (option.is_positional)
        continue;
      const std::string spelling = option.names.substr(option.names.find("--"));
      EXPECT_THAT(candidates({name, "--"}), Contains(spelling)) << name;
      if (option.type.empty())
        continue;
      EXPECT_THAT(candidates({name, spelling, ""}), IsSupersetOf(words_in(option.type))) << name;
    }
  }
}

TEST(Completion, IsPrintedForScripts) {
  const auto result = run_command({"__complete", "simulate", "--policy", "afs"});

  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, StartsWith("afs_l\telastic shares"));
  EXPECT_EQ(run_command({"__complete", "simulate", "tr"}).out, ":files\n");
  EXPECT_EQ(run_command({"__complete", "simulate", "--resize-cost", "st"}).out,
            "stall:\t\n:more\n");
}

TEST(CompletionCommand, RefusesOtherShells) {
  const auto result = run_command({"completion", "fihs"});

  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "voda: SHELL: 'fihs'; expected bash | zsh | fish; did you mean 'fish'?\n");
}

/// A shell in a pseudo-terminal that has read our script and shows the prompt READY>.
Terminal interactive(const TestDirectory& directory, std::vector<std::string> arguments) {
  const std::string folder = std::filesystem::path(VODA_PROGRAM).parent_path();
  return {directory / ".",
          std::move(arguments),
          {{"PATH", folder + ":" + std::getenv("PATH")},
           {"TERM", "dumb"},
           {"PS1", "READY>"},
           {"HOME", directory / "."}}};
}

/// What a shell shows after `typed`, until `awaited` is among it.
std::string shown_after(Terminal& shell, const std::string& typed, const std::string& awaited) {
  shell.type(typed);
  return shell.shown_until(awaited);
}

constexpr char kill_line = '\x15';  // Ctrl-U

TEST(CompletionInBash, CompletesAtATerminal) {
  const TestDirectory directory;
  directory.write("trace.csv", "");
  directory.write("rc", "source <(voda completion bash)\nPS1='READY>'\n");
  Terminal shell = interactive(directory, {"bash", "--noprofile", "--rcfile", "rc", "-i"});
  ASSERT_THAT(shell.shown_until("READY>"), HasSubstr("READY>"));

  EXPECT_THAT(shown_after(shell, "voda sim\t", "simulate "), HasSubstr("simulate "));
  EXPECT_THAT(shown_after(shell, "tra\t", "trace.csv "), HasSubstr("trace.csv "));
  EXPECT_THAT(shown_after(shell, "--poli\t", "--policy "), HasSubstr("--policy "));
  EXPECT_THAT(shown_after(shell, "elastic_ti\t", "elastic_tiresias "),
              HasSubstr("elastic_tiresias "));
  EXPECT_THAT(shown_after(shell, "\b:kn\t", "knob="), HasSubstr("knob="));
  EXPECT_THAT(shown_after(shell, std::string(1, kill_line) + "voda explain --output=\t\t", "wide"),
              AllOf(HasSubstr("csv"), HasSubstr("json"), HasSubstr("table"), HasSubstr("wide")));
  EXPECT_THAT(shown_after(shell, "wi\t", "--output=wide "), HasSubstr("wide "));
  EXPECT_THAT(shown_after(shell, "--policy fifo:size=m\t", "minimum "), HasSubstr("size=minimum "));
}

TEST(CompletionInZsh, CompletesAtATerminal) {
  const TestDirectory directory;
  directory.write("trace.csv", "");
  directory.write(".zshrc",
                  "autoload -U compinit && compinit -u -D\nsource <(voda completion zsh)\n"
                  "unsetopt PROMPT_SP\nPROMPT='READY>'\n");
  Terminal shell = interactive(directory, {"zsh", "-i"});
  ASSERT_THAT(shell.shown_until("READY>"), HasSubstr("READY>"));

  EXPECT_THAT(shown_after(shell, "voda sim\t", "ulate"), HasSubstr("ulate"));
  EXPECT_THAT(shown_after(shell, "tra\t", "ce.csv"), HasSubstr("ce.csv"));
  EXPECT_THAT(shown_after(shell, "--poli\t", "cy"), HasSubstr("cy"));
  EXPECT_THAT(shown_after(shell, "elastic_tiresias:kn\t", "ob="), HasSubstr("ob="));
  EXPECT_THAT(shown_after(shell, std::string(1, kill_line) + "voda place --placer \t", "steady"),
              AllOf(HasSubstr("repack"), HasSubstr("spread"), HasSubstr("steady")));
}

TEST(CompletionInZsh, WorksAsAnAutoloadedFunction) {
  const TestDirectory directory;
  const auto made = run_shell(directory, "voda completion zsh >_voda");
  ASSERT_EQ(made.status, 0);
  directory.write(
      ".zshrc",
      "fpath=($PWD $fpath)\nautoload -U compinit && compinit -u -D\nunsetopt PROMPT_SP\n"
      "PROMPT='READY>'\n");
  Terminal shell = interactive(directory, {"zsh", "-i"});
  ASSERT_THAT(shell.shown_until("READY>"), HasSubstr("READY>"));

  EXPECT_THAT(shown_after(shell, "voda sim\t", "ulate"), HasSubstr("ulate"));
}

TEST(CompletionInFish, OffersCandidatesWithTheirMeaning) {
  const TestDirectory directory;
  directory.write("trace.csv", "");
  std::filesystem::create_directory(directory / "results");
  const auto offered = [&directory](const std::string& line) {
    const auto result =
        run_shell(directory,
                  "export HOME=$PWD; fish --no-config -c 'voda completion fish | source; "
                  "complete -C\"" +
                      line + "\"'");
    EXPECT_THAT(result.err, IsEmpty());
    return result.out;
  };

  EXPECT_EQ(offered("voda sim"), "simulate\treplay a job trace under one policy\n");
  EXPECT_THAT(offered("voda decide --placer s"),
              AllOf(HasSubstr("steady\t"), HasSubstr("spread\t"), Not(HasSubstr("none"))));
  EXPECT_THAT(offered("voda allocate --policy fifo:size="),
              AllOf(HasSubstr("fifo:size=requested"), HasSubstr("fifo:size=minimum")));
  EXPECT_THAT(offered("voda simulate tra"), HasSubstr("trace.csv"));
  EXPECT_THAT(offered("voda simulate --out=res"),
              AllOf(HasSubstr("--out=results/"), Not(HasSubstr("trace"))));
  EXPECT_THAT(offered("voda help expl"), StartsWith("explain\t"));
}

}  // namespace completion_test
}  // namespace voda::test

#include "command_line/manual_page.hpp"

#include <algorithm>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/described_command.hpp"
#include "voda/config.hpp"

namespace voda::command_line {
namespace {

constexpr std::string_view last_change = "2026-11-22";  // of what this file itself says

/// A text as roff shows it, on one line.
std::string roff(std::string_view text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '~':
        result += "\\(ti";
        break;
      case '^':
        result += "\\(ha";
        break;
      default:
        result += c;
    }
  }
  return result;
}

/// A paragraph as roff shows it, in lines of at most 78 characters.
std::string filled(std::string_view text) {
  constexpr std::size_t longest = 78;
  std::string result;
  while (!text.empty()) {
    std::size_t length = text.size() <= longest ? text.size() : text.rfind(' ', longest);
    if (length == std::string_view::npos || length == 0)
      length = std::min(text.find(' ', 1), text.size());
    result += roff(text.substr(0, length)) + "\n";
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return result;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", roff(text));
}

std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", roff(text));
}

std::string section(std::string_view title) {
  return fmt::format(".SH {}\n", title);
}

/// A term with its explanation.
std::string item(const std::string& term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}", term, filled(text));
}

std::string option_item(const OptionText& option) {
  std::string term = option.is_positional ? italic(option.names) : bold(option.names);
  if (!option.is_positional && !option.type.empty())
    term += " " + italic(option.type);
  std::string text = option.summary + ".";
  if (!option.default_value.empty())
    text += fmt::format(" Default: {}.", option.default_value);
  if (option.is_required)
    text += " Required.";
  return item(term, text);
}

std::string examples_of(const Command& command) {
  std::string result;
  for (const Example& example : command.examples()) {
    result += fmt::format(".PP\n{}.PP\n.RS 4\n.nf\n{}\n.fi\n.RE\n",
                          filled(std::string(example.meaning) + ":"),
                          roff(example.line));
  }
  return result;
}

std::string command_section(const CommandEntry& entry) {
  const DescribedCommand described = describe(entry);
  std::string result =
      fmt::format(".SS {}\n{}", roff(entry.name), filled(std::string(entry.summary) + "."));
  for (const OptionText& option : option_texts(*described.app))
    result += option_item(option);
  return result;
}

std::string exit_statuses() {
  return section("EXIT STATUS") + item("0", "Done.") +
         item("1", "Some input was refused, or an output could not be written.") +
         item("2", "The command line is wrong.") + item("130", "Interrupted, as by Ctrl-C.");
}

std::string surroundings() {
  return section("ENVIRONMENT") +
         item(bold("NO_COLOR"),
              "When set to anything but nothing, output is not coloured, unless --color always "
              "asks for it.") +
         item(bold("TERM"), "When dumb or not set, output is not coloured either.") +
         section("FILES") +
         item(italic("jobs.csv") + ", " + italic("allocations.csv") + ", " +
                  italic("placements.csv") + ", " + italic("summary.json"),
              "What simulate writes into the directory that --out names.") +
         section("NOTES") +
         filled(
             "No pager is ever started. Output is coloured only on a terminal, and only there a "
             "line of progress is drawn on standard error.");
}

std::string all_examples() {
  constexpr std::string_view paragraph = ".PP\n";
  std::string result;
  for (const CommandEntry& entry : commands())
    result += examples_of(*describe(entry).command);
  return section("EXAMPLES") + result.substr(result.starts_with(paragraph) ? paragraph.size() : 0);
}

}  // namespace

std::string manual_page() {
  std::string page =
      "." + fmt::format("TH VODA 1 {} \"voda {}\" \"User Commands\"\n", last_change, VODA_VERSION);
  page += section("NAME") + "voda \\- scheduling policies for elastic deep\\-learning jobs\n";
  page += section("SYNOPSIS") +
          ".B voda\n.I COMMAND\n.RI [ OPTIONS ]\n.br\n.B voda\n.I COMMAND\n.B \\-\\-help\n.br\n.B "
          "voda \\-\\-version\n";
  page += section("DESCRIPTION") +
          filled(
              "voda decides which elastic deep-learning job gets how many GPUs, and on which "
              "nodes. It replays "
              "job traces under its policies, compares them, and answers single scheduling "
              "problems. A dash in "
              "place of the TRACE or FILE that a command works on reads standard input.");
  page += section("COMMANDS");
  for (const CommandEntry& entry : commands())
    page += command_section(entry);
  page += exit_statuses() + surroundings() + all_examples();
  page += section("SEE ALSO") +
          filled(
              "The documents beside the program's sources: grammar.md for how policies, clusters "
              "and resize costs are written, answers.md for what is printed, trace-formats.md for "
              "what is read, policies.md for the policies.");
  return page;
}

}  // namespace voda::command_line

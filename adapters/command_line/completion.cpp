#include "command_line/completion.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/command.hpp"
#include "command_line/described_command.hpp"
#include "command_line/value_completion.hpp"

namespace voda::command_line {
namespace {

bool is_flag(const CLI::Option& option) {
  return option.get_items_expected_max() == 0;
}

bool may_be_repeated(const CLI::Option& option) {
  return option.get_expected_max() > 1;
}

/// The option that a word names, `--name` or `--name=value`; null for none.
const CLI::Option* named_option(const CLI::App& app, const std::string& word) {
  return word.starts_with('-') ? app.get_option_no_throw(word.substr(0, word.find('='))) : nullptr;
}

/// What the words before the one at the cursor say.
struct Reading {
  std::vector<const CLI::Option*> used{};
  const CLI::Option* waiting = nullptr;  // whose value comes next
  std::size_t positionals = 0;
  bool is_past_options = false;  // after --
};

Reading read(const CLI::App& app, std::span<const std::string> words) {
  Reading result;
  for (const std::string& word : words) {
    if (result.waiting != nullptr) {
      result.waiting = nullptr;
    } else if (!result.is_past_options && word == "--") {
      result.is_past_options = true;
    } else if (result.is_past_options || word == "-" || !word.starts_with('-')) {
      ++result.positionals;
    } else if (const CLI::Option* option = named_option(app, word)) {
      result.used.push_back(option);
      if (!is_flag(*option) && word.find('=') == std::string::npos)
        result.waiting = option;
    }
  }
  return result;
}

/// The first sentence, without what follows a semicolon or a colon.
std::string brief(const std::string& summary) {
  return summary.substr(0, summary.find_first_of(";:"));
}

Completion complete_option(const CLI::App& app, const Reading& reading, std::string_view prefix) {
  Completion result;
  for (const CLI::Option* option : app.get_options()) {
    const bool is_used = std::ranges::find(reading.used, option) != reading.used.end();
    if (!option->nonpositional() || (is_used && !may_be_repeated(*option)))
      continue;
    for (const std::string& name : option->get_lnames())
      add_candidate("--" + name, brief(option->get_description()), prefix, result);
    for (const std::string& name : option->get_snames())
      add_candidate("-" + name, brief(option->get_description()), prefix, result);
  }
  return result;
}

Completion complete_positional(const CLI::App& app,
                               const Reading& reading,
                               const std::string& word,
                               const PolicyTables& tables) {
  std::size_t at = reading.positionals;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() && at-- == 0)
      return complete_value(option->get_type_name(), word, tables);
  }
  return {};
}

Completion complete_in(const CLI::App& app,
                       std::span<const std::string> before,
                       const std::string& word,
                       const PolicyTables& tables) {
  const Reading reading = read(app, before);
  if (reading.waiting != nullptr)
    return complete_value(reading.waiting->get_type_name(), word, tables);
  const std::size_t equals = word.find('=');
  if (!reading.is_past_options && word.starts_with("--") && equals != std::string::npos) {
    const CLI::Option* option = named_option(app, word);
    if (option == nullptr || is_flag(*option))
      return {};
    Completion result = complete_value(option->get_type_name(), word.substr(equals + 1), tables);
    for (Candidate& candidate : result.candidates)
      candidate.text.insert(0, word, 0, equals + 1);
    return result;
  }
  if (!reading.is_past_options && word.starts_with('-'))
    return complete_option(app, reading, word);
  Completion result = complete_positional(app, reading, word, tables);
  const bool is_nothing = result.candidates.empty() && result.paths == PathKind::none;
  return is_nothing && word.empty() ? complete_option(app, reading, word) : result;
}

Completion complete_command(std::string_view prefix) {
  Completion result;
  for (const CommandEntry& entry : commands())
    add_candidate(std::string(entry.name), std::string(entry.summary), prefix, result);
  add_candidate("help", "the options of a command, with examples", prefix, result);
  if (prefix.starts_with('-')) {
    add_candidate("--help", "the commands", prefix, result);
    add_candidate("--version", "the version", prefix, result);
  }
  return result;
}

}  // namespace

Completion complete(std::span<const std::string> words, const PolicyTables& tables) {
  if (words.size() < 2)
    return complete_command(words.empty() ? std::string_view() : std::string_view(words[0]));
  const bool asks_for_help = words[0] == "help";
  if (asks_for_help)
    return words.size() == 2 ? complete_command(words[1]) : Completion{};
  const auto entry = std::ranges::find(commands(), words[0], &CommandEntry::name);
  if (entry == commands().end())
    return {};
  const DescribedCommand described = describe(*entry);
  return complete_in(*described.app, words.subspan(1, words.size() - 2), words.back(), tables);
}

std::string completion_text(const Completion& completion) {
  std::string result;
  for (const Candidate& candidate : completion.candidates)
    result += fmt::format("{}\t{}\n", candidate.text, candidate.meaning);
  if (completion.paths == PathKind::files)
    result += ":files\n";
  if (completion.paths == PathKind::directories)
    result += ":directories\n";
  if (completion.has_more)
    result += ":more\n";
  return result;
}

}  // namespace voda::command_line

#include "command_line/value_completion.hpp"

#include <algorithm>
#include <utility>

#include "voda/io/trace_reader.hpp"

namespace voda::command_line {
namespace {

/// Values of one option of a policy: its words.
void complete_option_value(const std::vector<OptionDescription>& options,
                           std::string_view before,  // all up to the option
                           std::string_view item,    // option=value
                           std::string_view word,
                           Completion& completion) {
  const std::string_view name = item.substr(0, item.find('='));
  const auto option = std::ranges::find(options, name, &OptionDescription::name);
  if (option == options.end())
    return;
  for (const std::string& value : option->words) {
    const std::string text = std::string(before) + std::string(name) + "=" + value;
    const bool is_default = value == option->default_value;
    add_candidate(text, is_default ? "the default" : "", word, completion);
  }
}

/// True when `:option=value,` and so on hold an option of that name.
bool is_given(std::string_view options, const std::string& name) {
  return options.find(":" + name + "=") != std::string_view::npos ||
         options.find("," + name + "=") != std::string_view::npos;
}

/// `name`, `name:option=` or `name:option=value,...` of a table.
template <class Policy>
void complete_policy(const Registry<Policy>& registry,
                     std::string_view word,
                     Completion& completion) {
  const std::size_t colon = word.find(':');
  for (const auto& entry : registry.entries()) {
    if (colon == std::string_view::npos) {
      add_candidate(entry.name, entry.summary, word, completion);
      continue;
    }
    const std::string_view name = word.substr(0, colon);
    const bool is_alias = std::ranges::find(entry.aliases, name) != entry.aliases.end();
    if (name != entry.name && !is_alias)
      continue;
    const std::size_t begin = word.find_last_of(":,") + 1;
    const std::string_view item = word.substr(begin);
    if (item.find('=') != std::string_view::npos) {
      complete_option_value(entry.options, word.substr(0, begin), item, word, completion);
      continue;
    }
    for (const OptionDescription& option : entry.options) {
      if (is_given(word.substr(colon, begin - colon), option.name))
        continue;
      add_candidate(
          std::string(word.substr(0, begin)) + option.name + "=", option.summary, word, completion);
    }
  }
}

/// The part of an alternative before its first placeholder: `stall:` of `stall:S`.
std::string_view fixed_part(std::string_view alternative) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto first = std::ranges::find_if(alternative, is_capital);
  return alternative.substr(0, static_cast<std::size_t>(first - alternative.begin()));
}

void complete_alternative(std::string_view alternative,
                          const std::string& word,
                          const PolicyTables& tables,
                          Completion& completion) {
  if (alternative == "POLICY") {
    complete_policy(tables.allocators, word, completion);
  } else if (alternative == "PLACER") {
    complete_policy(tables.placers, word, completion);
  } else if (alternative == "TRACE_FORMAT") {
    for (const TraceFormat& format : trace_formats())
      add_candidate(std::string(format.name), "", word, completion);
  } else if (alternative == "FILE" || alternative == "TEXT") {
    completion.paths = PathKind::files;
  } else if (alternative == "DIR") {
    completion.paths = PathKind::directories;
  } else {
    const std::string_view fixed = fixed_part(alternative);
    if (!fixed.empty() && (fixed.size() == alternative.size() || fixed != word))
      add_candidate(std::string(fixed), "", word, completion);
  }
}

}  // namespace

void add_candidate(std::string text,
                   std::string meaning,
                   std::string_view prefix,
                   Completion& completion) {
  if (text.starts_with(prefix))
    completion.candidates.push_back({.text = std::move(text), .meaning = std::move(meaning)});
}

Completion complete_value(const std::string& type,
                          const std::string& word,
                          const PolicyTables& tables) {
  Completion result;
  for (std::size_t begin = 0; begin <= type.size();) {
    const std::size_t end = std::min(type.find('|', begin), type.size());
    complete_alternative(std::string_view(type).substr(begin, end - begin), word, tables, result);
    begin = end + 1;
  }
  // A space is kept away only where every candidate goes on.
  const auto goes_on = [](const Candidate& one) {
    return one.text.ends_with('=') || one.text.ends_with(':');
  };
  result.has_more = !result.candidates.empty() && std::ranges::all_of(result.candidates, goes_on);
  return result;
}

}  // namespace voda::command_line

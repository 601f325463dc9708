#include "command_line/policies_command.hpp"

#include <array>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/json_text.hpp"
#include "command_line/output_format.hpp"

namespace voda::command_line {
namespace {

template <class Policy>
Json entries_json(const Registry<Policy>& registry) {
  Json result = Json::array();
  for (const auto& entry : registry.entries()) {
    Json options = Json::array();
    for (const OptionDescription& option : entry.options) {
      options.push_back({{"name", option.name},
                         {"default", option.default_value},
                         {"expected", option.expected},
                         {"summary", option.summary}});
    }
    result.push_back({{"name", entry.name},
                      {"summary", entry.summary},
                      {"aliases", entry.aliases},
                      {"options", std::move(options)}});
  }
  return result;
}

template <class Policy>
std::string entries_text(const Registry<Policy>& registry) {
  std::string text;
  for (const auto& entry : registry.entries()) {
    text += fmt::format("  {}: {}\n", entry.name, entry.summary);
    if (!entry.aliases.empty())
      text += fmt::format("      also called {}\n", fmt::join(entry.aliases, ", "));
    for (const OptionDescription& option : entry.options) {
      text += fmt::format("      {}={}  {} ({})\n",
                          option.name,
                          option.default_value,
                          option.summary,
                          option.expected);
    }
  }
  return text;
}

std::string policies_text(const PolicyTables& tables, const Style& style) {
  return style(Emphasis::heading,
               "Policies (--policy NAME[:option=value,...]), with the defaults of their options:") +
         "\n" + entries_text(tables.allocators) + "\n" +
         style(Emphasis::heading, "Placers (--placer NAME[:option=value,...]):") + "\n" +
         entries_text(tables.placers) + "\n" +
         style(Emphasis::heading,
               "Wrappers (--policy 'WRAPPER(option=value,...)/NAME'), around any policy:") +
         "\n" + entries_text(tables.wrappers);
}

/// A row for each option, or one for a policy without any.
template <class Policy>
void append_options(const std::string& kind, const Registry<Policy>& registry, ResultSheet& sheet) {
  for (const auto& entry : registry.entries()) {
    const std::string aliases = fmt::format("{}", fmt::join(entry.aliases, " "));
    if (entry.options.empty())
      sheet.rows.push_back({kind, entry.name, nullptr, nullptr, nullptr, entry.summary, aliases});
    for (const OptionDescription& option : entry.options) {
      sheet.rows.push_back({kind,
                            entry.name,
                            option.name,
                            option.default_value,
                            option.expected,
                            option.summary,
                            aliases});
    }
  }
}

ResultSheet options_sheet(const PolicyTables& tables) {
  ResultSheet result{.columns = {{.name = "kind"},
                                 {.name = "name"},
                                 {.name = "option"},
                                 {.name = "default"},
                                 {.name = "expected"},
                                 {.name = "summary"},
                                 {.name = "aliases"}}};
  append_options("policy", tables.allocators, result);
  append_options("placer", tables.placers, result);
  append_options("wrapper", tables.wrappers, result);
  return result;
}

class PoliciesCommand final : public Command {
 public:
  void describe(CLI::App& app) override { add_output_option(app, output_); }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda policies", .meaning = "every policy and placer with its options"},
         {.line = "voda policies -o csv", .meaning = "a row for each option"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const PolicyTables& tables = context.environment->policies;
    switch (const OutputFormat format = output_.chosen()) {
      case OutputFormat::json:
        *context.out << document_text({{"policies", entries_json(tables.allocators)},
                                       {"placers", entries_json(tables.placers)},
                                       {"wrappers", entries_json(tables.wrappers)}});
        break;
      case OutputFormat::table:
        *context.out << policies_text(tables, context.out_style);
        break;
      case OutputFormat::wide:
      case OutputFormat::csv:
        *context.out << sheet_as(format, options_sheet(tables), context.out_style);
        break;
    }
    return ExitStatus::done;
  }

 private:
  OutputChoice output_{.format = "table"};
};

}  // namespace

std::unique_ptr<Command> make_policies_command() {
  return std::make_unique<PoliciesCommand>();
}

}  // namespace voda::command_line

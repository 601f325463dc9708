#include "command_line/policies_command.hpp"

#include <ostream>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/json_text.hpp"

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

class PoliciesCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    app.add_flag("--json", is_json_, "Print a JSON document (default: text)");
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const PolicyTables& tables = context.environment->policies;
    if (is_json_) {
      *context.out << document_text({{"policies", entries_json(tables.allocators)},
                                     {"placers", entries_json(tables.placers)}});
      return ExitStatus::done;
    }
    *context.out
        << "Policies (--policy NAME[:option=value,...]), with the defaults of their options:\n"
        << entries_text(tables.allocators) << "\nPlacers (--placer NAME[:option=value,...]):\n"
        << entries_text(tables.placers);
    return ExitStatus::done;
  }

 private:
  bool is_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_policies_command() {
  return std::make_unique<PoliciesCommand>();
}

}  // namespace voda::command_line

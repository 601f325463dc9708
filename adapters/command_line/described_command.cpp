#include "command_line/described_command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voda::command_line {
namespace {

std::string examples_text(std::span<const Example> examples) {
  if (examples.empty())
    return "";
  std::string result = "Examples:\n";
  for (const Example& example : examples)
    result += fmt::format("  # {}\n  {}\n", example.meaning, example.line);
  result.pop_back();
  return result;
}

}  // namespace

/// Options as `--name TYPE=default`; a positional goes by its name alone.
class HelpFormatter final : public CLI::Formatter {
 public:
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override {
    const bool has_type = option->get_items_expected_max() > 0 && !option->get_positional();
    std::string result = has_type ? " " + option->get_type_name() : "";
    if (!option->get_default_str().empty())
      result += "=" + option->get_default_str();
    if (option->get_required() && !option->get_positional())
      result += " (required)";
    return result;
  }
};

DescribedCommand describe(const CommandEntry& entry) {
  DescribedCommand result{.command = entry.make(),
                          .app = std::make_shared<CLI::App>(std::string(entry.summary),
                                                            fmt::format("voda {}", entry.name)),
                          .color = std::make_unique<std::string>("auto")};
  result.app->formatter(std::make_shared<HelpFormatter>());
  result.command->describe(*result.app);
  result.app
      ->add_option("--color",
                   *result.color,
                   "When output is coloured; auto: on a terminal, unless NO_COLOR is set")
      ->type_name(std::string(color_words))
      ->capture_default_str();
  result.app->footer(examples_text(result.command->examples()));
  return result;
}

std::vector<OptionText> option_texts(const CLI::App& app) {
  std::vector<OptionText> result;
  for (const bool is_positional : {true, false}) {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() != is_positional)
        continue;
      const bool is_flag = option->get_items_expected_max() == 0;
      result.push_back({.names = option->get_name(is_positional, true),
                        .type = is_flag ? std::string() : option->get_type_name(),
                        .default_value = option->get_default_str(),
                        .summary = option->get_description(),
                        .is_positional = is_positional,
                        .is_required = option->get_required()});
    }
  }
  return result;
}

}  // namespace voda::command_line

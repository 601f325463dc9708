#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/command.hpp"

namespace voda::command_line {

/// A command with its options as the parser knows them: what help, completion and the manual page are made from.
struct DescribedCommand {
  std::unique_ptr<Command> command{};  // outlives its parser
  std::shared_ptr<CLI::App> app{};     // bound to the command and to `color`
  std::unique_ptr<std::string> color{};
};

/// Makes a command and its parser, with the options that all commands have.
[[nodiscard]] DescribedCommand describe(const CommandEntry& entry);

/// An option or positional argument, for people.
struct OptionText {
  std::string names{};  // "-o,--output", or the name of a positional
  std::string type{};   // empty for a flag
  std::string default_value{};
  std::string summary{};
  bool is_positional = false;
  bool is_required = false;
};

/// Positionals first, then options in the order in which they were added.
[[nodiscard]] std::vector<OptionText> option_texts(const CLI::App& app);

}  // namespace voda::command_line

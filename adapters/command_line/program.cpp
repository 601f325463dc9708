#include "command_line/program.hpp"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <ostream>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/command.hpp"
#include "command_line/status.hpp"
#include "voda/config.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

constexpr std::string_view version_text = "voda " VODA_VERSION "\n";

std::string overview() {
  std::string text =
      "Scheduling policies for elastic deep-learning jobs.\n\nUsage: voda COMMAND "
      "[OPTIONS]\n\nCommands:\n";
  for (const CommandEntry& entry : commands()) {
    text += fmt::format("  {:<10}{}\n", entry.name, entry.summary);
  }
  text +=
      "\n  voda COMMAND --help   the options of a command\n"
      "  voda --version        the version\n\n"
      "'-' in place of the TRACE or FILE that a command works on reads standard input.\n"
      "Exit status: 0 done, 1 some input refused, 2 wrong usage, 130 interrupted.\n";
  return text;
}

const CommandEntry& find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &CommandEntry::name);
  if (found != commands().end())
    return *found;
  std::vector<std::string_view> known;
  for (const CommandEntry& entry : commands())
    known.push_back(entry.name);
  throw UsageError(
      fmt::format("unknown command '{}'; expected one of {}", shown(name), fmt::join(known, ", ")));
}

/// The options of a command as a list, for messages.
std::string option_list(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    names.push_back(option->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// An empty value is a variable of a script that was never set: nothing else says that it is there.
void refuse_empty_values(const CommandEntry& entry, const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& value : option->results()) {
      if (value.empty()) {
        throw UsageError(fmt::format(
            "{}: {}: ''; expected a value that is not empty", entry.name, option->get_name()));
      }
    }
  }
}

ExitStatus run_command(const CommandEntry& entry,
                       std::vector<std::string> arguments,
                       const Context& context) {
  const auto command = entry.make();
  CLI::App app{std::string(entry.summary), fmt::format("voda {}", entry.name)};
  command->describe(app);
  try {
    std::ranges::reverse(arguments);  // as CLI11 wants it
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    *context.out << app.help();
    return ExitStatus::done;
  } catch (const CLI::ParseError& error) {
    throw UsageError(
        fmt::format("{}: {}; expected {}", entry.name, shown(error.what()), option_list(app)));
  }
  refuse_empty_values(entry, app);
  return command->run(context);
}

ExitStatus dispatch(std::span<const std::string> arguments, const Context& context) {
  if (arguments.empty())
    throw UsageError("no command; expected one, see voda --help");
  const std::string& first = arguments.front();
  const bool asks_for_help = first == "--help" || first == "-h" || first == "help";
  if (first == "--version" || (asks_for_help && arguments.size() == 1)) {
    *context.out << (asks_for_help ? overview() : std::string(version_text));
    return ExitStatus::done;
  }
  if (asks_for_help)
    return run_command(find_command(arguments[1]), {"--help"}, context);
  return run_command(find_command(first), {arguments.begin() + 1, arguments.end()}, context);
}

ExitStatus run_and_report(std::span<const std::string> arguments, const Context& context) {
  try {
    return dispatch(arguments, context);
  } catch (const UsageError& error) {
    *context.err << "voda: " << error.what() << '\n';
    return ExitStatus::usage;
  } catch (const Error& error) {
    *context.err << "voda: " << error.what() << '\n';
  } catch (const std::filesystem::filesystem_error& error) {
    *context.err << "voda: " << error.what() << '\n';
  }
  return ExitStatus::refused;
}

}  // namespace

int run(std::span<const std::string> arguments,
        std::istream& in,
        std::ostream& out,
        std::ostream& err,
        const Environment& environment) {
  const Context context{.in = &in, .out = &out, .err = &err, .environment = &environment};
  ExitStatus status = run_and_report(arguments, context);
  if (!out.flush() && status == ExitStatus::done) {
    err << "voda: standard output: it could not be written to its end; expected room for it\n";
    status = ExitStatus::refused;
  }
  err.flush();
  return static_cast<int>(status);
}

}  // namespace voda::command_line

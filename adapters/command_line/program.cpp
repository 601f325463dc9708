#include "command_line/program.hpp"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <ostream>
#include <sstream>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/command.hpp"
#include "command_line/completion.hpp"
#include "command_line/described_command.hpp"
#include "command_line/messages.hpp"
#include "command_line/status.hpp"
#include "voda/config.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

constexpr std::string_view version_text = "voda " VODA_VERSION "\n";

std::string overview() {
  std::string text =
      "Scheduling policies for elastic deep-learning jobs.\n\nUsage: voda COMMAND "
      "[OPTIONS]\n\nCommands:\n";
  for (const CommandEntry& entry : commands()) {
    text += fmt::format("  {:<10} {}\n", entry.name, entry.summary);
  }
  text +=
      "\n  voda COMMAND --help   the options of a command, with examples\n"
      "  voda --version        the version\n\n"
      "'-' in place of the TRACE or FILE that a command works on reads standard input.\n"
      "Exit status: 0 done, 1 some input refused, 2 wrong usage, 130 interrupted.\n";
  return text;
}

/// Help with its headings, lines that end in a colon, emphasised.
std::string with_headings(const std::string& help, const Style& style) {
  std::istringstream lines(help);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const bool is_heading = line.ends_with(':') && !line.starts_with(' ');
    result += (is_heading ? style(Emphasis::heading, line) : line) + "\n";
  }
  return result;
}

const CommandEntry& find_command(std::string_view name) {
  const auto found = std::ranges::find(commands(), name, &CommandEntry::name);
  if (found != commands().end())
    return *found;
  std::vector<std::string_view> known;
  for (const CommandEntry& entry : commands())
    known.push_back(entry.name);
  throw UsageError(fmt::format("unknown command '{}'; expected one of {}{}",
                               shown(name),
                               fmt::join(known, ", "),
                               did_you_mean(name, known)));
}

/// The options that are expected, for messages.
std::string expected_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    names.push_back(option->get_name());
  return fmt::format("expected {}", fmt::join(names, ", "));
}

/// What is wrong with the arguments, and what was expected. An unknown option is named before anything else that is wrong.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error) {
  std::vector<std::string> spellings;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      spellings.push_back("--" + name);
  }
  for (const std::string& argument : app.remaining()) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.size() > 1 && name.starts_with('-')) {
      return fmt::format("unknown option '{}'; {}{}",
                         shown(name),
                         expected_options(app),
                         did_you_mean(name, spellings));
    }
  }
  return fmt::format("{}; {}", shown(error.what()), expected_options(app));
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

/// Sets the colours of both streams.
void choose_styles(ColorChoice choice, Context& context) {
  const Environment& environment = *context.environment;
  context.out_style =
      style_for(choice, environment.output_is_terminal, environment.is_colour_unwanted);
  context.err_style =
      style_for(choice, environment.errors_are_terminal, environment.is_colour_unwanted);
}

ExitStatus run_command(const CommandEntry& entry,
                       std::vector<std::string> arguments,
                       Context& context) {
  const DescribedCommand described = describe(entry);
  CLI::App& app = *described.app;
  try {
    std::ranges::reverse(arguments);  // as CLI11 wants it
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    choose_styles(read_color_choice(*described.color), context);
    *context.out << with_headings(app.help(), context.out_style);
    return ExitStatus::done;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}: {}", entry.name, usage_text(app, error)));
  }
  refuse_empty_values(entry, app);
  choose_styles(read_color_choice(*described.color), context);
  return described.command->run(context);
}

ExitStatus dispatch(std::span<const std::string> arguments, Context& context) {
  if (arguments.empty())
    throw UsageError("no command; expected one, see voda --help");
  const std::string& first = arguments.front();
  if (first == candidates_word) {
    *context.out << completion_text(complete(arguments.subspan(1), context.environment->policies));
    return ExitStatus::done;
  }
  const bool asks_for_help = first == "--help" || first == "-h" || first == "help";
  if (first == "--version" || (asks_for_help && arguments.size() == 1)) {
    *context.out << (asks_for_help ? with_headings(overview(), context.out_style)
                                   : std::string(version_text));
    return ExitStatus::done;
  }
  if (asks_for_help)
    return run_command(find_command(arguments[1]), {"--help"}, context);
  return run_command(find_command(first), {arguments.begin() + 1, arguments.end()}, context);
}

ExitStatus run_and_report(std::span<const std::string> arguments, Context& context) {
  try {
    return dispatch(arguments, context);
  } catch (const UsageError& error) {
    complain(context, error.what());
    return ExitStatus::usage;
  } catch (const Error& error) {
    complain(context, error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    complain(context, error.what());
  }
  return ExitStatus::refused;
}

}  // namespace

int run(std::span<const std::string> arguments,
        std::istream& in,
        std::ostream& out,
        std::ostream& err,
        const Environment& environment) {
  Context context{.in = &in, .out = &out, .err = &err, .environment = &environment};
  choose_styles(ColorChoice::automatic, context);
  ExitStatus status = run_and_report(arguments, context);
  if (!out.flush() && status == ExitStatus::done) {
    complain(context, "standard output: it could not be written to its end; expected room for it");
    status = ExitStatus::refused;
  }
  err.flush();
  return static_cast<int>(status);
}

}  // namespace voda::command_line

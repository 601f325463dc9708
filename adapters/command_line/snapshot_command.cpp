#include "command_line/snapshot_command.hpp"

#include <istream>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/dead_ends.hpp"
#include "command_line/input_file.hpp"

namespace voda::command_line {
namespace {

struct LineAnswer {
  Json json{};
  bool is_refused = false;
};

constexpr std::string_view out_of_memory = "out of memory; expected a smaller problem";

LineAnswer refused_line(std::size_t line, const std::string& message) {
  return {.json = Json{{"error", message}, {"line", line}}, .is_refused = true};
}

LineAnswer answer_line(const std::string& text,
                       const std::string& source,
                       std::size_t line,
                       const TextAnswer& answer) {
  try {
    return {.json = answer(text, fmt::format("{}:{}", source, line))};
  } catch (const Error& error) {
    return refused_line(line, error.what());
  } catch (const std::bad_alloc&) {
    return refused_line(line, fmt::format("{}:{}: {}", source, line, out_of_memory));
  } catch (const std::length_error&) {
    return refused_line(line, fmt::format("{}:{}: {}", source, line, out_of_memory));
  }
}

/// Each answer is flushed, so that a program on the other end of a pipe can wait for it.
ExitStatus answer_lines(InputFile& input, const Context& context, const TextAnswer& answer) {
  ExitStatus status = ExitStatus::done;
  std::string text;
  for (std::size_t line = 1; std::getline(input.stream(), text); ++line) {
    const LineAnswer result = answer_line(text, input.name(), line, answer);
    if (result.is_refused)
      status = ExitStatus::refused;
    if (!(*context.out << line_text(result.json)).flush())
      return status;
  }
  input.check_end();
  return status;
}

}  // namespace

void add_problem_source(CLI::App& app, ProblemSource& source) {
  app.add_option("FILE", source.path, "File with the problem; - reads standard input")
      ->type_name("FILE")
      ->required();
  app.add_flag("--jsonl",
               source.is_lines,
               "One problem a line in, one answer a line out (default: FILE is one problem)");
  add_output_option(app, source.output);
}

ExitStatus answer_problems(const ProblemSource& source,
                           const Context& context,
                           const TextAnswer& answer,
                           const SheetView& view) {
  const OutputFormat format = source.output.chosen();
  if (source.is_lines && format != OutputFormat::json) {
    throw UsageError(
        fmt::format("--jsonl: goes with JSON only; expected no -o {}", source.output.format));
  }
  InputFile input(source.path, context);
  if (source.is_lines)
    return answer_lines(input, context, answer);
  const Json result = answer(input.text(), input.name());
  *context.out << (format == OutputFormat::json
                       ? line_text(result)
                       : sheet_as(format, view(result), context.out_style));
  return ExitStatus::done;
}

ExitStatus answer_snapshots(const ProblemSource& source,
                            const Context& context,
                            const SnapshotAnswer& answer,
                            const SheetView& view) {
  const auto answer_text = [&answer, &context](const std::string& text, const std::string& name) {
    const Snapshot snapshot = read_snapshot(text, name);
    warn_of_dead_ends(snapshot, name, context);
    try {
      return answer(snapshot);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", name, error.what()));
    }
  };
  return answer_problems(source, context, answer_text, view);
}

}  // namespace voda::command_line

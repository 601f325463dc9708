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
  app.add_option("FILE", source.path, "File with the problem; - reads standard input")->required();
  app.add_flag("--jsonl",
               source.is_lines,
               "One problem a line in, one answer a line out (default: FILE is one problem)");
}

ExitStatus answer_problems(const ProblemSource& source,
                           const Context& context,
                           const TextAnswer& answer) {
  InputFile input(source.path, context);
  if (source.is_lines)
    return answer_lines(input, context, answer);
  *context.out << line_text(answer(input.text(), input.name()));
  return ExitStatus::done;
}

ExitStatus answer_snapshots(const ProblemSource& source,
                            const Context& context,
                            const SnapshotAnswer& answer) {
  return answer_problems(
      source, context, [&answer, &context](const std::string& text, const std::string& name) {
        const Snapshot snapshot = read_snapshot(text, name);
        warn_of_dead_ends(snapshot, name, context);
        try {
          return answer(snapshot);
        } catch (const Error& error) {
          throw Error(fmt::format("{}: {}", name, error.what()));
        }
      });
}

}  // namespace voda::command_line

#pragma once

#include <iosfwd>
#include <memory>
#include <span>
#include <string_view>

#include "command_line/environment.hpp"
#include "command_line/status.hpp"
#include "command_line/style.hpp"

namespace CLI {
class App;
}

namespace voda::command_line {

/// What a command works with; none of it is null.
struct Context {
  std::istream* in = nullptr;
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  const Environment* environment = nullptr;
  Style out_style{};
  Style err_style{};
};

/// A command line that works, and what it does.
struct Example {
  std::string_view line{};
  std::string_view meaning{};
};

/// One command of the program, from its arguments to its exit status.
class Command {
 public:
  virtual ~Command() = default;

  /// Adds its options to `app`, bound to its own fields.
  virtual void describe(CLI::App& app) = 0;

  /// For help and the manual page. They read trace.csv, snapshot.json, costs.csv and other files that
  /// tests/command_line/examples_test.cpp makes, which runs them.
  [[nodiscard]] virtual std::span<const Example> examples() const { return {}; }

  /// Runs after the options were read; throws UsageError for values that make no sense, other
  /// Errors for input.
  [[nodiscard]] virtual ExitStatus run(const Context& context) = 0;

 protected:
  Command() = default;
  Command(const Command&) = default;
  Command& operator=(const Command&) = default;
};

/// A command in the table of all commands.
struct CommandEntry {
  std::string_view name{};
  std::string_view summary{};
  std::unique_ptr<Command> (*make)() = nullptr;
};

/// All commands, in the order in which help lists them.
[[nodiscard]] std::span<const CommandEntry> commands();

}  // namespace voda::command_line

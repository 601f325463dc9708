#include "command_line/manual_command.hpp"

#include <array>
#include <ostream>

#include <CLI/CLI.hpp>

#include "command_line/manual_page.hpp"

namespace voda::command_line {
namespace {

class ManualCommand final : public Command {
 public:
  void describe(CLI::App&) override {}

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 1> all{
        {{.line = "voda manual > voda.1", .meaning = "then: man ./voda.1"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    *context.out << manual_page();
    return ExitStatus::done;
  }
};

}  // namespace

std::unique_ptr<Command> make_manual_command() {
  return std::make_unique<ManualCommand>();
}

}  // namespace voda::command_line

#include "command_line/moment_options.hpp"

#include <CLI/CLI.hpp>

#include "command_line/option_values.hpp"
#include "voda/io/resize_cost_text.hpp"

namespace voda::command_line {

void add_moment_options(CLI::App& app, MomentOptions& options) {
  app.add_option("FILE", options.path, "File with a snapshot or a record; - reads standard input")
      ->type_name("FILE")
      ->required();
  app.add_option("--at", options.at, "Second of the record's clock (default: its end)")
      ->type_name("SECONDS");
  app.add_option("--policy",
                 options.policy,
                 "Who decides (default: as recorded; elastic_fifo for a snapshot)")
      ->type_name("POLICY");
  app.add_option("--placer",
                 options.placer,
                 "Who places, or none (default: as recorded; steady for a snapshot with nodes)")
      ->type_name("PLACER|none");
  app.add_option("--resize-cost", options.resize_cost, "Of the futures, as for simulate")
      ->type_name("none|stall:S|restart:A,B")
      ->capture_default_str();
}

std::optional<TimePoint> moment_of(const MomentOptions& options) {
  return options.at.empty() ? std::nullopt : std::optional(read_instant("--at", options.at));
}

ResizeCost resize_cost_of(const MomentOptions& options) {
  return read_option("--resize-cost", options.resize_cost, [](const std::string& text) {
    return parse_resize_cost(text);
  });
}

}  // namespace voda::command_line

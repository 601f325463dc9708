#include "command_line/report/report_file.hpp"

#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/option_values.hpp"
#include "command_line/report/report_page.hpp"

namespace voda::command_line {
namespace {

std::string checked(const std::string& path) {
  if (path == "-")
    refuse_value("--report", path, "a file; standard output is for the figures");
  return path;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

/// What the run was told, without what was left at its default.
Settings settings_of(const RunOptions& options, const PreparedRun& run) {
  Settings result{
      {"trace", options.trace == "-" ? "standard input" : options.trace},
      {"cluster", fmt::format("{} ({} nodes)", options.cluster, run.options.nodes.size())},
      {"placer", options.placer == "none" ? "none, GPUs counted only" : options.placer}};
  const auto add = [&result](std::string name, const std::string& value, std::string_view usual) {
    if (value != usual)
      result.emplace_back(std::move(name), value);
  };
  const RunOptions usual;
  add("format", options.format, usual.format);
  add("speedups", options.speedups, usual.speedups);
  add("throughputs", options.throughputs, usual.throughputs);
  add("run times", options.run_times, usual.run_times);
  add("elastic", options.elastic, usual.elastic);
  add("load", options.load, usual.load);
  add("resize cost", options.resize_cost, usual.resize_cost);
  add("node events", options.node_events, usual.node_events);
  add("failures", options.failures, usual.failures);
  add("checkpoint every", options.checkpoint, usual.checkpoint);
  add("ends after", options.max_time, usual.max_time);
  add("rate limit", options.rate_limit, usual.rate_limit);
  add("round", options.round, usual.round);
  add("eager start", options.is_eager ? "yes" : "", "");
  add("bad rows", options.is_lenient ? "skipped" : "", "");
  add("estimate error", options.estimate_error, usual.estimate_error);
  add("seed", options.seed, usual.seed);
  return result;
}

}  // namespace

void add_report_option(CLI::App& app, std::string& path) {
  app.add_option("--report",
                 path,
                 "Write a page for a browser: tables, charts, allocations, each job (default: "
                 "none is written)")
      ->type_name("FILE");
}

ReportFile::ReportFile(const std::string& path,
                       const RunOptions& options,
                       const PreparedRun& run,
                       std::vector<std::string> policies)
    : options_(&options),
      run_(&run),
      policies_(std::move(policies)),
      file_(checked(path)),
      plan_(run.trace, run.options.nodes, policies_.size()) {
  for (std::size_t i = 0; i < policies_.size(); ++i)
    recorders_.push_back(std::make_unique<RunRecorder>(plan_));
}

void ReportFile::finish(std::span<const SimulationResult> results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].end == SimulationEnd::time_limit)
      recorders_[i]->end_at(plan_.start() + *run_->options.max_time);
  }
  write_report(file_.stream(),
               {.settings = settings_of(*options_, *run_),
                .plan = &plan_,
                .nodes = run_->options.nodes,
                .policies = policies_,
                .results = results,
                .recorders = recorders_});
  file_.finish();
}

}  // namespace voda::command_line

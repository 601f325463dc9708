#include "command_line/run_options.hpp"

#include <algorithm>
#include <ostream>
#include <set>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/input_file.hpp"
#include "command_line/option_values.hpp"
#include "command_line/policy_choice.hpp"
#include "voda/io/cluster_text.hpp"
#include "voda/io/elasticity_text.hpp"
#include "voda/io/node_events_reader.hpp"
#include "voda/io/resize_cost_text.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/workload.hpp"

namespace voda::command_line {
namespace {

/// Reads an option with `read`; what it refuses is wrong usage.
template <class Read>
auto read_option(std::string_view option, const std::string& text, Read read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

std::vector<Node> cluster_of(const std::string& text) {
  const bool is_file = text.ends_with(".json") || text.find('/') != std::string::npos;
  if (is_file)
    return read_cluster(text);
  return read_option(
      "--cluster", text, [](const std::string& cluster) { return parse_cluster(cluster); });
}

void check_format(const std::string& name) {
  std::vector<std::string_view> known;
  for (const TraceFormat& format : trace_formats())
    known.push_back(format.name);
  if (std::ranges::find(known, name) != known.end())
    return;
  refuse_value("--format", name, fmt::format("one of {}", fmt::join(known, ", ")));
}

RandomFailures failures_of(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos)
    refuse_value("--mtbf", text, "SECONDS,REPAIR_SECONDS");
  return {.mean_time_between = read_positive_duration("--mtbf", text.substr(0, comma)),
          .repair = read_positive_duration("--mtbf", text.substr(comma + 1))};
}

SimulationOptions simulation_options(const RunOptions& options, const PolicyTables& tables) {
  SimulationOptions result{.placer = choose_placer(tables, options.placer),
                           .nodes = cluster_of(options.cluster)};
  result.resize_cost = read_option("--resize-cost",
                                   options.resize_cost,
                                   [](const std::string& text) { return parse_resize_cost(text); });
  result.pacing.rate_limit = read_duration("--rate-limit", options.rate_limit);
  if (!options.round.empty())
    result.pacing.round = read_positive_duration("--round", options.round);
  result.pacing.is_eager = options.is_eager;
  if (!options.failures.empty())
    result.failures = failures_of(options.failures);
  result.checkpoint_interval = read_duration("--checkpoint", options.checkpoint);
  if (!options.max_time.empty())
    result.max_time = read_positive_duration("--max-time", options.max_time);
  result.seed = read_seed(options.seed);
  if (!options.node_events.empty())
    result.node_events = read_node_events_file(options.node_events, result.nodes);
  return result;
}

/// Gives jobs of shipped profiles their curves, and warns about names that nothing defines.
void add_shipped_curves(Trace& trace, const Context& context) {
  const Profiles shipped = workload_profiles();
  std::size_t unknown = 0;
  std::string example;
  for (Job& job : trace.jobs) {
    const auto name = trace.profiles.find(job.id);
    if (name == trace.profiles.end())
      continue;
    const auto curve = shipped.find(name->second);
    if (curve != shipped.end()) {
      job.speedup = curve->second;
    } else if (unknown++ == 0) {
      example = name->second;
    }
  }
  if (unknown == 0)
    return;
  *context.err << fmt::format(
      "voda: warning: {} jobs name profiles that are not shipped (such as '{}'); without "
      "--speedups they scale linearly\n",
      unknown,
      shown(example));
}

void report_skipped(const std::vector<SkippedRow>& skipped,
                    const std::string& source,
                    const Context& context) {
  constexpr std::size_t most_shown = 10;
  for (std::size_t i = 0; i < std::min(most_shown, skipped.size()); ++i) {
    *context.err << "voda: skipped: " << skipped[i].message << '\n';
  }
  if (skipped.empty())
    return;
  *context.err << fmt::format("voda: warning: {}: {} rows skipped\n", source, skipped.size());
}

std::vector<std::string> gpu_types_of(const std::vector<Node>& nodes) {
  std::set<std::string> types;
  for (const Node& node : nodes)
    types.insert(node.gpu_type);
  return {types.begin(), types.end()};
}

Trace read_run_trace(const RunOptions& options,
                     const std::vector<Node>& nodes,
                     const Context& context) {
  check_format(options.format);
  TraceOptions reading{.bad_rows = options.is_lenient ? BadRows::skip : BadRows::refuse,
                       .gpu_types = gpu_types_of(nodes)};
  if (!options.speedups.empty())
    reading.speedups = read_speedups_file(options.speedups);
  InputFile input(options.trace, context);
  TraceReadResult result = read_trace(input.stream(), input.name(), options.format, reading);
  input.check_end();
  report_skipped(result.skipped, input.name(), context);
  if (result.without_gpus > 0) {
    *context.err << fmt::format(
        "voda: {}: {} rows ask for no GPU and are left out\n", input.name(), result.without_gpus);
  }
  if (!reading.speedups && options.format == "voda")
    add_shipped_curves(result.trace, context);
  if (options.elastic.empty())
    return std::move(result.trace);
  const auto elasticity = read_option("--elastic", options.elastic, [](const std::string& text) {
    const Elasticity parsed = parse_elasticity(text);
    check(parsed);
    return parsed;
  });
  return with_elastic_jobs(std::move(result.trace), elasticity);
}

/// What happens to jobs and nodes, and when decisions are made.
void add_course_options(CLI::App& app, RunOptions& options) {
  app.add_option("--resize-cost",
                 options.resize_cost,
                 "Seconds without progress at a change: none, stall:S, or restart:A,B for A + B * "
                 "(log2 GPUs + 1)")
      ->capture_default_str();
  app.add_option("--node-events",
                 options.node_events,
                 "CSV of time_s, node, event: down, up, cordon, uncordon or gpus=N (default: no "
                 "events)");
  app.add_option("--mtbf",
                 options.failures,
                 "S,REPAIR_S: each node fails at random, every S seconds on average, for REPAIR_S "
                 "seconds (default: never)");
  app.add_option("--checkpoint",
                 options.checkpoint,
                 "Seconds between checkpoints of a job; 0: failures lose no work")
      ->capture_default_str();
  app.add_option("--max-time",
                 options.max_time,
                 "Ends the run so many seconds after the first submission; jobs that are left are "
                 "unfinished");
  app.add_option("--rate-limit", options.rate_limit, "Fewest seconds between two decisions")
      ->capture_default_str();
  app.add_option("--round",
                 options.round,
                 "Decide only at whole multiples of so many seconds (default: whenever something "
                 "happens)");
  app.add_flag("--eager-start",
               options.is_eager,
               "The rate limit does not hold back an arrival that fits (default: it does)");
  app.add_option("--elastic",
                 options.elastic,
                 "MIN:MAX makes all jobs elastic: GPUs (1:16) or multiples of the request "
                 "(0.5x:4x) (default: as in the trace)");
  app.add_flag("--lenient",
               options.is_lenient,
               "Skip bad rows of the trace, list and count them (default: refuse the trace)");
  app.add_option("--seed",
                 options.seed,
                 "Of everything random, a whole number; only --mtbf draws random numbers")
      ->capture_default_str();
}

}  // namespace

void add_run_options(CLI::App& app, RunOptions& options) {
  std::vector<std::string_view> formats;
  for (const TraceFormat& format : trace_formats())
    formats.push_back(format.name);
  app.add_option("TRACE", options.trace, "The job trace, a CSV file; - reads standard input")
      ->required();
  app.add_option("--format",
                 options.format,
                 fmt::format("Format of the trace: {}", fmt::join(formats, ", ")))
      ->capture_default_str();
  app.add_option("--cluster",
                 options.cluster,
                 "16x4 (nodes x GPUs), 4x8x4 (racks x nodes x GPUs), 8x4:v100+16x8:a100 (GPU "
                 "types), or a JSON file")
      ->required();
  app.add_option("--placer",
                 options.placer,
                 "NAME[:option=value,...], see `voda policies`; none: GPUs are only counted")
      ->capture_default_str();
  app.add_option("--speedups",
                 options.speedups,
                 "File or directory of the speedup profiles that the trace names (default: the "
                 "shipped ones for the format voda; other jobs scale linearly)");
  add_course_options(app, options);
}

PreparedRun prepare_run(const RunOptions& options, const Context& context) {
  PreparedRun result{.options = simulation_options(options, context.environment->policies)};
  result.trace = read_run_trace(options, result.options.nodes, context);
  return result;
}

}  // namespace voda::command_line

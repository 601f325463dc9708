#include "command_line/run_options.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <ostream>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/input_file.hpp"
#include "command_line/messages.hpp"
#include "command_line/option_values.hpp"
#include "command_line/policy_choice.hpp"
#include "voda/io/cluster_text.hpp"
#include "voda/io/elasticity_text.hpp"
#include "voda/io/node_events_reader.hpp"
#include "voda/io/resize_cost_text.hpp"
#include "voda/io/speedups_reader.hpp"
#include "voda/io/throughputs_reader.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/workload.hpp"

namespace voda::command_line {
namespace {

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
  refuse_word("--format", name, known);
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
  result.estimate_error =
      read_number("--estimate-error", options.estimate_error, 0, largest_estimate_error);
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
  warn(context,
       fmt::format("{} profiles that are not shipped (such as '{}'); without --speedups they scale "
                   "linearly{}",
                   unknown == 1 ? "1 job names" : fmt::format("{} jobs name", unknown),
                   shown(example),
                   did_you_mean(example, std::views::keys(shipped))));
}

void report_skipped(const std::vector<SkippedRow>& skipped,
                    const std::string& source,
                    const Context& context) {
  constexpr std::size_t most_shown = 10;
  for (std::size_t i = 0; i < std::min(most_shown, skipped.size()); ++i) {
    complain(context, "skipped: " + skipped[i].message);
  }
  if (skipped.empty())
    return;
  warn(context,
       fmt::format(
           "{}: {} skipped", source, counted(static_cast<std::int64_t>(skipped.size()), "row")));
}

/// What the header of a trace says, and what became of its rows.
void report_reading(const TraceReadResult& result,
                    const std::string& source,
                    const Context& context) {
  std::vector<std::string> fields;
  for (const std::string_view label :
       {"Version", "Computer", "UnixStartTime", "MaxJobs", "MaxNodes", "MaxProcs"}) {
    const auto field = result.header.fields.find(label);
    if (field != result.header.fields.end())
      fields.push_back(fmt::format("{} {}", label, shown(field->second)));
  }
  if (!fields.empty())
    complain(context, fmt::format("{}: {}", source, fmt::join(fields, ", ")));
  for (const auto& [reason, rows] : result.left_out) {
    complain(context, fmt::format("{}: rows that {}: {}, left out", source, reason, rows));
  }
  for (const auto& [remark, rows] : result.remarks)
    complain(context, fmt::format("{}: rows that {}: {}", source, remark, rows));
  for (const std::string& warning : result.warnings)
    warn(context, fmt::format("{}: {}", source, warning));
}

std::vector<std::string> gpu_types_of(const std::vector<Node>& nodes) {
  std::set<std::string> types;
  for (const Node& node : nodes)
    types.insert(node.gpu_type);
  return {types.begin(), types.end()};
}

}  // namespace

Trace read_run_trace(const RunOptions& options,
                     const std::vector<Node>& nodes,
                     const Context& context) {
  check_format(options.format);
  TraceOptions reading{.bad_rows = options.is_lenient ? BadRows::skip : BadRows::refuse,
                       .gpu_types = gpu_types_of(nodes)};
  if (!options.speedups.empty())
    reading.speedups = read_speedups_file(options.speedups);
  if (!options.throughputs.empty())
    reading.throughputs = read_throughputs_file(options.throughputs);
  if (!options.run_times.empty())
    reading.run_times = read_run_times_file(options.run_times);
  InputFile input(options.trace, context);
  TraceReadResult result = read_trace(input.stream(), input.name(), options.format, reading);
  input.check_end();
  report_skipped(result.skipped, input.name(), context);
  report_reading(result, input.name(), context);
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

namespace {

/// Submissions at the offered load that was asked for, on all GPUs of the cluster.
Trace at_load(Trace trace, const std::string& load, const std::vector<Node>& nodes) {
  if (load.empty())
    return trace;
  const double wanted = read_number("--load", load, 1e-6, 1e6);
  std::int64_t gpus = 0;
  for (const Node& node : nodes)
    gpus += node.gpus;
  constexpr std::int64_t most = std::numeric_limits<GpuCount>::max();
  return with_offered_load(std::move(trace), static_cast<GpuCount>(std::min(gpus, most)), wanted);
}

/// What happens to jobs and nodes, and when decisions are made.
void add_course_options(CLI::App& app, RunOptions& options) {
  app.add_option("--resize-cost",
                 options.resize_cost,
                 "Seconds without progress at a change: none, stall:S, or restart:A,B for A + B * "
                 "(log2 GPUs + 1)")
      ->type_name("none|stall:S|restart:A,B")
      ->capture_default_str();
  app.add_option("--node-events",
                 options.node_events,
                 "CSV of time_s, node, event: down, up, cordon, uncordon or gpus=N (default: no "
                 "events)")
      ->type_name("FILE");
  app.add_option("--mtbf",
                 options.failures,
                 "S,REPAIR_S: each node fails at random, every S seconds on average, for REPAIR_S "
                 "seconds (default: never)")
      ->type_name("S,REPAIR_S");
  app.add_option("--checkpoint",
                 options.checkpoint,
                 "Seconds between checkpoints of a job; 0: failures lose no work")
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--max-time",
                 options.max_time,
                 "Ends the run so many seconds after the first submission; jobs that are left are "
                 "unfinished")
      ->type_name("SECONDS");
  app.add_option("--rate-limit", options.rate_limit, "Fewest seconds between two decisions")
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--round",
                 options.round,
                 "Decide only at whole multiples of so many seconds (default: whenever something "
                 "happens)")
      ->type_name("SECONDS");
  app.add_flag("--eager-start",
               options.is_eager,
               "The rate limit does not hold back an arrival that fits (default: it does)");
}

/// How the jobs differ from those of the trace, and what policies know of them.
void add_job_options(CLI::App& app, RunOptions& options) {
  app.add_option("--elastic",
                 options.elastic,
                 "MIN:MAX makes all jobs elastic: GPUs (1:16) or multiples of the request "
                 "(0.5x:4x) (default: as in the trace)")
      ->type_name("MIN:MAX");
  app.add_option("--load",
                 options.load,
                 "Stretches the time between submissions so that GPU time asked for over GPU time "
                 "there is becomes this ratio; deadlines move along (default: as in the trace)")
      ->type_name("RATIO");
  app.add_flag("--lenient",
               options.is_lenient,
               "Skip bad rows of the trace, list and count them (default: refuse the trace)");
  app.add_option("--estimate-error",
                 options.estimate_error,
                 "How wrong policies are about the work of jobs: each is told as its work times "
                 "e^(ERROR * z), z normal; 0: the truth")
      ->type_name("ERROR")
      ->capture_default_str();
  app.add_option("--seed",
                 options.seed,
                 "Of everything random, a whole number; --mtbf and --estimate-error draw")
      ->type_name("N")
      ->capture_default_str();
}

}  // namespace

void add_run_options(CLI::App& app, RunOptions& options) {
  std::vector<std::string_view> formats;
  for (const TraceFormat& format : trace_formats())
    formats.push_back(format.name);
  app.add_option("TRACE", options.trace, "The job trace, a CSV file; - reads standard input")
      ->type_name("FILE")
      ->required();
  app.add_option("--format",
                 options.format,
                 fmt::format("Format of the trace: {}", fmt::join(formats, ", ")))
      ->type_name("TRACE_FORMAT")
      ->capture_default_str();
  app.add_option("--cluster",
                 options.cluster,
                 "16x4 (nodes x GPUs), 4x8x4 (racks x nodes x GPUs), 8x4:v100+16x8:a100 (GPU "
                 "types), or a JSON file")
      ->type_name("NODESxGPUS|FILE")
      ->required();
  app.add_option("--placer",
                 options.placer,
                 "NAME[:option=value,...], see `voda policies`; none: GPUs are only counted")
      ->type_name("PLACER|none")
      ->capture_default_str();
  app.add_option("--speedups",
                 options.speedups,
                 "File or directory of the speedup profiles that the trace names (default: the "
                 "shipped ones for the format voda; other jobs scale linearly)")
      ->type_name("FILE");
  app.add_option("--throughputs",
                 options.throughputs,
                 "Gavel's throughputs in JSON, for the format gavel, which needs them")
      ->type_name("FILE");
  app.add_option("--run-times",
                 options.run_times,
                 "CSV of application, batch_size, num_replicas, run_time_s, for the format pollux")
      ->type_name("FILE");
  add_course_options(app, options);
  add_job_options(app, options);
}

PreparedRun prepare_run(const RunOptions& options, const Context& context) {
  PreparedRun result{.options = simulation_options(options, context.environment->policies)};
  const std::vector<Node>& nodes = result.options.nodes;
  result.trace = at_load(read_run_trace(options, nodes, context), options.load, nodes);
  return result;
}

}  // namespace voda::command_line

#pragma once

#include <string>
#include <vector>

#include "command_line/command.hpp"
#include "voda/simulator/simulator.hpp"
#include "voda/simulator/trace.hpp"

namespace voda::command_line {

/// What `simulate` and `compare` are told about the run, as text.
struct RunOptions {
  std::string trace{};
  std::string format = "voda";
  std::string cluster{};
  std::string placer = "none";
  std::string speedups{};  // empty: see prepare_run()
  std::string throughputs{};
  std::string run_times{};
  std::string resize_cost = "none";
  std::string node_events{};
  std::string failures{};  // MTBF_S,REPAIR_S
  std::string checkpoint = "0";
  std::string max_time{};
  std::string rate_limit = "0";
  std::string round{};
  std::string elastic{};
  std::string load{};  // empty: as in the trace
  std::string estimate_error = "0";
  std::string seed = "0";
  bool is_eager = false;
  bool is_lenient = false;
};

/// Adds TRACE and the options to a command.
void add_run_options(CLI::App& app, RunOptions& options);

/// Reads the trace that `trace`, `format`, `speedups`, `elastic` and `is_lenient` name, for a cluster
/// of `nodes`, and says on `context.err` what was skipped; throws as prepare_run().
[[nodiscard]] Trace read_run_trace(const RunOptions& options,
                                   const std::vector<Node>& nodes,
                                   const Context& context);

/// Everything that a simulation needs but the policy.
struct PreparedRun {
  Trace trace{};
  SimulationOptions options{};  // without an allocator
};

/// Reads the trace and everything that the options name, and says on `context.err` what was
/// skipped.
///
/// Without `speedups`, the profiles of a trace in the format `voda` that generate_workload() knows
/// get the shipped curves; all other jobs are linear. Throws UsageError for options and
/// InvalidInput for files.
[[nodiscard]] PreparedRun prepare_run(const RunOptions& options, const Context& context);

}  // namespace voda::command_line

#include "command_line/fit_command.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/fit_report.hpp"
#include "command_line/json_text.hpp"
#include "command_line/option_values.hpp"
#include "command_line/output_file.hpp"
#include "command_line/output_format.hpp"
#include "command_line/run_options.hpp"
#include "command_line/workload_choice.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/io/workload_profile_reader.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/goodness_of_fit.hpp"
#include "voda/simulator/workload_fit.hpp"

namespace voda::command_line {
namespace {

class FitCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    std::vector<std::string_view> formats;
    for (const TraceFormat& format : trace_formats())
      formats.push_back(format.name);
    app.add_option(
           "TRACE", traces_, "Job traces, CSV files, taken together; - reads standard input")
        ->type_name("FILE")
        ->required();
    app.add_option(
           "--format", format_, fmt::format("Format of the traces: {}", fmt::join(formats, ", ")))
        ->type_name("TRACE_FORMAT")
        ->capture_default_str();
    app.add_option("--speedups",
                   speedups_,
                   "File or directory of the speedup profiles that the traces name (default: the "
                   "shipped ones for the format voda; other jobs scale linearly)")
        ->type_name("FILE");
    app.add_option(
           "--monday",
           monday_,
           "A Monday, 0:00, on the clock of the traces, in seconds (default: 345600, that is "
           "1970-01-05, for times from 10^9 on, otherwise 0)")
        ->type_name("SECONDS");
    app.add_option(
           "--against",
           against_,
           "Compare the traces with philly, itp or a workload profile instead of fitting one")
        ->type_name("philly|itp|FILE");
    app.add_option("--sample", sample_, "Number of jobs to generate for the comparison")
        ->type_name("N")
        ->capture_default_str();
    app.add_option("--seed", seed_, "Of the jobs to compare with, a whole number")
        ->type_name("N")
        ->capture_default_str();
    app.add_option(
           "--out",
           path_,
           "File to write the workload profile to, for `voda generate --demand`; - is standard "
           "output, and the report goes to standard error (default: only the report)")
        ->type_name("FILE");
    app.add_flag("--lenient",
                 is_lenient_,
                 "Skip bad rows of the traces, list and count them (default: refuse the trace)");
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda generate --jobs 500 --gpus 64 --out made.csv && "
                  "voda fit made.csv --sample 2000 --out profile.json",
          .meaning = "fit a workload profile to a trace and say how well it fits"},
         {.line = "voda generate --jobs 500 --gpus 64 | voda fit - --sample 2000 --against philly",
          .meaning = "how far a trace is from a shipped profile"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    if (!against_.empty() && !path_.empty())
      throw UsageError("fit: --out with --against; expected one of the two");
    options_.workload.jobs = read_whole_number("--sample", sample_, 1, WorkloadOptions::most_jobs);
    options_.workload.seed = read_seed(seed_);
    if (!monday_.empty()) {
      options_.monday = time_from_seconds(
          read_number("--monday", monday_, -max_seconds, max_seconds), "--monday");
    }
    const auto traces = read_traces(context);
    if (!against_.empty()) {
      options_.workload = choose_workload("--against", against_, options_.workload);
      options_.pools =
          pools_of(options_.workload.profile ? *options_.workload.profile
                                             : shipped_workload_profile(options_.workload.demand));
      print(*context.out, against_, traces, {.whole = goodness_of_fit(traces, options_)});
      return ExitStatus::done;
    }
    const WorkloadProfile profile = fitted(traces, description(traces));
    print(path_ == "-" ? *context.err : *context.out, "", traces, reports_of(traces, profile));
    write(profile, context);
    return ExitStatus::done;
  }

 private:
  [[nodiscard]] std::vector<Trace> read_traces(const Context& context) const {
    std::vector<Trace> result;
    for (const std::string& path : traces_) {
      const RunOptions options{
          .trace = path, .format = format_, .speedups = speedups_, .is_lenient = is_lenient_};
      result.push_back(read_run_trace(options, {}, context));
    }
    return result;
  }

  [[nodiscard]] static std::size_t job_count(const std::vector<Trace>& traces) {
    std::size_t result = 0;
    for (const Trace& trace : traces)
      result += trace.jobs.size();
    return result;
  }

  [[nodiscard]] std::string description(const std::vector<Trace>& traces) const {
    std::string result = fmt::format("fitted to {} jobs of", job_count(traces));
    for (const std::string& path : traces_)
      result += " " + shown(path);
    return result;
  }

  [[nodiscard]] WorkloadProfile fitted(const std::vector<Trace>& traces,
                                       std::string description = "") const {
    return fit_workload(traces, {.monday = options_.monday, .description = std::move(description)});
  }

  [[nodiscard]] WorkloadFitReport compared(const std::vector<Trace>& traces,
                                           WorkloadProfile profile) const {
    GoodnessOptions options = options_;
    options.workload = with_profile(options.workload, std::move(profile));
    return goodness_of_fit(traces, options);
  }

  [[nodiscard]] FitReports reports_of(const std::vector<Trace>& traces,
                                      const WorkloadProfile& profile) {
    options_.pools = pools_of(profile);
    FitReports result{.whole = compared(traces, profile)};
    std::vector<Trace> first;
    std::vector<Trace> later;
    for (const Trace& trace : traces) {
      auto [first_half, later_half] = halves_of(trace);
      first.push_back(std::move(first_half));
      later.push_back(std::move(later_half));
    }
    if (job_count(first) == 0)
      return result;
    const WorkloadProfile half = fitted(first);
    result.first_half = compared(first, half);
    result.later_half = compared(later, half);
    return result;
  }

  void print(std::ostream& out,
             const std::string& whose,
             const std::vector<Trace>& traces,
             const FitReports& reports) const {
    const OutputFormat format = output_.chosen();
    if (format == OutputFormat::csv || format == OutputFormat::wide) {
      out << sheet_as(format, flattened(fit_rows(reports)), Style());
      return;
    }
    if (format == OutputFormat::json) {
      Json document{{"jobs", job_count(traces)},
                    {"traces", traces.size()},
                    {"sample", options_.workload.jobs},
                    {"seed", options_.workload.seed}};
      document.update(fit_json(reports));
      out << document_text(document);
      return;
    }
    out << fmt::format("{}: {} of {}, compared with {} generated ones\n\n{}",
                       whose.empty() ? "fitted" : shown(whose),
                       counted(static_cast<std::int64_t>(job_count(traces)), "job"),
                       counted(static_cast<std::int64_t>(traces.size()), "trace"),
                       options_.workload.jobs,
                       fit_table(reports));
  }

  void write(const WorkloadProfile& profile, const Context& context) const {
    if (path_.empty())
      return;
    if (path_ == "-") {
      write_workload_profile(*context.out, profile);
      return;
    }
    OutputFile file(path_);
    try {
      write_workload_profile(file.stream(), profile);
    } catch (const Error&) {
      file.check();  // says why, if it was the file
      throw;
    }
    file.finish();
  }

  std::vector<std::string> traces_{};
  std::string format_ = "voda";
  std::string speedups_{};
  std::string monday_{};
  std::string against_{};
  std::string sample_ = "20000";
  std::string seed_ = "1";
  std::string path_{};
  bool is_lenient_ = false;
  OutputChoice output_{.format = "table"};
  GoodnessOptions options_{};
};

}  // namespace

std::unique_ptr<Command> make_fit_command() {
  return std::make_unique<FitCommand>();
}

}  // namespace voda::command_line

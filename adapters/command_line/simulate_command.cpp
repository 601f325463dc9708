#include "command_line/simulate_command.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/json_text.hpp"
#include "command_line/messages.hpp"
#include "command_line/output_format.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/progress.hpp"
#include "command_line/report/report_file.hpp"
#include "command_line/result_files.hpp"
#include "command_line/run_options.hpp"
#include "command_line/run_record_files.hpp"
#include "command_line/summary.hpp"
#include "command_line/unfinished.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/observer_group.hpp"

namespace voda::command_line {
namespace {

/// Writes rows, draws the bar and notices Ctrl-C.
class RunObserver final : public SimulationObserver {
 public:
  RunObserver(const Context& context,
              ResultFiles* files,
              RunRecordFiles* recorder,
              InterruptWatch* interrupts)
      : progress_(context), files_(files), recorder_(recorder), interrupts_(interrupts) {}

  void job_ended(const JobOutcome& outcome) override {
    if (files_ != nullptr)
      files_->add(outcome);
  }

  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& workers) override {
    if (files_ != nullptr)
      files_->add(at, job, gpus, workers);
  }

  void decided(const Scheduler& scheduler, const Decision& decision) override {
    recorder_->decided(scheduler, decision);
  }

  [[nodiscard]] bool advanced(const SimulationProgress& progress,
                              Scheduler& /*scheduler*/) override {
    if (++instants_ % instants_between_looks != 0)
      return true;
    if (files_ != nullptr)
      files_->check();
    recorder_->check();
    progress_.show(progress.ended, progress.jobs);
    return interrupts_ == nullptr || !interrupts_->has_come();
  }

 private:
  static constexpr std::int64_t instants_between_looks =
      64;  // a look costs more than an instant of a small run

  std::int64_t instants_ = 0;
  ProgressBar progress_;
  ResultFiles* files_ = nullptr;
  RunRecordFiles* recorder_ = nullptr;
  InterruptWatch* interrupts_ = nullptr;
};

/// One figure a row.
ResultSheet names_and_values(const Json& object) {
  const ResultSheet row = flattened({object});
  ResultSheet result{.columns = {{.name = "figure"}, {.name = "value"}}};
  for (std::size_t i = 0; i < row.columns.size(); ++i)
    result.rows.push_back({row.columns[i].name, row.rows.front()[i]});
  return result;
}

class SimulateCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_run_options(app, options_);
    add_policy_option(app, policy_);
    app.add_option("--out",
                   directory_,
                   "Directory for jobs.csv, allocations.csv, placements.csv, summary.json "
                   "(default: none is written)")
        ->type_name("DIR");
    app.add_option("--record",
                   record_,
                   "File for the record of all events and decisions, see `voda replay` (default: "
                   "none is written)")
        ->type_name("FILE");
    app.add_option("--plans",
                   plans_,
                   "File for the plans, a line of JSON for each decision that changes something "
                   "(default: none is written)")
        ->type_name("FILE");
    add_report_option(app, report_);
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 3> all{
        {{.line = "voda simulate trace.csv --cluster 4x4",
          .meaning = "replay a trace on 4 nodes of 4 GPUs and print its summary"},
         {.line =
              "voda simulate trace.csv --cluster 4x4 --policy afs_l --placer steady --out results",
          .meaning = "place workers too, and write what became of every job"},
         {.line = "voda generate --jobs 50 --gpus 16 | voda simulate - --cluster 4x4 -o csv",
          .meaning = "a made-up workload, the figures as CSV"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const OutputFormat format = output_.chosen();
    const auto allocator = choose_allocator(context.environment->policies, policy_);
    PreparedRun prepared = prepare_run(options_, context);
    prepared.options.allocator = allocator;
    const auto& watch = context.environment->watch_interrupts;
    const auto interrupts = watch ? watch() : nullptr;
    std::optional<ResultFiles> files;
    if (!directory_.empty())
      files.emplace(directory_);
    RunRecordFiles recorder(record_, plans_, {.allocator = policy_, .placer = options_.placer});
    prepared.options.record_to = recorder.sink();
    std::optional<ReportFile> report;
    if (!report_.empty())
      report.emplace(report_, options_, prepared, std::vector{policy_});
    const SimulationResult result = [&] {
      RunObserver writer(context, files ? &*files : nullptr, &recorder, interrupts.get());
      ObserverGroup observers({&writer, report ? &report->observer(0) : nullptr});
      return simulate(prepared.trace, prepared.options, &observers, context.environment->stopwatch);
    }();
    recorder.finish();
    if (result.end == SimulationEnd::stopped)
      return stop(files ? &*files : nullptr, result, context);
    if (report)
      report->finish(std::span(&result, 1));
    if (files)
      files->finish(with_policy(summary_json(result.summary)));
    *context.out << printed(result.summary, format, context.out_style);
    warn_of_unfinished(prepared, result, policy_, context);
    return ExitStatus::done;
  }

 private:
  [[nodiscard]] static ExitStatus stop(ResultFiles* files,
                                       const SimulationResult& result,
                                       const Context& context) {
    if (files != nullptr)
      files->interrupt();
    complain(context,
             fmt::format("interrupted: {} had finished", counted(result.summary.finished, "job")));
    return ExitStatus::interrupted;
  }

  [[nodiscard]] Json with_policy(const Json& summary) const {
    Json result{{"policy", policy_}, {"placer", options_.placer}};
    result.update(summary);
    return result;
  }

  [[nodiscard]] std::string printed(const SimulationSummary& summary,
                                    OutputFormat format,
                                    const Style& style) const {
    Json json = with_policy(summary_json(summary));
    append(json, "time_per_decision_s", time_per_decision_s(summary));
    std::string text = style(Emphasis::heading, policy_ + ":") + " " + summary_text(summary);
    switch (format) {
      case OutputFormat::table:
        return text;
      case OutputFormat::wide:
        return text + "\n" + table_text(names_and_values(json), Detail::wide, style);
      case OutputFormat::json:
        return document_text(json);
      case OutputFormat::csv:
        break;
    }
    return csv_text(flattened({json}));
  }

  RunOptions options_{};
  std::string policy_ = "elastic_fifo";
  std::string directory_{};
  std::string record_{};
  std::string plans_{};
  std::string report_{};
  OutputChoice output_{.format = "table"};
};

}  // namespace

std::unique_ptr<Command> make_simulate_command() {
  return std::make_unique<SimulateCommand>();
}

}  // namespace voda::command_line

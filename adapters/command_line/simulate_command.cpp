#include "command_line/simulate_command.hpp"

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include <CLI/CLI.hpp>

#include "command_line/json_text.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/progress.hpp"
#include "command_line/result_files.hpp"
#include "command_line/run_options.hpp"
#include "command_line/summary.hpp"
#include "command_line/unfinished.hpp"

namespace voda::command_line {
namespace {

/// Writes rows, draws the bar and notices Ctrl-C.
class RunObserver final : public SimulationObserver {
 public:
  RunObserver(const Context& context, ResultFiles* files, InterruptWatch* interrupts)
      : progress_(context), files_(files), interrupts_(interrupts) {}

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

  [[nodiscard]] bool advanced(const SimulationProgress& progress, Scheduler&) override {
    if (++instants_ % instants_between_looks != 0)
      return true;
    if (files_ != nullptr)
      files_->check();
    progress_.show(progress.ended, progress.jobs);
    return interrupts_ == nullptr || !interrupts_->has_come();
  }

 private:
  static constexpr std::int64_t instants_between_looks =
      64;  // a look costs more than an instant of a small run

  std::int64_t instants_ = 0;
  ProgressBar progress_;
  ResultFiles* files_ = nullptr;
  InterruptWatch* interrupts_ = nullptr;
};

class SimulateCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_run_options(app, options_);
    app.add_option("--policy",
                   policy_,
                   "Who gets how many GPUs: NAME[:option=value,...], see `voda policies`")
        ->capture_default_str();
    app.add_option("--out",
                   directory_,
                   "Directory for jobs.csv, allocations.csv, placements.csv, summary.json "
                   "(default: none is written)");
    app.add_flag("--json", is_json_, "Print the summary as JSON (default: as text)");
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const auto allocator = choose_allocator(context.environment->policies, policy_);
    PreparedRun prepared = prepare_run(options_, context);
    prepared.options.allocator = allocator;
    const auto& watch = context.environment->watch_interrupts;
    const auto interrupts = watch ? watch() : nullptr;
    std::optional<ResultFiles> files;
    if (!directory_.empty())
      files.emplace(directory_);
    const SimulationResult result = [&] {
      RunObserver observer(context, files ? &*files : nullptr, interrupts.get());
      return simulate(prepared.trace, prepared.options, &observer, context.environment->stopwatch);
    }();
    if (result.end == SimulationEnd::stopped)
      return stop(files ? &*files : nullptr, result, context);
    if (files)
      files->finish(with_policy(summary_json(result.summary)));
    print(result.summary, context);
    warn_of_unfinished(prepared, result, policy_, context);
    return ExitStatus::done;
  }

 private:
  [[nodiscard]] static ExitStatus stop(ResultFiles* files,
                                       const SimulationResult& result,
                                       const Context& context) {
    if (files != nullptr)
      files->interrupt();
    *context.err << "voda: interrupted: " << result.summary.finished << " jobs had finished\n";
    return ExitStatus::interrupted;
  }

  [[nodiscard]] Json with_policy(const Json& summary) const {
    Json result{{"policy", policy_}, {"placer", options_.placer}};
    result.update(summary);
    return result;
  }

  void print(const SimulationSummary& summary, const Context& context) const {
    if (!is_json_) {
      *context.out << policy_ << ": " << summary_text(summary);
      return;
    }
    Json json = with_policy(summary_json(summary));
    append(json, "time_per_decision_s", time_per_decision_s(summary));
    *context.out << document_text(json);
  }

  RunOptions options_{};
  std::string policy_ = "elastic_fifo";
  std::string directory_{};
  bool is_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_simulate_command() {
  return std::make_unique<SimulateCommand>();
}

}  // namespace voda::command_line

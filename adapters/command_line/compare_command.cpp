#include "command_line/compare_command.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/comparison_table.hpp"
#include "command_line/json_text.hpp"
#include "command_line/option_values.hpp"
#include "command_line/output_format.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/progress.hpp"
#include "command_line/report/report_file.hpp"
#include "command_line/run_options.hpp"
#include "command_line/summary.hpp"
#include "command_line/unfinished.hpp"
#include "voda/model/number_text.hpp"
#include "voda/simulator/observer_group.hpp"

namespace voda::command_line {
namespace {

struct Contestant {
  std::string policy{};
  std::shared_ptr<const Allocator> allocator{};
};

/// Threads that are waited for; std::jthread is still experimental in libc++.
class JoiningThreads {
 public:
  JoiningThreads() = default;
  JoiningThreads(const JoiningThreads&) = delete;
  JoiningThreads& operator=(const JoiningThreads&) = delete;

  ~JoiningThreads() {
    for (std::thread& thread : threads_)
      thread.join();
  }

  template <class Work>
  void start(Work work) {
    threads_.emplace_back(std::move(work));
  }

 private:
  std::vector<std::thread> threads_{};
};

/// Runs every contestant in a thread of a small pool; results stand at the place of their policy
/// whatever the threads do.
class Contest {
 public:
  /// `report` may be null.
  Contest(const PreparedRun& run,
          std::vector<Contestant> contestants,
          ReportFile* report,
          const Context& context)
      : run_(&run),
        report_(report),
        context_(context),
        contestants_(std::move(contestants)),
        results_(contestants_.size()),
        errors_(contestants_.size()) {}

  [[nodiscard]] std::vector<SimulationResult> hold(std::size_t thread_count) {
    {
      JoiningThreads threads;
      for (std::size_t i = 0; i < std::min(thread_count, contestants_.size()); ++i) {
        threads.start([this] { work(); });
      }
      watch();
    }
    for (const std::exception_ptr& error : errors_) {
      if (error != nullptr)
        std::rethrow_exception(error);
    }
    return std::move(results_);
  }

 private:
  /// Adds the jobs that ended to the common count.
  class Counter final : public SimulationObserver {
   public:
    explicit Counter(Contest& contest) : contest_(&contest) {}

    [[nodiscard]] bool advanced(const SimulationProgress& progress,
                                Scheduler& /*scheduler*/) override {
      contest_->ended_ += progress.ended - std::exchange(ended_, progress.ended);
      return true;
    }

   private:
    Contest* contest_ = nullptr;
    std::int64_t ended_ = 0;
  };

  void work() {
    for (std::size_t next = next_++; next < contestants_.size(); next = next_++)
      run(next);
  }

  void run(std::size_t index) {
    try {
      SimulationOptions options = run_->options;
      options.allocator = contestants_[index].allocator;
      Counter counter(*this);
      ObserverGroup observers({&counter, report_ == nullptr ? nullptr : &report_->observer(index)});
      results_[index] = simulate(run_->trace, options, &observers, context_.environment->stopwatch);
    } catch (...) {
      errors_[index] = std::current_exception();
    }
    {
      const std::scoped_lock lock(mutex_);
      ++completed_;
    }
    changed_.notify_one();
  }

  /// Draws progress until all are done.
  void watch() {
    ProgressBar bar(context_);
    const auto total = static_cast<std::int64_t>(run_->trace.jobs.size() * contestants_.size());
    std::unique_lock lock(mutex_);
    const auto is_over = [this] { return completed_ == contestants_.size(); };
    while (!changed_.wait_for(lock, std::chrono::milliseconds(100), is_over))
      bar.show(ended_, total);
  }

  const PreparedRun* run_ = nullptr;
  ReportFile* report_ = nullptr;
  Context context_{};
  std::vector<Contestant> contestants_{};
  std::vector<SimulationResult> results_{};
  std::vector<std::exception_ptr> errors_{};
  std::mutex mutex_{};
  std::condition_variable changed_{};
  std::size_t completed_ = 0;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::int64_t> ended_ = 0;
};

class CompareCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_run_options(app, options_);
    app.add_option("--policy",
                   policies_,
                   "NAME[:option=value,...], once for each policy, see `voda policies`")
        ->type_name("POLICY")
        ->allow_extra_args(false);
    app.add_flag("--all-policies",
                 is_all_,
                 "Every policy with the defaults of its options, besides those named");
    app.add_option("--jobs", threads_, "Number of threads (default: one per core)")->type_name("N");
    add_report_option(app, report_);
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda compare trace.csv --cluster 4x4 --all-policies",
          .meaning = "every policy on one trace; the best of each column is marked"},
         {.line = "voda compare trace.csv --cluster 4x4 --policy fifo --policy "
                  "elastic_tiresias:compact_above=5 --resize-cost stall:30 -o wide",
          .meaning = "two policies, every figure, with a price for resizing"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const OutputFormat format = output_.chosen();
    const auto contestants = contestants_of(context.environment->policies);
    std::size_t threads = context.environment->cores;
    if (!threads_.empty())
      threads = static_cast<std::size_t>(read_whole_number("--jobs", threads_, 1, 1024));
    const PreparedRun run = prepare_run(options_, context);
    std::vector<std::string> names;
    names.reserve(contestants.size());
    for (const Contestant& contestant : contestants)
      names.push_back(contestant.policy);
    std::optional<ReportFile> report;
    if (!report_.empty())
      report.emplace(report_, options_, run, names);
    const auto results = Contest(run, contestants, report ? &*report : nullptr, context)
                             .hold(std::max<std::size_t>(1, threads));
    if (report)
      report->finish(results);
    *context.out << printed(format, run, names, results, context.out_style);
    for (std::size_t i = 0; i < results.size(); ++i)
      warn_of_unfinished(run, results[i], names[i], context);
    return ExitStatus::done;
  }

 private:
  [[nodiscard]] std::vector<Contestant> contestants_of(const PolicyTables& tables) const {
    std::vector<Contestant> result;
    if (is_all_) {
      for (const auto& entry : tables.allocators.entries()) {
        result.push_back({.policy = entry.name, .allocator = choose_allocator(tables, entry.name)});
      }
    }
    for (const std::string& policy : policies_) {
      result.push_back({.policy = policy, .allocator = choose_allocator(tables, policy)});
    }
    if (result.empty())
      throw UsageError(
          "compare: no policy; expected --policy P, more than once, or --all-policies");
    return result;
  }

  [[nodiscard]] std::string printed(OutputFormat format,
                                    const PreparedRun& run,
                                    const std::vector<std::string>& names,
                                    const std::vector<SimulationResult>& results,
                                    const Style& style) const {
    if (format == OutputFormat::json)
      return document_text({{"policies", json_rows(names, results)}});
    if (format == OutputFormat::csv)
      return csv_text(flattened(json_rows(names, results)));
    const Detail detail = format == OutputFormat::wide ? Detail::wide : Detail::always;
    return heading(run) + comparison_table(names, results, detail, style) + "\n" +
           std::string(comparison_legend);
  }

  [[nodiscard]] std::string heading(const PreparedRun& run) const {
    std::int64_t gpus = 0;
    for (const Node& node : run.options.nodes)
      gpus += node.gpus;
    const std::string placing =
        options_.placer == "none" ? "GPUs counted only" : "placed by " + options_.placer;
    return fmt::format("{} on {} of {}, {}\n\n",
                       counted(static_cast<std::int64_t>(run.trace.jobs.size()), "job"),
                       counted(gpus, "GPU"),
                       counted(static_cast<std::int64_t>(run.options.nodes.size()), "node"),
                       placing);
  }

  [[nodiscard]] std::vector<Json> json_rows(const std::vector<std::string>& names,
                                            const std::vector<SimulationResult>& results) const {
    std::vector<Json> rows;
    for (std::size_t i = 0; i < results.size(); ++i) {
      Json row{{"policy", names[i]}, {"placer", options_.placer}};
      row.update(summary_json(results[i].summary));
      append(row, "time_per_decision_s", time_per_decision_s(results[i].summary));
      rows.push_back(std::move(row));
    }
    return rows;
  }

  RunOptions options_{};
  std::vector<std::string> policies_{};
  std::string threads_{};
  std::string report_{};
  bool is_all_ = false;
  OutputChoice output_{.format = "table"};
};

}  // namespace

std::unique_ptr<Command> make_compare_command() {
  return std::make_unique<CompareCommand>();
}

}  // namespace voda::command_line

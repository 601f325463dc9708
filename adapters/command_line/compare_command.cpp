#include "command_line/compare_command.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/json_text.hpp"
#include "command_line/option_values.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/progress.hpp"
#include "command_line/run_options.hpp"
#include "command_line/summary.hpp"
#include "command_line/table.hpp"
#include "command_line/unfinished.hpp"

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
  Contest(const PreparedRun& run, std::vector<Contestant> contestants, const Context& context)
      : run_(&run),
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
  class Reporter final : public SimulationObserver {
   public:
    explicit Reporter(Contest& contest) : contest_(&contest) {}

    [[nodiscard]] bool advanced(const SimulationProgress& progress, Scheduler&) override {
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
      Reporter reporter(*this);
      results_[index] = simulate(run_->trace, options, &reporter, context_.environment->stopwatch);
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

/// The jobs that a figure is taken over; one over finished jobs is missing when none finished.
enum class Over : std::uint8_t { all_jobs, finished_jobs };

/// A column whose values are a figure of each summary.
template <class Figure>
Column column_of(const std::vector<SimulationResult>& results,
                 std::string header,
                 Quantity quantity,
                 Best best,
                 Over over,
                 Figure figure) {
  Column column{.header = std::move(header), .quantity = quantity, .best = best};
  for (const SimulationResult& result : results) {
    const bool is_missing = over == Over::finished_jobs && result.summary.finished == 0;
    column.values.push_back(is_missing ? std::numeric_limits<double>::quiet_NaN()
                                       : static_cast<double>(figure(result.summary)));
  }
  return column;
}

std::string comparison_table(const std::vector<std::string>& policies,
                             const std::vector<SimulationResult>& results) {
  using Summary = SimulationSummary;
  const auto seconds = [&results](std::string header, auto figure) {
    return column_of(
        results, std::move(header), Quantity::seconds, Best::smallest, Over::finished_jobs, figure);
  };
  const auto counts = [&results](std::string header, Best best, auto figure) {
    return column_of(results, std::move(header), Quantity::count, best, Over::all_jobs, figure);
  };
  return table_text(
      "policy",
      policies,
      {counts("done", Best::largest, [](const Summary& s) { return s.finished; }),
       seconds("mean JCT", [](const Summary& s) { return s.jct_s.mean; }),
       seconds("p50", [](const Summary& s) { return s.jct_s.p50; }),
       seconds("p99", [](const Summary& s) { return s.jct_s.p99; }),
       seconds("wait", [](const Summary& s) { return s.waited_s.mean; }),
       seconds("makespan", [](const Summary& s) { return s.makespan_s; }),
       column_of(results,
                 "useful",
                 Quantity::percent,
                 Best::largest,
                 Over::finished_jobs,
                 [](const Summary& s) { return s.utilization_useful; }),
       column_of(results,
                 "unfair",
                 Quantity::ratio,
                 Best::smallest,
                 Over::finished_jobs,
                 [](const Summary& s) { return s.fairness_worst; }),
       counts("resizes", Best::smallest, [](const Summary& s) { return s.resizes; }),
       counts("stops", Best::smallest, [](const Summary& s) { return s.preemptions; }),
       column_of(results,
                 "decision",
                 Quantity::seconds,
                 Best::smallest,
                 Over::all_jobs,
                 [](const Summary& s) { return time_per_decision_s(s); })});
}

constexpr const char* legend =
    "\nJCT: job completion time, wait: mean waiting time, useful: work done over GPU time there "
    "was,\n"
    "unfair: the worst job's time over its time alone on an equal share, stops: preemptions,\n"
    "decision: mean time to decide, *: best of its column.\n";

class CompareCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_run_options(app, options_);
    app.add_option("--policy",
                   policies_,
                   "NAME[:option=value,...], once for each policy, see `voda policies`")
        ->allow_extra_args(false);
    app.add_flag("--all-policies",
                 is_all_,
                 "Every policy with the defaults of its options, besides those named");
    app.add_option("--jobs", threads_, "Number of threads (default: one per core)");
    app.add_flag("--json", is_json_, "Print all figures as JSON (default: a table)");
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const auto contestants = contestants_of(context.environment->policies);
    std::size_t threads = context.environment->cores;
    if (!threads_.empty())
      threads = static_cast<std::size_t>(read_whole_number("--jobs", threads_, 1, 1024));
    const PreparedRun run = prepare_run(options_, context);
    const auto results = Contest(run, contestants, context).hold(std::max<std::size_t>(1, threads));
    std::vector<std::string> names;
    names.reserve(contestants.size());
    for (const Contestant& contestant : contestants)
      names.push_back(contestant.policy);
    *context.out << (is_json_ ? json_text(names, results) : table(run, names, results));
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

  [[nodiscard]] std::string table(const PreparedRun& run,
                                  const std::vector<std::string>& names,
                                  const std::vector<SimulationResult>& results) const {
    std::int64_t gpus = 0;
    for (const Node& node : run.options.nodes)
      gpus += node.gpus;
    const std::string placing =
        options_.placer == "none" ? "GPUs counted only" : "placed by " + options_.placer;
    return fmt::format("{} jobs on {} GPUs of {} nodes, {}\n\n{}{}",
                       run.trace.jobs.size(),
                       gpus,
                       run.options.nodes.size(),
                       placing,
                       comparison_table(names, results),
                       legend);
  }

  [[nodiscard]] std::string json_text(const std::vector<std::string>& names,
                                      const std::vector<SimulationResult>& results) const {
    Json rows = Json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
      Json row{{"policy", names[i]}, {"placer", options_.placer}};
      row.update(summary_json(results[i].summary));
      append(row, "time_per_decision_s", time_per_decision_s(results[i].summary));
      rows.push_back(std::move(row));
    }
    return document_text({{"policies", std::move(rows)}});
  }

  RunOptions options_{};
  std::vector<std::string> policies_{};
  std::string threads_{};
  bool is_all_ = false;
  bool is_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_compare_command() {
  return std::make_unique<CompareCommand>();
}

}  // namespace voda::command_line

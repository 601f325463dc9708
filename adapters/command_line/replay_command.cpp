#include "command_line/replay_command.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/input_file.hpp"
#include "command_line/json_text.hpp"
#include "command_line/option_values.hpp"
#include "command_line/output_file.hpp"
#include "command_line/output_format.hpp"
#include "command_line/plan_answer.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/record_warning.hpp"
#include "command_line/replay_difference.hpp"
#include "voda/io/record.hpp"
#include "voda/model/number_text.hpp"
#include "voda/scheduler/replay.hpp"

namespace voda::command_line {
namespace {

/// What a replay counts.
struct Tally {
  std::int64_t states = 0;
  std::int64_t events = 0;
  std::int64_t submitted = 0;
  std::int64_t finished = 0;
  std::int64_t decisions = 0;  // that were made again
  std::int64_t equal = 0;
  std::int64_t failed = 0;
  std::optional<TimePoint> first{};
  TimePoint last{};

  void count(const Event& event) {
    ++events;
    submitted += std::holds_alternative<JobSubmitted>(event.body) ? 1 : 0;
    finished += std::holds_alternative<JobFinished>(event.body) ? 1 : 0;
    if (event.at == TimePoint::min())
      return;  // before anything happened: nodes of a simulation
    if (!first)
      first = event.at;
    last = event.at;
  }

  [[nodiscard]] std::int64_t different() const { return decisions - equal - failed; }
};

/// Which part of a record is decided again.
struct Window {
  TimePoint from = TimePoint::min();
  TimePoint until = TimePoint::max();
};

/// Where differences go, as they are found: sentences, members of an array, or rows of a sheet.
class Differences {
 public:
  Differences(OutputFormat format, const Context& context) : format_(format), context_(context) {}

  void add(const ReplayedDecision& decision) {
    const Json difference = difference_json(decision);
    switch (format_) {
      case OutputFormat::table:
        *context_.out << difference_text(difference);
        break;
      case OutputFormat::json:
        *context_.out << (is_empty_ ? "{\"differences\": [\n  " : "  ,") << line_text(difference);
        break;
      case OutputFormat::wide:
      case OutputFormat::csv:
        append_rows(difference, sheet_);
        break;
    }
    is_empty_ = false;
  }

  /// Ends the array, whose object goes on with further members, or prints the rows.
  void end() {
    if (format_ == OutputFormat::json)
      *context_.out << (is_empty_ ? "{\"differences\": [],\n" : "],\n");
    if (format_ == OutputFormat::wide || format_ == OutputFormat::csv)
      *context_.out << sheet_as(format_, sheet_, context_.out_style);
  }

 private:
  OutputFormat format_{};
  Context context_{};
  ResultSheet sheet_ = difference_sheet();
  bool is_empty_ = true;
};

class ReplayCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    app.add_option("FILE", path_, "File with the record; - reads standard input")
        ->type_name("FILE")
        ->required();
    app.add_option("--policy",
                   policy_,
                   "Who decides in place of the recorded policy (default: as recorded)")
        ->type_name("POLICY");
    app.add_option("--placer",
                   placer_,
                   "Who places in place of the recorded placer, or none (default: as recorded)")
        ->type_name("PLACER|none");
    app.add_option("--from",
                   from_,
                   "Second of the record's clock from which on decisions are made again (default: "
                   "all are)")
        ->type_name("SECONDS");
    app.add_option("--until", until_, "Second after which nothing is read (default: to its end)")
        ->type_name("SECONDS");
    app.add_option("--plans",
                   plans_,
                   "File for the plans of the decisions made again, a line of JSON for each that "
                   "changes something (default: none is written)")
        ->type_name("FILE");
    app.add_flag(
        "--diff", shows_differences_, "Print each decision that differs from the recorded");
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda simulate trace.csv --cluster 4x4 --record run.rec && voda replay run.rec",
          .meaning = "record a run and decide it again: everything must repeat"},
         {.line = "voda simulate trace.csv --cluster 4x4 --record run.rec && "
                  "voda replay run.rec --policy srjf --diff",
          .meaning = "what another policy would have decided at each of those moments"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const Window window = read_window();
    Replay replay = make_replay(context);
    InputFile input(path_, context);
    RecordReader reader(input.stream(), input.name());
    std::optional<OutputFile> plans;
    if (!plans_.empty())
      plans.emplace(plans_);
    const OutputFormat format = output_.chosen();
    Differences differences(format, context);
    const auto visitor = [&](const ReplayedDecision& decision) {
      count(decision);
      if (shows_differences_ && !decision.is_equal())
        differences.add(decision);
      if (plans && decision.decision != nullptr)
        plans->stream() << plan_lines(decision.scheduler->state(), *decision.decision);
    };
    const auto& watch = context.environment->watch_interrupts;
    const auto interrupts = watch ? watch() : nullptr;
    bool is_interrupted = false;
    while (const auto entry = reader.next()) {
      if (!take(replay, *entry, window, visitor, input.name()))
        break;
      if (tally_.events % events_between_looks == 0 && interrupts && interrupts->has_come()) {
        is_interrupted = true;
        break;
      }
    }
    if (plans)
      plans->finish();
    if (shows_differences_)
      differences.end();
    answer(format, reader.tail(), context);
    warn_of_cut(reader.tail(), input.name(), context);
    if (is_interrupted)
      return ExitStatus::interrupted;
    const bool is_own = policy_.empty() && placer_.empty();
    return is_own && tally_.equal < tally_.decisions ? ExitStatus::refused : ExitStatus::done;
  }

 private:
  static constexpr std::int64_t events_between_looks = 256;

  [[nodiscard]] Window read_window() const {
    Window window;
    if (!from_.empty())
      window.from = read_instant("--from", from_);
    if (!until_.empty())
      window.until = read_instant("--until", until_);
    return window;
  }

  [[nodiscard]] Replay make_replay(const Context& context) const {
    const PolicyTables& tables = context.environment->policies;
    ReplayPolicies policies;
    if (!policy_.empty())
      policies.allocator = choose_allocator(tables, policy_);
    if (!placer_.empty()) {
      policies.placer = choose_placer(tables, placer_);
      policies.replaces_placer = true;
    }
    return Replay(tables, std::move(policies));
  }

  /// False at an event beyond the window.
  [[nodiscard]] bool take(Replay& replay,
                          const RecordEntry& entry,
                          const Window& window,
                          const Replay::Visitor& visitor,
                          const std::string& source) {
    try {
      if (const auto* state = std::get_if<ClusterImage>(&entry)) {
        replay.take(*state);
        ++tally_.states;
        recorded_ = state->policy;
        return true;
      }
      const auto& event = std::get<Event>(entry);
      if (event.at > window.until)
        return false;
      tally_.count(event);
      replay.take(event, event.at >= window.from ? visitor : Replay::Visitor());
      return true;
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}: {}", source, place(entry), error.what()));
    }
  }

  [[nodiscard]] std::string place(const RecordEntry& entry) const {
    if (std::holds_alternative<ClusterImage>(entry))
      return fmt::format("state {}", tally_.states + 1);
    return fmt::format("event {}", tally_.events);
  }

  void count(const ReplayedDecision& decision) {
    ++tally_.decisions;
    tally_.equal += decision.is_equal() ? 1 : 0;
    tally_.failed += decision.replayed ? 0 : 1;
  }

  [[nodiscard]] Json summary(const std::optional<TornTail>& tail) const {
    Json cut = nullptr;
    if (tail)
      cut = {{"at_byte", tail->at}, {"bytes", tail->bytes}, {"reason", tail->reason}};
    return {{"policy", policy_.empty() ? recorded_.allocator : policy_},
            {"placer", placer_.empty() ? recorded_.placer : placer_},
            {"recorded_policy", recorded_.allocator},
            {"recorded_placer", recorded_.placer},
            {"events", tally_.events},
            {"jobs_submitted", tally_.submitted},
            {"jobs_finished", tally_.finished},
            {"first_at", seconds_json(tally_.first)},
            {"last_at", tally_.first ? seconds_json(tally_.last) : Json(nullptr)},
            {"decisions", tally_.decisions},
            {"equal", tally_.equal},
            {"different", tally_.different()},
            {"failed", tally_.failed},
            {"cut", std::move(cut)}};
  }

  void answer(OutputFormat format,
              const std::optional<TornTail>& tail,
              const Context& context) const {
    if (format == OutputFormat::json) {
      std::string text = document_text(summary(tail));
      if (shows_differences_)
        text.erase(0, text.find('{') + 1);  // its members follow the array
      *context.out << text;
      return;
    }
    if (format != OutputFormat::table) {
      if (!shows_differences_)
        *context.out << sheet_as(format, flattened({summary(tail)}), context.out_style);
      return;
    }
    *context.out << fmt::format(
        "{} of {}, {} of them finished, under {} with placer {}\n"
        "decided again by {} with placer {}: {}, {} equal, {} different, {} failed\n",
        counted(tally_.events, "event"),
        counted(tally_.submitted, "job"),
        tally_.finished,
        shown(recorded_.allocator),
        shown(recorded_.placer),
        shown(policy_.empty() ? recorded_.allocator : policy_),
        shown(placer_.empty() ? recorded_.placer : placer_),
        counted(tally_.decisions, "decision"),
        tally_.equal,
        tally_.different(),
        tally_.failed);
  }

  std::string path_{};
  std::string policy_{};
  std::string placer_{};
  std::string from_{};
  std::string until_{};
  std::string plans_{};
  bool shows_differences_ = false;
  OutputChoice output_{.format = "table"};
  Tally tally_{};
  PolicyChanged recorded_{};
};

}  // namespace

std::unique_ptr<Command> make_replay_command() {
  return std::make_unique<ReplayCommand>();
}

}  // namespace voda::command_line

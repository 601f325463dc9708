#include "command_line/explain_command.hpp"

#include <array>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/dead_ends.hpp"
#include "command_line/input_file.hpp"
#include "command_line/json_text.hpp"
#include "command_line/output_format.hpp"
#include "command_line/placement_answer.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/snapshot_state.hpp"
#include "voda/io/explanation_json.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"
#include "voda/policy/explanation_text.hpp"
#include "voda/scheduler/explain.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace voda::command_line {
namespace {

/// The ids of all jobs.
std::vector<std::string_view> ids_of(const Snapshot& snapshot) {
  std::vector<std::string_view> result;
  result.reserve(snapshot.jobs.size());
  for (const SnapshotJob& job : snapshot.jobs)
    result.emplace_back(job.job.id.value);
  return result;
}

JobLocation locate(const Snapshot& snapshot, const ClusterState& state, const std::string& id) {
  const auto found = state.find({id});
  if (!found) {
    throw InvalidInput(
        fmt::format("job '{}': not in the snapshot; expected the id of one of its jobs{}",
                    shown(id),
                    did_you_mean(id, ids_of(snapshot))));
  }
  return *found;
}

/// Why a job has its size and its place.
struct JobAnswer {
  Explanation size{};
  std::optional<PlaceExplanation> place{};  // none without a placer, or without GPUs
};

std::string text_of(const JobAnswer& answer, const JobColumns& jobs) {
  return to_text(answer.size, jobs) + (answer.place ? to_text(*answer.place, jobs) : std::string());
}

Json json_of(const JobAnswer& answer, const JobColumns& jobs) {
  Json result = to_json(answer.size, jobs);
  append(result, "place", answer.place ? to_json(*answer.place, jobs) : Json(nullptr));
  return result;
}

ResultSheet explanation_sheet() {
  return {.columns = {{.name = "job"},
                      {.name = "about"},
                      {.name = "kind"},
                      {.name = "code"},
                      {.name = "text"}}};
}

/// A row for each reason and each change that was tried.
template <class Part>
void append_part(const std::string& job,
                 const char* about,
                 const Part& part,
                 const JobColumns& jobs,
                 ResultSheet& sheet) {
  for (const Reason& reason : part.reasons) {
    sheet.rows.push_back(
        {job, about, "reason", std::string(info_of(reason.code).name), to_text(reason, jobs)});
  }
  for (const Change& change : part.changes) {
    sheet.rows.push_back(
        {job, about, "change", std::string(name_of(change.kind)), to_text(change, jobs)});
  }
}

void append_rows(const JobAnswer& answer, const JobColumns& jobs, ResultSheet& sheet) {
  const std::string& job = jobs.id[answer.size.job].value;
  sheet.rows.push_back({job, "size", "gpus", nullptr, counted(answer.size.gpus, "GPU")});
  append_part(job, "size", answer.size, jobs, sheet);
  for (const Holder& holder : answer.size.holders) {
    sheet.rows.push_back({job,
                          "size",
                          "holder",
                          jobs.id[holder.job].value,
                          "holds " + counted(holder.gpus, "GPU") + " that it lacks"});
  }
  if (answer.place)
    append_part(job, "place", *answer.place, jobs, sheet);
}

/// What explains.
struct Explainer {
  std::shared_ptr<const Allocator> allocator{};
  std::shared_ptr<const Placer> placer{};  // null: GPUs are only counted
  NamedPolicy policy{};

  [[nodiscard]] JobAnswer answer(const PoolState& pool,
                                 const PoolDecision& decided,
                                 TimePoint now,
                                 JobIndex job) const {
    JobAnswer result{.size = explain_size(*allocator, pool, decided, now, job, {}, &policy)};
    if (placer != nullptr)
      result.place = explain_place(*placer, pool, decided, job);
    return result;
  }

  /// The answers for the jobs of a snapshot, one after another.
  [[nodiscard]] std::string answers(const Snapshot& snapshot,
                                    const std::vector<std::string>& ids,
                                    OutputFormat format,
                                    const Style& style) const {
    if (placer != nullptr)
      require_nodes(snapshot);
    Scheduler scheduler(allocator, placer, state_of(snapshot));
    std::vector<JobLocation> jobs;
    jobs.reserve(ids.size());
    for (const std::string& id : ids)
      jobs.push_back(locate(snapshot, scheduler.state(), id));
    const Decision& decision = scheduler.decide(snapshot.now);
    std::string texts;
    ResultSheet sheet = explanation_sheet();
    for (const auto& [pool, job] : jobs) {
      const PoolState& state = scheduler.state().pools()[pool];
      const JobAnswer one = answer(state, decision.pools[pool], snapshot.now, job);
      switch (format) {
        case OutputFormat::table:
          texts += text_of(one, state.jobs());
          break;
        case OutputFormat::json:
          texts += line_text(json_of(one, state.jobs()));
          break;
        case OutputFormat::wide:
        case OutputFormat::csv:
          append_rows(one, state.jobs(), sheet);
          break;
      }
    }
    return sheet.rows.empty() ? texts : sheet_as(format, sheet, style);
  }
};

class ExplainCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    app.add_option("FILE", path_, "File with the snapshot; - reads standard input")
        ->type_name("FILE")
        ->required();
    app.add_option("--job", jobs_, "Id of the job to explain; may be repeated")
        ->type_name("ID")
        ->required()
        ->allow_extra_args(false);
    add_policy_option(app, policy_);
    app.add_option("--placer",
                   placer_,
                   "Who gets which nodes: NAME[:option=value,...], or none (default: steady where "
                   "the snapshot has nodes)")
        ->type_name("PLACER|none");
    add_output_option(app, output_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda explain --job bert snapshot.json",
          .meaning = "why a job of examples/snapshot.json gets what it gets"},
         {.line = "voda explain --job bert --job resnet --policy srjf -o csv snapshot.json",
          .meaning = "two jobs under another policy, a row for each reason"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const PolicyTables& tables = context.environment->policies;
    const OutputFormat format = output_.chosen();
    Explainer explainer{.allocator = choose_allocator(tables, policy_),
                        .policy = named_policy(tables, policy_)};
    if (!placer_.empty())
      explainer.placer = choose_placer(tables, placer_);
    InputFile input(path_, context);
    const Snapshot snapshot = read_snapshot(input.text(), input.name());
    warn_of_dead_ends(snapshot, input.name(), context);
    if (placer_.empty() && !snapshot.nodes.empty())
      explainer.placer = choose_placer(tables, "steady");
    try {
      *context.out << explainer.answers(snapshot, jobs_, format, context.out_style);
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", input.name(), error.what()));
    }
    return ExitStatus::done;
  }

 private:
  std::string path_{};
  std::vector<std::string> jobs_{};
  std::string policy_ = "elastic_fifo";
  std::string placer_{};
  OutputChoice output_{.format = "table"};
};

}  // namespace

std::unique_ptr<Command> make_explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace voda::command_line

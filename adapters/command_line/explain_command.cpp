#include "command_line/explain_command.hpp"

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/dead_ends.hpp"
#include "command_line/input_file.hpp"
#include "command_line/json_text.hpp"
#include "command_line/placement_answer.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/snapshot_state.hpp"
#include "voda/io/explanation_json.hpp"
#include "voda/model/number_text.hpp"
#include "voda/policy/explanation_text.hpp"
#include "voda/scheduler/explain.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace voda::command_line {
namespace {

JobLocation locate(const ClusterState& state, const std::string& id) {
  const auto found = state.find({id});
  if (!found) {
    throw InvalidInput(fmt::format(
        "job '{}': not in the snapshot; expected the id of one of its jobs", shown(id)));
  }
  return *found;
}

/// What explains, and how it is written.
struct Explainer {
  std::shared_ptr<const Allocator> allocator{};
  std::shared_ptr<const Placer> placer{};  // null: GPUs are only counted
  NamedPolicy policy{};
  bool is_json = false;

  [[nodiscard]] std::string answer(const PoolState& pool,
                                   const PoolDecision& decided,
                                   TimePoint now,
                                   JobIndex job) const {
    const Explanation size = explain_size(*allocator, pool, decided, now, job, {}, &policy);
    const auto place =
        placer == nullptr ? std::nullopt : explain_place(*placer, pool, decided, job);
    if (!is_json)
      return to_text(size, pool.jobs()) + (place ? to_text(*place, pool.jobs()) : std::string());
    Json result = to_json(size, pool.jobs());
    append(result, "place", place ? to_json(*place, pool.jobs()) : Json(nullptr));
    return line_text(result);
  }

  /// The answers for the jobs of a snapshot, one after another.
  [[nodiscard]] std::string answers(const Snapshot& snapshot,
                                    const std::vector<std::string>& ids) const {
    if (placer != nullptr)
      require_nodes(snapshot);
    Scheduler scheduler(allocator, placer, state_of(snapshot));
    std::vector<JobLocation> jobs;
    jobs.reserve(ids.size());
    for (const std::string& id : ids)
      jobs.push_back(locate(scheduler.state(), id));
    const Decision& decision = scheduler.decide(snapshot.now);
    std::string result;
    for (const auto& [pool, job] : jobs)
      result += answer(scheduler.state().pools()[pool], decision.pools[pool], snapshot.now, job);
    return result;
  }
};

class ExplainCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    app.add_option("FILE", path_, "File with the snapshot; - reads standard input")->required();
    app.add_option("--job", jobs_, "Id of the job to explain; may be repeated")
        ->required()
        ->allow_extra_args(false);
    app.add_option("--policy",
                   policy_,
                   "Who gets how many GPUs: NAME[:option=value,...], see `voda policies`")
        ->capture_default_str();
    app.add_option("--placer",
                   placer_,
                   "Who gets which nodes: NAME[:option=value,...], or none (default: steady where "
                   "the snapshot has nodes)");
    app.add_flag("--json", is_json_, "One JSON document a job and line (default: text)");
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const PolicyTables& tables = context.environment->policies;
    Explainer explainer{.allocator = choose_allocator(tables, policy_),
                        .policy = named_policy(tables, policy_),
                        .is_json = is_json_};
    if (!placer_.empty())
      explainer.placer = choose_placer(tables, placer_);
    InputFile input(path_, context);
    const Snapshot snapshot = read_snapshot(input.text(), input.name());
    warn_of_dead_ends(snapshot, input.name(), context);
    if (placer_.empty() && !snapshot.nodes.empty())
      explainer.placer = choose_placer(tables, "steady");
    try {
      *context.out << explainer.answers(snapshot, jobs_);
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
  bool is_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_explain_command() {
  return std::make_unique<ExplainCommand>();
}

}  // namespace voda::command_line

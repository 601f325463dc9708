#include "command_line/decide_command.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "command_line/allocation_answer.hpp"
#include "command_line/decision_sheet.hpp"
#include "command_line/placement_answer.hpp"
#include "command_line/plan_answer.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/snapshot_command.hpp"
#include "command_line/snapshot_state.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace voda::command_line {
namespace {

struct Policies {
  std::shared_ptr<const Allocator> allocator{};
  std::shared_ptr<const Placer> placer{};  // null: count GPUs only
  WorkerDetail detail = WorkerDetail::omitted;
};

Json plan_json(const ClusterState& state, const Decision& decision) {
  constexpr std::array kinds{
      ActionKind::stop, ActionKind::resize, ActionKind::migrate, ActionKind::start};
  Json result = Json::array();
  for (const ActionKind kind : kinds) {
    for (const PoolDecision& decided : decision.pools) {
      const PoolState& pool = state.pools()[decided.pool];
      for (const Action& action : decided.plan.actions) {
        if (action.kind() != kind)
          continue;
        result.push_back(action_json(pool, decided.plan, action));
      }
    }
  }
  return result;
}

/// The last cap of each job counts: caps only ever fall.
Json capped_json(const ClusterState& state, const Decision& decision) {
  Json result = Json::object();
  for (const PoolDecision& decided : decision.pools) {
    const PoolState& pool = state.pools()[decided.pool];
    for (const Capped& capped : decided.capped) {
      result[pool.jobs().id[capped.job].value] = {
          {"gpus", capped.cap},
          {"reason", reason_text(capped.reason, capped.free_gpus, capped.cap)}};
    }
  }
  return result;
}

/// Jobs that were given GPUs, could not be placed like that, and hold nothing in the end.
UnplacedReasons capped_to_nothing(const Decision& decision) {
  UnplacedReasons result;
  for (const PoolDecision& decided : decision.pools) {
    for (const Capped& capped : decided.capped) {
      if (decided.allocation.gpus[capped.job] == 0) {
        result.insert_or_assign(std::pair(decided.pool, capped.job),
                                reason_text(capped.reason, capped.free_gpus, capped.cap));
      }
    }
  }
  return result;
}

Json decide(const Snapshot& snapshot, const Policies& policies) {
  if (policies.placer != nullptr)
    require_nodes(snapshot);
  Scheduler scheduler(policies.allocator, policies.placer, state_of(snapshot));
  const Decision& decision = scheduler.decide(snapshot.now);
  const ClusterState& state = scheduler.state();
  std::vector<AllocationDecision> allocations;
  std::vector<PlacementDecision> placements;
  for (const PoolDecision& pool : decision.pools) {
    allocations.push_back(pool.allocation);
    if (pool.placement)
      placements.push_back(*pool.placement);
  }
  Json answer = allocation_json(snapshot, state, allocations);
  if (policies.placer != nullptr) {
    append_placement(
        answer, snapshot, state, placements, policies.detail, capped_to_nothing(decision));
    append(answer, "capped", capped_json(state, decision));
  }
  append(answer, "plan", plan_json(state, decision));
  return answer;
}

class DecideCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_problem_source(app, source_);
    add_policy_option(app, policy_);
    app.add_option("--placer",
                   placer_,
                   "Who gets which nodes: NAME[:option=value,...], or none: GPUs are only counted")
        ->type_name("PLACER|none")
        ->capture_default_str();
    app.add_flag("--workers",
                 lists_workers_,
                 "Also name the node of each worker (default: GPUs by node only)");
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 3> all{
        {{.line = "voda decide --policy elastic_srjf --placer steady snapshot.json",
          .meaning = "sizes, nodes and the plan that leads there, as JSON"},
         {.line = "voda decide -o table snapshot.json", .meaning = "a row for each job and node"},
         {.line = "voda decide --jsonl - < snapshots.jsonl",
          .meaning = "many problems, one a line"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const PolicyTables& tables = context.environment->policies;
    const Policies policies{
        .allocator = choose_allocator(tables, policy_),
        .placer = choose_placer(tables, placer_),
        .detail = lists_workers_ ? WorkerDetail::listed : WorkerDetail::omitted};
    const auto answer = [&policies](const Snapshot& snapshot) {
      return decide(snapshot, policies);
    };
    return answer_snapshots(source_, context, answer, decision_sheet);
  }

 private:
  ProblemSource source_{};
  std::string policy_ = "elastic_fifo";
  std::string placer_ = "steady";
  bool lists_workers_ = false;
};

}  // namespace

std::unique_ptr<Command> make_decide_command() {
  return std::make_unique<DecideCommand>();
}

}  // namespace voda::command_line

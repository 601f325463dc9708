#include "command_line/allocate_command.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "command_line/allocation_answer.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/snapshot_command.hpp"
#include "command_line/snapshot_state.hpp"
#include "voda/policy/validate.hpp"

namespace voda::command_line {
namespace {

Json allocate(const Snapshot& snapshot, const Allocator& allocator) {
  const ClusterState state = state_of(snapshot);
  std::vector<AllocationDecision> decisions;
  for (const PoolState& pool : state.pools()) {
    const AllocationProblem problem = pool.allocation_problem(snapshot.now);
    decisions.push_back(allocator.allocate(problem));
    validate(problem, decisions.back());
  }
  return allocation_json(snapshot, state, decisions);
}

/// A row for each job.
ResultSheet allocation_sheet(const Json& answer) {
  ResultSheet result{
      .columns = {{.name = "job"}, {.name = "gpus"}, {.name = "is_reset", .detail = Detail::wide}},
      .note = review_note(answer)};
  const auto& resets = answer.at("resets");
  for (const auto& [job, gpus] : answer.at("gpus").items()) {
    const bool is_reset = std::ranges::find(resets, Json(job)) != resets.end();
    result.rows.push_back({job, gpus, is_reset});
  }
  return result;
}

class AllocateCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_problem_source(app, source_);
    add_policy_option(app, policy_);
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda allocate --policy srjf snapshot.json",
          .meaning = "GPUs of every job under one policy, as JSON"},
         {.line = "cat snapshot.json | voda allocate -o table -",
          .meaning = "the same as a table, under the default policy"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const auto allocator = choose_allocator(context.environment->policies, policy_);
    const auto answer = [&allocator](const Snapshot& snapshot) {
      return allocate(snapshot, *allocator);
    };
    return answer_snapshots(source_, context, answer, allocation_sheet);
  }

 private:
  ProblemSource source_{};
  std::string policy_ = "elastic_fifo";
};

}  // namespace

std::unique_ptr<Command> make_allocate_command() {
  return std::make_unique<AllocateCommand>();
}

}  // namespace voda::command_line

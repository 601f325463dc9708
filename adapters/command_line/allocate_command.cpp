#include "command_line/allocate_command.hpp"

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

class AllocateCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_problem_source(app, source_);
    app.add_option("--policy",
                   policy_,
                   "Who gets how many GPUs: NAME[:option=value,...], see `voda policies`")
        ->capture_default_str();
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const auto allocator = choose_allocator(context.environment->policies, policy_);
    return answer_snapshots(source_, context, [&allocator](const Snapshot& snapshot) {
      return allocate(snapshot, *allocator);
    });
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

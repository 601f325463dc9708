#include "command_line/place_command.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/placement_answer.hpp"
#include "command_line/policy_choice.hpp"
#include "command_line/snapshot_command.hpp"
#include "command_line/snapshot_state.hpp"
#include "voda/policy/validate.hpp"

namespace voda::command_line {
namespace {

/// A placement lists every worker: their number must not exceed what a snapshot may hold.
void check_workers(const Snapshot& snapshot) {
  std::map<JobId, GpuCount> gpus_per_worker;
  for (const SnapshotJob& job : snapshot.jobs)
    gpus_per_worker.emplace(job.job.id, job.job.spec.gpus_per_worker);
  std::int64_t workers = 0;
  for (const auto& [id, gpus] : *snapshot.allocation)
    workers += gpus / gpus_per_worker.at(id);
  if (workers > most_workers) {
    throw InvalidInput(
        fmt::format("allocation: {} workers; expected at most {}", workers, most_workers));
  }
}

/// The GPUs to place, one allocation per pool; jobs that the snapshot leaves out get none.
std::vector<Allocation> allocations_of(const Snapshot& snapshot, const ClusterState& state) {
  if (!snapshot.allocation) {
    throw InvalidInput("allocation: missing; expected the GPUs to place, like {\"job\": 2}");
  }
  check_workers(snapshot);
  std::vector<Allocation> result;
  for (const PoolState& pool : state.pools())
    result.emplace_back(pool.jobs().size());
  for (const auto& [id, gpus] : *snapshot.allocation) {
    const JobLocation at = state.find(id).value();
    result[at.pool][at.job] = gpus;
  }
  return result;
}

Json place(const Snapshot& snapshot, const Placer& placer, WorkerDetail detail) {
  require_nodes(snapshot);
  const ClusterState state = state_of(snapshot);
  const auto allocations = allocations_of(snapshot, state);
  std::vector<PlacementDecision> decisions;
  for (std::size_t pool = 0; pool < allocations.size(); ++pool) {
    const PlacementProblem problem = state.pools()[pool].placement_problem(allocations[pool]);
    check(problem);
    decisions.push_back(placer.place(problem));
    validate(problem, decisions.back());
  }
  Json answer = Json::object();
  append_placement(answer, snapshot, state, decisions, detail);
  return answer;
}

/// A row for each job and node; one without a node for a job that could not be placed.
ResultSheet placement_sheet(const Json& answer) {
  ResultSheet result{
      .columns = {{.name = "job"}, {.name = "node"}, {.name = "gpus"}, {.name = "unplaced"}},
      .note = placement_note(answer)};
  for (const auto& [job, nodes] : answer.at("placement").items()) {
    for (const auto& [node, gpus] : nodes.items())
      result.rows.push_back({job, node, gpus, nullptr});
  }
  for (const auto& [job, reason] : answer.at("unplaced").items())
    result.rows.push_back({job, nullptr, 0, reason});
  return result;
}

class PlaceCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_problem_source(app, source_);
    app.add_option("--placer",
                   placer_,
                   "Who gets which nodes: NAME[:option=value,...], see `voda policies`")
        ->type_name("PLACER")
        ->capture_default_str();
    app.add_flag("--workers",
                 lists_workers_,
                 "Also name the node of each worker (default: GPUs by node only)");
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda place --placer repack allocated.json",
          .meaning = "nodes of the GPUs that the snapshot allocates, as JSON"},
         {.line = "voda place --workers allocated.json",
          .meaning = "also the node of every worker"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const auto placer = choose_placer(context.environment->policies, placer_);
    if (placer == nullptr)
      throw UsageError("--placer: 'none'; expected a placer, see `voda policies`");
    const WorkerDetail detail = lists_workers_ ? WorkerDetail::listed : WorkerDetail::omitted;
    const auto answer = [&placer, detail](const Snapshot& snapshot) {
      return place(snapshot, *placer, detail);
    };
    return answer_snapshots(source_, context, answer, placement_sheet);
  }

 private:
  ProblemSource source_{};
  std::string placer_ = "steady";
  bool lists_workers_ = false;
};

}  // namespace

std::unique_ptr<Command> make_place_command() {
  return std::make_unique<PlaceCommand>();
}

}  // namespace voda::command_line

#include "command_line/plan_answer.hpp"

#include "command_line/placement_answer.hpp"

namespace voda::command_line {
namespace {

/// What a job holds, written as a snapshot's `current`: GPUs by node, or their number where the
/// place is unknown.
Json held_json(const PoolState& pool,
               JobIndex job,
               GpuCount gpus,
               std::span<const NodeIndex> node_of_worker) {
  if (gpus > 0 && node_of_worker.empty())
    return gpus;
  return gpus_by_node_json(pool, job, node_of_worker);
}

}  // namespace

Json action_json(const PoolState& pool, const Plan& plan, const Action& action) {
  return {{"job", pool.jobs().id[action.job].value},
          {"kind", name_of(action.kind())},
          {"before", held_json(pool, action.job, action.gpus_before, plan.before(action))},
          {"after", held_json(pool, action.job, action.gpus_after, plan.after(action))}};
}

std::string plan_lines(const ClusterState& state, const Decision& decision) {
  std::string result;
  for (const PoolDecision& decided : decision.pools) {
    if (decided.plan.actions.empty())
      continue;
    const PoolState& pool = state.pools()[decided.pool];
    Json plan = Json::array();
    for (const Action& action : decided.plan.actions)
      plan.push_back(action_json(pool, decided.plan, action));
    result += line_text({{"at", to_seconds(decision.at)},
                         {"gpu_type", pool.gpu_type()},
                         {"plan", std::move(plan)}});
  }
  return result;
}

}  // namespace voda::command_line

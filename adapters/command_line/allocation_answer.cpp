#include "command_line/allocation_answer.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "command_line/snapshot_state.hpp"

namespace voda::command_line {
namespace {

std::optional<TimePoint> earliest_review(std::span<const AllocationDecision> decisions) {
  std::optional<TimePoint> result;
  for (const AllocationDecision& decision : decisions) {
    if (decision.review_at && (!result || *decision.review_at < *result))
      result = decision.review_at;
  }
  return result;
}

std::vector<std::string> all_resets(const ClusterState& state,
                                    std::span<const AllocationDecision> decisions) {
  std::vector<std::string> result;
  for (std::size_t pool = 0; pool < decisions.size(); ++pool) {
    const auto& ids = state.pools()[pool].jobs().id;
    for (const JobIndex job : decisions[pool].resets)
      result.push_back(ids[job].value);
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace

Json allocation_json(const Snapshot& snapshot,
                     const ClusterState& state,
                     std::span<const AllocationDecision> decision_of_pool) {
  Json gpus = Json::object();
  const auto locations = locations_of(snapshot, state);
  for (std::size_t i = 0; i < locations.size(); ++i) {
    const auto& [pool, job] = locations[i];
    append(gpus, snapshot.jobs[i].job.id.value, decision_of_pool[pool].gpus[job]);
  }
  return {{"gpus", std::move(gpus)},
          {"review_at", seconds_json(earliest_review(decision_of_pool))},
          {"resets", all_resets(state, decision_of_pool)}};
}

std::string review_note(const Json& answer) {
  const Json& at = answer.at("review_at");
  return at.is_null() ? "the policy need not look again before something happens"
                      : fmt::format("the policy looks again at {} s", at.dump());
}

}  // namespace voda::command_line

#include "command_line/replay_difference.hpp"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "command_line/holding_text.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// What a job held before the decision.
Holding held(const ClusterState& state, const JobId& id) {
  Holding result{.job = id};
  const auto at = state.find(id);
  if (!at)
    return result;
  const PoolState& pool = state.pools()[at->pool];
  result.gpus = pool.jobs().current[at->job];
  for (const NodeIndex node : pool.assigned()[at->job])
    result.node_of_worker.push_back(pool.nodes().id[node]);
  return result;
}

using HoldingOfJob = std::map<JobId, Holding>;

HoldingOfJob by_job(const Decided& decided) {
  HoldingOfJob result;
  for (const Holding& holding : decided.changed)
    result.emplace(holding.job, holding);
  return result;
}

Json names(const std::vector<JobId>& jobs) {
  Json result = Json::array();
  for (const JobId& job : jobs)
    result.push_back(job.value);
  return result;
}

Json jobs_json(const ReplayedDecision& decision) {
  const HoldingOfJob recorded = by_job(*decision.recorded);
  const HoldingOfJob replayed = by_job(*decision.replayed);
  HoldingOfJob all = recorded;
  all.insert(replayed.begin(), replayed.end());
  const auto given = [&decision](const HoldingOfJob& changed, const JobId& job) {
    const auto found = changed.find(job);
    return found == changed.end() ? held(decision.scheduler->state(), job) : found->second;
  };
  Json result = Json::object();
  for (const auto& [job, holding] : all) {
    const Holding before = given(recorded, job);
    const Holding now = given(replayed, job);
    if (before != now) {
      append(
          result, job.value, {{"recorded", holding_json(before)}, {"replayed", holding_json(now)}});
    }
  }
  return result;
}

}  // namespace

Json difference_json(const ReplayedDecision& decision) {
  Json result{{"at", to_seconds(decision.at)}, {"gpu_type", decision.recorded->gpu_type}};
  if (!decision.replayed) {
    append(result, "failure", decision.failure);
    return result;
  }
  append(result, "jobs", jobs_json(decision));
  if (decision.recorded->review_at != decision.replayed->review_at) {
    append(result,
           "review_at",
           {{"recorded", seconds_json(decision.recorded->review_at)},
            {"replayed", seconds_json(decision.replayed->review_at)}});
  }
  if (decision.recorded->resets != decision.replayed->resets) {
    append(result,
           "resets",
           {{"recorded", names(decision.recorded->resets)},
            {"replayed", names(decision.replayed->resets)}});
  }
  return result;
}

ResultSheet difference_sheet() {
  return {.columns = {{.name = "at"},
                      {.name = "gpu_type"},
                      {.name = "job"},
                      {.name = "recorded"},
                      {.name = "replayed"}}};
}

void append_rows(const Json& difference, ResultSheet& sheet) {
  const auto append_row =
      [&](const Json& job, const std::string& recorded, const std::string& now) {
        sheet.rows.push_back({difference["at"], difference["gpu_type"], job, recorded, now});
      };
  if (difference.contains("failure")) {
    append_row(nullptr, "", "failed: " + difference["failure"].get<std::string>());
    return;
  }
  for (const auto& [job, holdings] : difference["jobs"].items())
    append_row(job, holding_text(holdings["recorded"]), holding_text(holdings["replayed"]));
  for (const char* const field : {"review_at", "resets"}) {
    if (!difference.contains(field))
      continue;
    const Json& values = difference[field];
    append_row(nullptr,
               std::string(field) + " " + values["recorded"].dump(),
               std::string(field) + " " + values["replayed"].dump());
  }
}

std::string difference_text(const Json& difference) {
  std::string result = fmt::format("at {} s", difference["at"].dump());
  if (const auto type = difference["gpu_type"].get<std::string>(); !type.empty())
    result += fmt::format(", {}", shown(type));
  result += ":\n";
  if (difference.contains("failure"))
    return result + fmt::format("  failed: {}\n", difference["failure"].get<std::string>());
  for (const auto& [job, holdings] : difference["jobs"].items()) {
    result += fmt::format("  job {}: recorded {}, replayed {}\n",
                          shown(job),
                          holding_text(holdings["recorded"]),
                          holding_text(holdings["replayed"]));
  }
  for (const char* const field : {"review_at", "resets"}) {
    if (difference.contains(field)) {
      result += fmt::format("  {}: recorded {}, replayed {}\n",
                            field,
                            difference[field]["recorded"].dump(),
                            difference[field]["replayed"].dump());
    }
  }
  return result;
}

}  // namespace voda::command_line

#include "command_line/decision_sheet.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "command_line/allocation_answer.hpp"

namespace voda::command_line {
namespace {

/// A member of a member, null when either is missing.
Json inner(const Json& object, const char* key, const std::string& member) {
  const auto found = object.find(key);
  if (found == object.end())
    return nullptr;
  const auto value = found->find(member);
  return value == found->end() ? Json() : *value;
}

/// GPUs of a holding: a number, or numbers by node.
std::int64_t gpus_held(const Json& holding) {
  if (!holding.is_object())
    return holding.get<std::int64_t>();
  std::int64_t result = 0;
  for (const auto& [node, gpus] : holding.items())
    result += gpus.get<std::int64_t>();
  return result;
}

}  // namespace

ResultSheet decision_sheet(const Json& answer) {
  ResultSheet result{.columns = {{.name = "job"},
                                 {.name = "gpus"},
                                 {.name = "action"},
                                 {.name = "node"},
                                 {.name = "gpus_on_node"},
                                 {.name = "gpus_before", .detail = Detail::wide},
                                 {.name = "capped_to", .detail = Detail::wide},
                                 {.name = "unplaced", .detail = Detail::wide}},
                     .note = review_note(answer)};
  std::map<std::string, const Json*> actions;
  for (const Json& action : answer.at("plan"))
    actions.emplace(action.at("job").get<std::string>(), &action);
  for (const auto& [job, gpus] : answer.at("gpus").items()) {
    const auto action = actions.find(job);
    const bool is_changed = action != actions.end();
    const Json capped = inner(answer, "capped", job);
    std::vector<Json> row{job,
                          gpus,
                          is_changed ? action->second->at("kind") : Json(nullptr),
                          nullptr,
                          nullptr,
                          is_changed ? Json(gpus_held(action->second->at("before"))) : Json(gpus),
                          capped.is_null() ? capped : capped.at("gpus"),
                          inner(answer, "unplaced", job)};
    const Json nodes = inner(answer, "placement", job);
    if (!nodes.is_object()) {
      result.rows.push_back(std::move(row));
      continue;
    }
    for (const auto& [node, on_node] : nodes.items()) {
      row[3] = node;
      row[4] = on_node;
      result.rows.push_back(row);
    }
  }
  return result;
}

}  // namespace voda::command_line

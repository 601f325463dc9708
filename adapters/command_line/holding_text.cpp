#include "command_line/holding_text.hpp"

#include <fmt/format.h>

#include "voda/model/number_text.hpp"

namespace voda::command_line {

Json holding_json(const Holding& holding) {
  if (holding.gpus > 0 && holding.node_of_worker.empty())
    return holding.gpus;
  Json result = Json::object();
  if (holding.gpus == 0)
    return result;
  const auto per_worker = holding.gpus / static_cast<GpuCount>(holding.node_of_worker.size());
  for (const NodeId& node : holding.node_of_worker) {
    Json& gpus = result[node.value];
    gpus = (gpus.is_null() ? 0 : gpus.get<GpuCount>()) + per_worker;
  }
  return result;
}

std::string holding_text(const Json& holding) {
  if (holding.is_number())
    return counted(holding.get<GpuCount>(), "GPU");
  if (holding.empty())
    return "nothing";
  std::string result;
  for (const auto& [node, gpus] : holding.items()) {
    result += fmt::format(
        "{}{} on {}", result.empty() ? "" : ", ", gpus.template get<GpuCount>(), shown(node));
  }
  return result;
}

}  // namespace voda::command_line

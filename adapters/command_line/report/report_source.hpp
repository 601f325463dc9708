#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "command_line/report/record_plan.hpp"
#include "command_line/report/run_recorder.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::command_line {

/// Everything that a report shows. Names may hold anything.
struct ReportSource {
  std::vector<std::pair<std::string, std::string>> settings{};  // what the run was told, in words
  const RecordPlan* plan = nullptr;
  std::span<const Node> nodes{};
  std::span<const std::string> policies{};
  std::span<const SimulationResult> results{};                // one per policy
  std::span<const std::unique_ptr<RunRecorder>> recorders{};  // one per policy
};

/// The GPUs of all nodes.
[[nodiscard]] inline std::int64_t gpus_of(std::span<const Node> nodes) {
  std::int64_t result = 0;
  for (const Node& node : nodes)
    result += node.gpus;
  return result;
}

}  // namespace voda::command_line

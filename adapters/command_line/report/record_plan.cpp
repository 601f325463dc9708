#include "command_line/report/record_plan.hpp"

#include <algorithm>

namespace voda::command_line {
namespace {

Duration tick_for(Duration span) {
  constexpr std::int64_t most_ticks = std::int64_t{1} << 24;
  std::int64_t tick = 1000;
  while (span.count() / tick > most_ticks)
    tick *= 10;
  return Duration(tick);
}

}  // namespace

RecordPlan::RecordPlan(const Trace& trace, const std::vector<Node>& nodes, std::size_t policies)
    : trace_(&trace),
      start_(trace.jobs.empty() ? TimePoint{} : trace.jobs.front().submitted),
      tick_(tick_for(trace.jobs.empty() ? Duration{} : trace.jobs.back().submitted - start_)),
      bytes_per_policy_(std::min(most_bytes / 4, most_bytes / std::max<std::size_t>(1, policies))) {
  while ((trace.jobs.size() + stride_ - 1) / stride_ > most_jobs)
    stride_ *= 2;
  for (std::size_t job = 0; job < trace.jobs.size(); job += stride_)
    position_of_.emplace(trace.jobs[job].id.value, position_of_.size());
  for (const Node& node : nodes) {
    node_position_of_.emplace(node.id.value, nodes_.size());
    nodes_.push_back(node.id.value);
  }
}

std::optional<std::size_t> RecordPlan::position_of(const JobId& job) const {
  const auto found = position_of_.find(job.value);
  return found == position_of_.end() ? std::nullopt : std::optional(found->second);
}

std::size_t RecordPlan::node_position_of(const NodeId& node) const {
  return node_position_of_.at(node.value);
}

}  // namespace voda::command_line

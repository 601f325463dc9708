#include "command_line/report/job_histories.hpp"

#include <utility>

#include "command_line/report/byte_text.hpp"

namespace voda::command_line {

JobHistories::JobHistories(const RecordPlan& plan) : plan_(&plan), history_of_(plan.shown_jobs()) {
  const auto& jobs = plan.trace().jobs;
  for (std::size_t i = 0; i < history_of_.size(); ++i)
    history_of_[i].last = plan.ticks(jobs[i * plan.stride()].submitted);
}

void JobHistories::add(std::size_t job, TimePoint at, GpuCount gpus, const WorkerMap& workers) {
  if (stride_ == 0 || job % stride_ != 0)
    return;
  History& history = history_of_[job];
  const std::size_t before = history.bytes.size();
  const std::uint64_t now = plan_->ticks(at);
  append_number(history.bytes, now - std::exchange(history.last, now));
  append_number(history.bytes, static_cast<std::uint64_t>(gpus));
  append_number(history.bytes, workers.size());
  for (const auto& [node, held] : workers) {
    append_number(history.bytes, plan_->node_position_of(node));
    append_number(history.bytes, static_cast<std::uint64_t>(held));
  }
  ++history.changes;
  used_ += history.bytes.size() - before;
  while (used_ > plan_->bytes_per_policy())
    thin();
}

void JobHistories::thin() {
  stride_ = 2 * stride_ < history_of_.size() ? 2 * stride_ : 0;
  used_ = 0;
  for (std::size_t job = 0; job < history_of_.size(); ++job) {
    if (stride_ == 0 || job % stride_ != 0)
      history_of_[job] = {};
    used_ += history_of_[job].bytes.size();
  }
}

std::string JobHistories::bytes() const {
  std::string result;
  result.reserve(used_ + history_of_.size());
  for (std::size_t job = 0; stride_ != 0 && job < history_of_.size(); job += stride_) {
    append_number(result, history_of_[job].changes);
    result += history_of_[job].bytes;
  }
  return result;
}

}  // namespace voda::command_line

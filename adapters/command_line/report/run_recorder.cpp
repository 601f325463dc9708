#include "command_line/report/run_recorder.hpp"

namespace voda::command_line {

void RunRecorder::job_ended(const JobOutcome& outcome) {
  if (outcome.finished)
    timeline_.count(ChangeKind::stop, *outcome.finished, -1);  // an end is no preemption
}

void RunRecorder::allocation_changed(TimePoint at,
                                     const JobId& job,
                                     GpuCount gpus,
                                     const WorkerMap& workers) {
  timeline_.pass(load_, at);
  const auto found = gpus_of_.find(job.value);
  const GpuCount before = found == gpus_of_.end() ? 0 : found->second;
  if (gpus == 0) {
    timeline_.count(ChangeKind::stop, at, 1);
    gpus_of_.erase(job.value);
  } else {
    timeline_.count(before == 0      ? ChangeKind::start
                    : before == gpus ? ChangeKind::migrate
                                     : ChangeKind::resize,
                    at,
                    1);
    gpus_of_[job.value] = gpus;
  }
  if (const auto position = plan_->position_of(job))
    histories_.add(*position, at, gpus, workers);
}

bool RunRecorder::advanced(const SimulationProgress& progress, Scheduler& scheduler) {
  timeline_.pass(load_, progress.now);
  const auto& jobs = plan_->trace().jobs;
  while (arrived_ < jobs.size() && jobs[arrived_].submitted <= progress.now)
    ++arrived_;
  load_ = {.running = static_cast<std::int64_t>(gpus_of_.size())};
  load_.waiting = static_cast<std::int64_t>(arrived_) - progress.ended - load_.running;
  for (const PoolState& pool : scheduler.state().pools()) {
    load_.capacity += pool.capacity();
    load_.held += pool.capacity() - pool.free_gpus();
  }
  return true;
}

}  // namespace voda::command_line

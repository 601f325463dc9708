#pragma once

#include <cstddef>
#include <unordered_map>

#include "command_line/report/job_histories.hpp"
#include "command_line/report/record_plan.hpp"
#include "command_line/report/timeline.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::command_line {

/// Sees one run for a report, in memory that does not grow with its length.
class RunRecorder final : public SimulationObserver {
 public:
  /// `plan` must outlive the recorder.
  explicit RunRecorder(const RecordPlan& plan)
      : plan_(&plan), timeline_(plan.start()), histories_(plan) {}

  void job_ended(const JobOutcome& outcome) override;

  void allocation_changed(TimePoint at,
                          const JobId& job,
                          GpuCount gpus,
                          const WorkerMap& workers) override;

  [[nodiscard]] bool advanced(const SimulationProgress& progress, Scheduler& scheduler) override;

  /// The run ended at an instant after the last one that was seen, nothing having changed.
  void end_at(TimePoint end) { timeline_.pass(load_, end); }

  [[nodiscard]] const Timeline& timeline() const { return timeline_; }

  [[nodiscard]] const JobHistories& histories() const { return histories_; }

 private:
  const RecordPlan* plan_ = nullptr;
  Timeline timeline_;
  JobHistories histories_;
  ClusterLoad load_{};  // since the last instant
  std::size_t arrived_ = 0;
  std::unordered_map<std::string, GpuCount> gpus_of_{};  // of running jobs
};

}  // namespace voda::command_line

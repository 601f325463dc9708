#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "command_line/report/record_plan.hpp"
#include "voda/model/plan.hpp"

namespace voda::command_line {

/// Each change of the GPUs of the shown jobs under one policy, in bounded memory.
///
/// When the histories outgrow their bytes, those of every second job are dropped, again and again
/// if need be; stride() says how many are left. Jobs keep the same order in every policy.
class JobHistories {
 public:
  explicit JobHistories(const RecordPlan& plan);

  /// Job `job` (its position among the shown ones) holds `gpus` from `at` on.
  void add(std::size_t job, TimePoint at, GpuCount gpus, const WorkerMap& workers);

  /// Histories of jobs `0, stride(), 2 * stride(), ...` are kept; 0: of none.
  [[nodiscard]] std::size_t stride() const { return stride_; }

  /// For each kept job the number of its changes, then for each change: ticks since the last one
  /// (since the submission for the first), GPUs, number of nodes, position and GPUs of each node.
  [[nodiscard]] std::string bytes() const;

 private:
  struct History {
    std::string bytes{};
    std::uint64_t changes = 0;
    std::uint64_t last = 0;  // in ticks
  };

  void thin();

  const RecordPlan* plan_ = nullptr;
  std::vector<History> history_of_{};
  std::size_t stride_ = 1;
  std::size_t used_ = 0;
};

}  // namespace voda::command_line

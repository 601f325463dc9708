#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "command_line/output_file.hpp"
#include "command_line/report/record_plan.hpp"
#include "command_line/report/run_recorder.hpp"
#include "command_line/run_options.hpp"

namespace CLI {
class App;
}

namespace voda::command_line {

/// Adds `--report FILE`.
void add_report_option(CLI::App& app, std::string& path);

/// The report of some runs over one trace: sees them and writes the page when they are over.
class ReportFile {
 public:
  /// Creates the file. `options` and `run` must outlive it. Throws UsageError for `-`, and Error
  /// that names the file when it cannot be created.
  ReportFile(const std::string& path,
             const RunOptions& options,
             const PreparedRun& run,
             std::vector<std::string> policies);

  /// Sees the run of the policy at that position.
  [[nodiscard]] SimulationObserver& observer(std::size_t policy) { return *recorders_[policy]; }

  /// Puts the page in its place, with a result for each policy; throws Error.
  void finish(std::span<const SimulationResult> results);

 private:
  const RunOptions* options_ = nullptr;
  const PreparedRun* run_ = nullptr;
  std::vector<std::string> policies_{};
  OutputFile file_;
  RecordPlan plan_;
  std::vector<std::unique_ptr<RunRecorder>> recorders_{};
};

}  // namespace voda::command_line

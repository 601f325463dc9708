#pragma once

#include <filesystem>
#include <map>
#include <memory>

#include "command_line/json_text.hpp"
#include "command_line/output_file.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::command_line {

/// Writes what happens in a run as it happens: jobs.csv, allocations.csv, placements.csv; at its
/// end summary.json.
///
/// The files come into their place when the run is over or interrupted; after an error none of them
/// is there.
class ResultFiles {
 public:
  /// Creates the directory; throws Error.
  explicit ResultFiles(std::filesystem::path directory);

  void add(const JobOutcome& outcome);
  void add(TimePoint at, const JobId& job, GpuCount gpus, const WorkerMap& workers);

  /// Throws Error when a row could not be written.
  void check();

  /// The run is over: everything comes into its place; throws Error.
  void finish(const Json& summary);

  /// The run was interrupted: finished rows come into their place, without a summary; throws Error.
  void interrupt();

 private:
  struct Holding {
    GpuCount gpus = 0;
    WorkerMap workers{};
  };

  void add_moves(TimePoint at, const JobId& job, const WorkerMap& before, const WorkerMap& after);
  void put_rows_in_place();

  std::filesystem::path directory_{};
  OutputFile jobs_;
  OutputFile allocations_;
  OutputFile placements_;
  std::map<JobId, Holding> holding_of_{};
};

}  // namespace voda::command_line

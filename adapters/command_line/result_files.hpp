#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "command_line/json_text.hpp"
#include "command_line/output_file.hpp"
#include "voda/simulator/simulator.hpp"

namespace voda::command_line {

/// A directory for results. What was created of its path is removed again with the object, unless
/// something was put there.
class ResultDirectory {
 public:
  /// Creates the directory; throws Error.
  explicit ResultDirectory(const std::filesystem::path& path);

  ResultDirectory(const ResultDirectory&) = delete;
  ResultDirectory& operator=(const ResultDirectory&) = delete;
  ~ResultDirectory();

  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_{};
  std::vector<std::filesystem::path> created_{};  // innermost first
};

/// Writes what happens in a run as it happens: jobs.csv, allocations.csv, placements.csv; at its
/// end summary.json.
///
/// The files come into their place when the run is over or interrupted; after an error neither they
/// nor the directory are there.
class ResultFiles {
 public:
  /// Creates the directory; throws Error.
  explicit ResultFiles(const std::filesystem::path& directory);

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
  void write_rows();
  void put_rows_in_place();

  ResultDirectory directory_;  // before the files, which lie in it
  OutputFile jobs_;
  OutputFile allocations_;
  OutputFile placements_;
  std::map<JobId, Holding> holding_of_{};
};

}  // namespace voda::command_line

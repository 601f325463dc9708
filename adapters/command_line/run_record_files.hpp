#pragma once

#include <optional>
#include <string>

#include "command_line/output_file.hpp"
#include "voda/io/record.hpp"
#include "voda/model/event.hpp"
#include "voda/scheduler/scheduler.hpp"

namespace voda::command_line {

/// Writes the record and the plans of a run as it goes; either path may be empty.
///
/// A record stays as far as it was written, whatever ends the run: it is wanted most when something
/// went wrong.
class RunRecordFiles {
 public:
  /// Creates the files; `policy` is written into the record. Throws Error.
  RunRecordFiles(const std::string& record, const std::string& plans, const PolicyChanged& policy);

  RunRecordFiles(const RunRecordFiles&) = delete;
  RunRecordFiles& operator=(const RunRecordFiles&) = delete;

  /// What a scheduler is to tell its events; empty without a record. Lives as long as the object.
  [[nodiscard]] EventSink sink();

  void decided(const Scheduler& scheduler, const Decision& decision);

  /// Throws Error when something could not be written.
  void check();

  /// The run is over: everything is written out; throws Error.
  void finish();

 private:
  void record(const RecordEntry& entry);

  std::optional<OutputFile> record_{};
  std::optional<RecordWriter> writer_{};
  std::optional<OutputFile> plans_{};
};

}  // namespace voda::command_line

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "voda/config.hpp"
#include "voda/io/csv.hpp"
#include "voda/model/job.hpp"
#include "voda/simulator/trace.hpp"

namespace voda {

/// What happens when a row is refused.
enum class BadRows : std::uint8_t {
  refuse,  // the whole trace is refused with it
  skip     // it is left out and listed
};

/// How a trace is read.
struct TraceOptions {
  std::optional<Profiles> speedups{};  // absent: profile names are kept, every curve is linear
  BadRows bad_rows = BadRows::refuse;
  std::vector<std::string> gpu_types{};  // of the cluster; of several, every row must name its own
};

/// A row that was left out, and why.
struct SkippedRow {
  std::size_t line = 0;
  std::string message{};
};

/// A trace with the rows that are not in it.
struct TraceReadResult {
  Trace trace{};
  std::vector<SkippedRow> skipped{};  // empty unless BadRows::skip
  std::size_t without_gpus = 0;       // rows of jobs on CPUs alone, in formats that list those too
};

/// A job as a row gives it, with the name of its profile (may be empty).
struct TraceRow {
  Job job{};
  std::string profile{};
};

/// One of the formats of job traces; docs/trace-formats.md describes their columns.
struct TraceFormat {
  std::string_view name{};
  std::string_view summary{};
  CsvSchema columns{};
  /// Nothing for a job on CPUs alone.
  std::optional<TraceRow> (*read_row)(const CsvTable& table,
                                      std::size_t row,
                                      const Profiles* speedups) = nullptr;
};

/// All known formats, in the order in which help lists them.
[[nodiscard]] std::vector<TraceFormat> trace_formats();

/// Reads a trace in the named format; `source` names the text in messages.
///
/// Throws UnknownName for an unknown format, listing the known ones; InvalidInput for an empty
/// file, a bad header and bad rows (source, line, column, value, expectation), for repeated ids,
/// for rows without a GPU type where there are several, and for profiles that the given speedups lack. Even with BadRows::skip a header and a quote that
/// is never closed are not forgiven.
[[nodiscard]] TraceReadResult read_trace(std::istream& in,
                                         const std::string& source,
                                         std::string_view format,
                                         const TraceOptions& options = {});

/// Reads a trace from a file; throws as read_trace(), and InvalidInput when the file cannot be
/// read.
[[nodiscard]] TraceReadResult read_trace_file(const std::filesystem::path& path,
                                              std::string_view format,
                                              const TraceOptions& options = {});

/// Writes a trace in the format `voda`: what read_trace() gives back is equal, times to the
/// microsecond (up to 2^32 seconds, where doubles stop resolving it) and work to the last bit.
///
/// Throws InvalidInput for a job that the format cannot hold (narrowed sizes, eligible nodes, what
/// it has received so far), Error when the stream fails.
void write_trace(std::ostream& out, const Trace& trace);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/trace_reader_inl.hpp"
#endif

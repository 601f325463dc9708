#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "voda/config.hpp"
#include "voda/io/csv.hpp"
#include "voda/io/throughputs_reader.hpp"
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
  std::optional<Throughputs> throughputs{};   // for `gavel`, which needs them
  std::optional<MeasuredModels> run_times{};  // for `pollux`, unless its rows have a duration
};

/// A row that was left out, and why.
struct SkippedRow {
  std::size_t line = 0;
  std::string message{};
};

/// What the comments of a trace say about it, in formats that have such (`swf`).
struct TraceHeader {
  std::map<std::string, std::string, std::less<>> fields{};  // by label: "MaxProcs" to "128"
  std::map<std::int64_t, std::string> queues{};              // names by number
  std::map<std::int64_t, std::string> partitions{};

  /// A field's number; nothing when there is no such field or it is unknown.
  [[nodiscard]] std::optional<std::int64_t> number(std::string_view label) const;
};

/// How many rows something is true of, as in "ask for no GPU".
using RowCounts = std::map<std::string, std::size_t, std::less<>>;

/// A trace with the rows that are not in it.
struct TraceReadResult {
  Trace trace{};
  std::vector<SkippedRow> skipped{};  // empty unless BadRows::skip
  RowCounts left_out{};               // sound rows that are no jobs for us, by what they do
  RowCounts remarks{};                // rows that were not taken word by word, by what they do
  std::vector<std::string> warnings{};
  TraceHeader header{};
};

/// A job as a row gives it, with the name of its profile (may be empty).
struct TraceRow {
  Job job{};
  std::string profile{};
  std::vector<std::string_view> remarks{};  // as in TraceReadResult; they live on
};

/// A sound row that is no job for us.
struct LeftOutRow {
  std::string_view reason{};  // as in TraceReadResult; it lives on
};

using ReadRow = std::variant<TraceRow, LeftOutRow>;

/// What a row is read with.
struct RowContext {
  std::size_t row = 0;  // from 0, bad ones included
  const Profiles* speedups = nullptr;
  const TraceHeader* header = nullptr;
  bool has_gpu_types = true;                    // false: the nodes of the cluster name none
  const MeasuredModels* throughputs = nullptr;  // of the cluster's type of GPU
  const MeasuredModels* run_times = nullptr;
};

/// Where the durations of a format come from when the rows do not tell them.
enum class Measured : std::uint8_t { none, throughputs, run_times };

/// One of the formats of job traces; docs/trace-formats.md describes their columns.
struct TraceFormat {
  std::string_view name{};
  std::string_view summary{};
  std::vector<CsvSchema> schemas{};
  ReadRow (*read_row)(const CsvTable& table, const RowContext& context) = nullptr;
  CellSyntax syntax = CellSyntax::commas;
  /// Adds a comment to the header; null for formats without comments.
  void (*read_comment)(const CsvTable& table,
                       const CsvComment& comment,
                       TraceHeader& header) = nullptr;
  Measured measured = Measured::none;
};

/// All known formats, in the order in which help lists them.
[[nodiscard]] std::vector<TraceFormat> trace_formats();

/// Reads a trace in the named format; `source` names the text in messages.
///
/// Throws UnknownName for an unknown format, listing the known ones; InvalidInput for an empty
/// file, a bad header and bad rows (source, line, column, value, expectation), for repeated ids,
/// for rows without a GPU type where there are several, for profiles that the given speedups lack,
/// and for options that the format needs and that are absent, or that it has no use for. Even with
/// BadRows::skip a header and a quote that is never closed are not forgiven.
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

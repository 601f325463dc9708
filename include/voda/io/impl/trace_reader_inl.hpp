#pragma once

#include "voda/io/trace_reader.hpp"

#include <algorithm>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "voda/io/impl/text_file_inl.hpp"
#include "voda/io/impl/trace_formats_inl.hpp"
#include "voda/model/error.hpp"
#include "voda/model/nearest_names.hpp"

namespace voda {
namespace trace_reader_detail {

[[nodiscard]] inline TraceFormat find_format(std::string_view name) {
  std::vector<std::string_view> known;
  for (const TraceFormat& format : trace_formats()) {
    if (format.name == name)
      return format;
    known.push_back(format.name);
  }
  throw UnknownName(fmt::format("unknown trace format '{}'; expected {}{}",
                                shown(name),
                                fmt::join(known, ", "),
                                did_you_mean(name, known)));
}

/// Options that a format cannot do with would be without effect, which nobody wants.
inline void check_options(const TraceFormat& format, const TraceOptions& options) {
  const auto refuse = [&format](std::string_view what, std::string_view expected) {
    throw InvalidInput(fmt::format("format {}: {}; expected {}", format.name, what, expected));
  };
  if (options.run_times && format.measured != Measured::run_times)
    refuse("run times are given", "none, for they are for pollux");
  if (options.throughputs && format.measured != Measured::throughputs)
    refuse("throughputs are given", "none, for they are for gavel");
  if (!options.throughputs && format.measured == Measured::throughputs) {
    refuse("its jobs are so many steps",
           "throughputs that turn steps into seconds (--throughputs FILE, such as Gavel's "
           "simulation_throughputs.json)");
  }
  if (options.speedups && (options.run_times || options.throughputs))
    refuse("speedups are given", "none, for they follow from what was measured");
}

/// Collects rows into a trace.
class TraceBuilder {
 public:
  TraceBuilder(const TraceFormat& format, const TraceOptions& options)
      : format_(&format),
        speedups_(options.speedups ? &*options.speedups : nullptr),
        gpu_types_(&options.gpu_types),
        throughputs_(trace_formats_detail::throughputs_of_cluster(options)),
        run_times_(options.run_times ? &*options.run_times : nullptr) {}

  void read_comments(CsvTable& table, const TraceOptions& options, TraceReadResult& result) {
    for (const CsvComment& comment : table.take_comments()) {
      try {
        format_->read_comment(table, comment, result.header);
      } catch (const InvalidInput& error) {
        if (options.bad_rows == BadRows::refuse)
          throw;
        result.skipped.push_back({.line = comment.line, .message = error.what()});
      }
    }
  }

  void add(const CsvTable& table, std::size_t row, TraceReadResult& result) {
    ReadRow asked = format_->read_row(table,
                                      {.row = row,
                                       .speedups = speedups_,
                                       .header = &result.header,
                                       .has_gpu_types = names_gpu_types(),
                                       .throughputs = throughputs_,
                                       .run_times = run_times_});
    if (const auto* left_out = std::get_if<LeftOutRow>(&asked)) {
      ++result.left_out[std::string(left_out->reason)];
      return;
    }
    auto& read = std::get<TraceRow>(asked);
    check_job(table, read.job);
    check_pool(table, read.job);
    const auto [first, is_new] = line_of_.emplace(read.job.id, table.reader().line());
    if (!is_new) {
      table.refuse(table.first_column(),
                   fmt::format("an id that is not taken yet (line {})", first->second));
    }
    for (const std::string_view remark : read.remarks)
      ++result.remarks[std::string(remark)];
    if (!read.profile.empty())
      trace_.profiles.emplace(read.job.id, std::move(read.profile));
    trace_.jobs.push_back(std::move(read.job));
  }

  [[nodiscard]] Trace finish(const std::string& source) && {
    try {
      return sorted_by_arrival(with_padded_ids(std::move(trace_)));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: {}{}", source, error.what(), lines_of_equal_numbers()));
    }
  }

 private:
  static void check_job(const CsvTable& table, const Job& job) {
    try {
      check(job);
    } catch (const InvalidInput& error) {
      table.reader().refuse(error.what());
    }
  }

  /// A job without a type belongs to the pool without one, or to the only pool.
  void check_pool(const CsvTable& table, const Job& job) const {
    if (!job.spec.gpu_type.empty() || gpu_types_->size() < 2 ||
        std::ranges::find(*gpu_types_, "") != gpu_types_->end()) {
      return;
    }
    table.reader().refuse(
        fmt::format("job '{}': it names no gpu_type; expected one of those of the cluster: {}",
                    shown(job.id.value),
                    shown(fmt::format("{}", fmt::join(*gpu_types_, ", ")))));
  }

  /// False for a cluster in which no node has a type.
  [[nodiscard]] bool names_gpu_types() const {
    return gpu_types_->empty() ||
           std::ranges::any_of(*gpu_types_, [](const std::string& type) { return !type.empty(); });
  }

  /// Where two ids stand that are one number.
  [[nodiscard]] std::string lines_of_equal_numbers() const {
    std::map<std::string, std::size_t> line_of_number;
    for (const auto& [id, line] : line_of_) {
      const std::size_t first_digit = std::min(id.value.find_first_not_of('0'), id.value.size());
      const auto [other, is_new] = line_of_number.emplace(id.value.substr(first_digit), line);
      if (!is_new) {
        return fmt::format(
            " (lines {} and {})", std::min(line, other->second), std::max(line, other->second));
      }
    }
    return "";
  }

  const TraceFormat* format_ = nullptr;
  const Profiles* speedups_ = nullptr;
  const std::vector<std::string>* gpu_types_ = nullptr;
  const MeasuredModels* throughputs_ = nullptr;
  const MeasuredModels* run_times_ = nullptr;
  Trace trace_{};
  std::map<JobId, std::size_t> line_of_{};
};

inline void check_writable(const Job& job) {
  const auto refuse = [&job](std::string_view field, std::string_view expected) {
    throw InvalidInput(fmt::format(
        "job '{}': {} cannot be written to a trace; expected {}", job.id.value, field, expected));
  };
  if (!job.work)
    refuse("a job without work_s", "work_s");
  if (job.spec.sizes != SizeRule{})
    refuse("sizes", "every size from min_gpus to max_gpus");
  if (job.spec.gpus_per_worker != 1)
    refuse("gpus_per_worker", "1");
  if (!job.spec.preemptible)
    refuse("preemptible = false", "true");
  if (job.spec.eligible)
    refuse("eligible", "none");
  if (job.progress != JobProgress{})
    refuse("progress", "a job that has not begun");
}

/// Whole microseconds as decimal seconds, exactly.
[[nodiscard]] inline std::string seconds_text(TimePoint time) {
  const std::int64_t us = time.time_since_epoch().count();
  const auto magnitude =
      us < 0 ? 0 - static_cast<std::uint64_t>(us) : static_cast<std::uint64_t>(us);
  return fmt::format("{}{}.{:06}", us < 0 ? "-" : "", magnitude / 1000000, magnitude % 1000000);
}

[[nodiscard]] inline std::string row_text(const Trace& trace, const Job& job) {
  const auto profile = trace.profiles.find(job.id);
  const JobSpec& spec = job.spec;
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     csv_cell(job.id.value),
                     seconds_text(job.submitted),
                     spec.min_gpus,
                     spec.requested_gpus,
                     spec.max_gpus,
                     job.work->left_s,
                     profile == trace.profiles.end() ? "" : csv_cell(profile->second),
                     csv_cell(spec.gpu_type),
                     csv_cell(spec.queue),
                     csv_cell(spec.user),
                     spec.priority,
                     spec.deadline ? seconds_text(*spec.deadline) : "",
                     csv_cell(spec.virtual_cluster));
}

}  // namespace trace_reader_detail

VODA_INLINE std::optional<std::int64_t> TraceHeader::number(std::string_view label) const {
  const auto found = fields.find(label);
  if (found == fields.end())
    return std::nullopt;
  const auto value = parse_whole_number(trace_formats_detail::first_word(found->second));
  return value && *value >= 0 ? value : std::nullopt;
}

VODA_INLINE TraceReadResult read_trace(std::istream& in,
                                       const std::string& source,
                                       std::string_view format,
                                       const TraceOptions& options) {
  const TraceFormat found = trace_reader_detail::find_format(format);
  trace_reader_detail::check_options(found, options);
  CsvTable table(in, source, found.schemas, found.syntax);
  trace_reader_detail::TraceBuilder builder(found, options);
  TraceReadResult result;
  std::size_t row = 0;
  for (bool has_row = true; has_row; ++row) {
    try {
      has_row = table.next();
      builder.read_comments(table, options, result);
      if (has_row)
        builder.add(table, row, result);
    } catch (const InvalidInput& error) {
      if (options.bad_rows == BadRows::refuse || table.is_broken())
        throw;
      result.skipped.push_back({.line = table.reader().line(), .message = error.what()});
    }
  }
  std::ranges::sort(result.skipped, {}, &SkippedRow::line);  // comments come late
  trace_formats_detail::compare_with_header(row - 1, result);
  result.trace = std::move(builder).finish(source);
  return result;
}

VODA_INLINE TraceReadResult read_trace_file(const std::filesystem::path& path,
                                            std::string_view format,
                                            const TraceOptions& options) {
  std::ifstream file = text_file_detail::open(path);
  auto result = read_trace(file, path.string(), format, options);
  if (file.bad())
    throw InvalidInput(fmt::format("{}: cannot be read to its end", path.string()));
  return result;
}

VODA_INLINE void write_trace(std::ostream& out, const Trace& trace) {
  for (const Job& job : trace.jobs)
    trace_reader_detail::check_writable(job);
  out << "id,submitted,min_gpus,requested_gpus,max_gpus,work_s,profile,gpu_type,queue,user,"
         "priority,"
         "deadline,virtual_cluster\n";
  for (const Job& job : trace.jobs)
    out << trace_reader_detail::row_text(trace, job);
  out.flush();
  if (!out)
    throw Error("the trace could not be written to its end; expected room for it");
}

}  // namespace voda

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

namespace voda {
namespace trace_reader_detail {

[[nodiscard]] inline TraceFormat find_format(std::string_view name) {
  std::vector<std::string_view> known;
  for (const TraceFormat& format : trace_formats()) {
    if (format.name == name)
      return format;
    known.push_back(format.name);
  }
  throw UnknownName(
      fmt::format("unknown trace format '{}'; expected {}", shown(name), fmt::join(known, ", ")));
}

/// Collects rows into a trace.
class TraceBuilder {
 public:
  TraceBuilder(const TraceFormat& format, const TraceOptions& options)
      : format_(&format),
        speedups_(options.speedups ? &*options.speedups : nullptr),
        gpu_types_(&options.gpu_types) {}

  void add(const CsvTable& table, std::size_t row) {
    std::optional<TraceRow> asked = format_->read_row(table, row, speedups_);
    if (!asked) {
      ++without_gpus_;
      return;
    }
    TraceRow& read = *asked;
    check_job(table, read.job);
    check_pool(table, read.job);
    const auto [first, is_new] = line_of_.emplace(read.job.id, table.reader().line());
    if (!is_new) {
      table.refuse(format_->columns.required.front(),
                   fmt::format("an id that is not taken yet (line {})", first->second));
    }
    if (!read.profile.empty())
      trace_.profiles.emplace(read.job.id, std::move(read.profile));
    trace_.jobs.push_back(std::move(read.job));
  }

  [[nodiscard]] std::size_t without_gpus() const { return without_gpus_; }

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
  Trace trace_{};
  std::size_t without_gpus_ = 0;
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

VODA_INLINE TraceReadResult read_trace(std::istream& in,
                                       const std::string& source,
                                       std::string_view format,
                                       const TraceOptions& options) {
  const TraceFormat found = trace_reader_detail::find_format(format);
  CsvTable table(in, source, found.columns);
  trace_reader_detail::TraceBuilder builder(found, options);
  TraceReadResult result;
  for (std::size_t row = 0;; ++row) {
    try {
      if (!table.next())
        break;
      builder.add(table, row);
    } catch (const InvalidInput& error) {
      if (options.bad_rows == BadRows::refuse || table.reader().is_broken())
        throw;
      result.skipped.push_back({.line = table.reader().line(), .message = error.what()});
    }
  }
  result.without_gpus = builder.without_gpus();
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

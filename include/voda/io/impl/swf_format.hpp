#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "voda/io/impl/trace_row.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/model/number_text.hpp"

/// The Standard Workload Format 2.2 of the Parallel Workloads Archive (D. Feitelson and others,
/// https://www.cs.huji.ac.il/labs/parallel/workload/swf.html).
namespace voda::trace_formats_detail {

inline constexpr LeftOutRow partial_execution{.reason =
                                                  "are parts of a job that has a row of its own"};
inline constexpr LeftOutRow never_ran{.reason = "were cancelled before they ran"};
inline constexpr LeftOutRow without_run_time{.reason = "have no run time"};
inline constexpr LeftOutRow without_processors{.reason = "name no number of processors"};

[[nodiscard]] inline std::string_view first_word(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t"));
}

[[nodiscard]] inline std::string_view without_first_word(std::string_view text) {
  const std::size_t at = std::min(first_word(text).size(), text.size());
  return text.substr(std::min(text.find_first_not_of(" \t", at), text.size()));
}

/// Nothing but letters.
[[nodiscard]] inline bool is_swf_label(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

/// Fields that must be numbers, or say that they are not known.
[[nodiscard]] inline bool is_swf_number(std::string_view label) {
  constexpr std::array numbers{"MaxJobs", "MaxRecords", "UnixStartTime", "MaxNodes", "MaxProcs"};
  return std::ranges::find(numbers, label) != numbers.end();
}

inline void check_swf_number(const CsvTable& table,
                             const CsvComment& comment,
                             std::string_view label,
                             std::string_view value) {
  const auto number = parse_whole_number(first_word(value));
  if ((number && *number >= -1) || first_word(value) == "UNKNOWN")
    return;
  table.reader().refuse_at(
      comment.line,
      fmt::format("header '{}': '{}'; expected a whole number >= 0, or -1 or UNKNOWN",
                  label,
                  shown(value)));
}

/// `; Queue: 1 batch (details)` names queue 1.
inline void add_swf_name(const CsvTable& table,
                         const CsvComment& comment,
                         std::string_view value,
                         std::map<std::int64_t, std::string>& names) {
  const auto number = parse_whole_number(first_word(value));
  const std::string name(first_word(without_first_word(value)));
  if (!number || name.empty())
    return;  // a description for people
  if (has_control_characters(name)) {
    table.reader().refuse_at(
        comment.line,
        fmt::format("the name '{}'; expected one without control characters", shown(name)));
  }
  const auto [known, is_new] = names.emplace(*number, name);
  if (is_new || known->second == name)
    return;
  table.reader().refuse_at(
      comment.line,
      fmt::format("number {} is named '{}' and '{}'; expected one name for each number",
                  *number,
                  shown(known->second),
                  shown(name)));
}

/// Reads `Label: value`; every other comment is for people.
inline void read_swf_comment(const CsvTable& table,
                             const CsvComment& comment,
                             TraceHeader& header) {
  const std::string_view text = comment.text;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || !is_swf_label(text.substr(0, colon)))
    return;
  const std::string_view label = text.substr(0, colon);
  const std::size_t begin = std::min(text.find_first_not_of(" \t", colon + 1), text.size());
  const std::string_view value = text.substr(begin);
  if (label == "Queue")
    return add_swf_name(table, comment, value, header.queues);
  if (label == "Partition")
    return add_swf_name(table, comment, value, header.partitions);
  if (is_swf_number(label))
    check_swf_number(table, comment, label, value);
  const auto [known, is_new] = header.fields.emplace(label, value);
  if (is_new || known->second == value)
    return;
  if (is_swf_number(label)) {
    table.reader().refuse_at(comment.line,
                             fmt::format("header '{}': '{}'; expected it once, or again '{}'",
                                         label,
                                         shown(value),
                                         shown(known->second)));
  }
  known->second += fmt::format("\n{}", value);  // a Note goes on
}

/// The name that the header gives a number, or the number; nothing when it is unknown.
[[nodiscard]] inline std::string swf_name(const CsvTable& table,
                                          std::string_view column,
                                          const std::map<std::int64_t, std::string>& names) {
  const std::int64_t number = table.whole_number(column, {.min = -1});
  if (number == -1)
    return "";
  const auto named = names.find(number);
  return named == names.end() ? fmt::format("{}", number) : named->second;
}

/// The processors that the job held while it ran for its run time; 0 when neither number is known.
[[nodiscard]] inline GpuCount swf_size(const CsvTable& table, TraceRow& result) {
  const WholeRange range{.min = -1, .max = gpu_range.max};
  const auto allocated = static_cast<GpuCount>(table.whole_number("allocated_processors", range));
  const auto requested = static_cast<GpuCount>(table.whole_number("requested_processors", range));
  if (allocated <= 0)
    return std::max(requested, 0);
  if (requested > 0 && requested != allocated)
    result.remarks.emplace_back(
        "were given another number of processors than asked for, which counts");
  return allocated;
}

[[nodiscard]] inline double swf_run_time(const CsvTable& table) {
  const double run_time = table.number("run_time", {.min = -1, .max = max_seconds});
  if (run_time < 0 && run_time > -1)
    table.refuse("run_time", "seconds >= 0, or -1 where they are unknown");
  return run_time;
}

inline void check_swf_unused(const CsvTable& table) {
  for (const std::string_view column : {"wait_time",
                                        "average_cpu_time",
                                        "used_memory",
                                        "requested_time",
                                        "requested_memory",
                                        "group_id",
                                        "executable",
                                        "think_time"}) {
    static_cast<void>(table.number(column, any_range));
  }
}

[[nodiscard]] inline ReadRow read_swf(const CsvTable& table, const RowContext& context) {
  check_swf_unused(table);
  const std::int64_t status = table.whole_number("status", {.min = -1, .max = 5});
  if (status >= 2 && status <= 4)
    return partial_execution;
  const double run_time = swf_run_time(table);
  if (status == 5 && run_time <= 0)
    return never_ran;
  if (run_time < 0)
    return without_run_time;
  TraceRow result;
  const GpuCount size = swf_size(table, result);
  if (size == 0)
    return without_processors;
  result.job =
      rigid_job(fmt::format("{}", table.whole_number("job_number", {.min = 0})),
                time_from_seconds(table.number("submit_time", length_range), "submit_time"),
                size);
  result.job.spec.user = swf_name(table, "user_id", {});
  result.job.spec.queue = swf_name(table, "queue_number", context.header->queues);
  result.job.spec.virtual_cluster = swf_name(table, "partition_number", context.header->partitions);
  if (table.whole_number("preceding_job", {.min = -1}) > 0)
    result.remarks.emplace_back("wait for an earlier job, which is not kept");
  const auto processors = context.header->number("MaxProcs");
  if (processors && size > *processors)
    result.remarks.emplace_back("hold more processors than the MaxProcs of the header");
  set_rigid_work(result.job, table, "run_time");
  return result;
}

/// Warns where the header counts other rows than there are: the text may be cut off.
inline void compare_with_header(std::size_t rows, TraceReadResult& result) {
  const auto parts = result.left_out.find(partial_execution.reason);
  const std::size_t jobs = rows - (parts == result.left_out.end() ? 0 : parts->second);
  for (const auto& [label, count] : {std::pair("MaxJobs", jobs), std::pair("MaxRecords", rows)}) {
    const auto announced = result.header.number(label);
    if (announced && std::cmp_not_equal(*announced, count)) {
      result.warnings.push_back(
          fmt::format("the header says {} {}, and there are {}", label, *announced, count));
    }
  }
}

[[nodiscard]] inline CsvSchema swf_schema() {
  const std::vector<std::string_view> columns{"job_number",
                                              "submit_time",
                                              "wait_time",
                                              "run_time",
                                              "allocated_processors",
                                              "average_cpu_time",
                                              "used_memory",
                                              "requested_processors",
                                              "requested_time",
                                              "requested_memory",
                                              "status",
                                              "user_id",
                                              "group_id",
                                              "executable",
                                              "queue_number",
                                              "partition_number",
                                              "preceding_job",
                                              "think_time"};
  return {.required = columns, .headerless = {columns}};
}

[[nodiscard]] inline TraceFormat swf_format() {
  return {.name = "swf",
          .summary =
              "Standard Workload Format 2.2 of the Parallel Workloads Archive: rigid jobs, a "
              "processor is a GPU",
          .schemas = {swf_schema()},
          .read_row = read_swf,
          .syntax = CellSyntax::blanks,
          .read_comment = read_swf_comment};
}

}  // namespace voda::trace_formats_detail

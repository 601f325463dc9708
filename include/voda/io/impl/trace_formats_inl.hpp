#pragma once

#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "voda/io/impl/gavel_format.hpp"
#include "voda/io/impl/pai_format.hpp"
#include "voda/io/impl/pollux_format.hpp"
#include "voda/io/impl/swf_format.hpp"
#include "voda/io/impl/trace_row.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace trace_formats_detail {

inline void read_sizes(const CsvTable& table, JobSpec& spec) {
  if (table.has("min_gpus"))
    spec.min_gpus = gpus(table, "min_gpus");
  if (table.has("max_gpus"))
    spec.max_gpus = gpus(table, "max_gpus");
  if (spec.min_gpus > spec.requested_gpus) {
    table.refuse("min_gpus", fmt::format("at most requested_gpus, {}", spec.requested_gpus));
  }
  if (spec.max_gpus < spec.requested_gpus) {
    table.refuse("max_gpus", fmt::format("at least requested_gpus, {}", spec.requested_gpus));
  }
}

[[nodiscard]] inline ReadRow read_voda(const CsvTable& table, const RowContext& context) {
  TraceRow result{
      .job = rigid_job(table.name("id"), time(table, "submitted"), gpus(table, "requested_gpus")),
      .profile = optional_name(table, "profile")};
  Job& job = result.job;
  read_sizes(table, job.spec);
  job.speedup = curve(table, "profile", result.profile, context.speedups);
  job.spec.gpu_type = optional_name(table, "gpu_type");
  job.spec.queue = optional_name(table, "queue");
  job.spec.user = optional_name(table, "user");
  job.spec.virtual_cluster = optional_name(table, "virtual_cluster");
  if (table.has("priority")) {
    constexpr int largest = std::numeric_limits<int>::max();
    job.spec.priority =
        static_cast<int>(table.whole_number("priority", {.min = 0, .max = largest}));
  }
  if (table.has("deadline"))
    job.spec.deadline = time(table, "deadline");
  set_work(job, table.number("work_s", length_range));
  return result;
}

[[nodiscard]] inline ReadRow read_itp(const CsvTable& table, const RowContext& context) {
  TraceRow result{.job = rigid_job(
                      table.name("job_id"), time(table, "submission_time"), gpus(table, "num_gpu")),
                  .profile = optional_name(table, "model_name")};
  if (context.speedups != nullptr && table.has("batch_size")) {
    const auto batch = table.whole_number("batch_size", {.min = 1});
    const std::string name = fmt::format("{}/{}", result.profile, batch);
    if (context.speedups->contains(name))
      result.profile = name;
  }
  result.job.speedup = curve(table, "model_name", result.profile, context.speedups);
  if (table.has("deadline"))
    result.job.spec.deadline = time(table, "deadline");
  check_numbers(table, {"num_iteration"});
  set_rigid_work(result.job, table, "duration");
  return result;
}

[[nodiscard]] inline ReadRow read_pcs(const CsvTable& table, const RowContext& context) {
  TraceRow result{
      .job = rigid_job(table.name("app_id"), time(table, "submit_time"), gpus(table, "num_jobs")),
      .profile = optional_name(table, "model_name")};
  result.job.spec.min_gpus = 1;
  result.job.speedup = curve(table, "model_name", result.profile, context.speedups);
  check_numbers(table, {"sleep_time"});
  set_work(result.job, table.number("service", length_range));
  return result;
}

[[nodiscard]] inline ReadRow read_tiresias(const CsvTable& table, const RowContext& context) {
  TraceRow result{
      .job = rigid_job(table.name("job_id"), time(table, "submit_time"), gpus(table, "num_gpu")),
      .profile = optional_name(table, "model_name")};
  result.job.speedup = curve(table, "model_name", result.profile, context.speedups);
  check_numbers(table, {"iterations", "interval"});
  set_rigid_work(result.job, table, "duration");
  return result;
}

/// Reads "2017-10-03 19:42:23" (or with a T) as seconds since 1970-01-01 00:00:00; nothing when it
/// is no such text.
[[nodiscard]] inline std::optional<double> parse_date_time(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd dd:dd:dd";
  if (text.size() != form.size())
    return std::nullopt;
  for (std::size_t at = 0; at < form.size(); ++at) {
    const bool is_digit = text[at] >= '0' && text[at] <= '9';
    const bool is_separator = text[at] == form[at] || (form[at] == ' ' && text[at] == 'T');
    if (form[at] == 'd' ? !is_digit : !is_separator)
      return std::nullopt;
  }
  const auto part = [text](std::size_t at, std::size_t length) {
    return static_cast<int>(parse_whole_number(text.substr(at, length)).value_or(0));
  };
  const std::chrono::year_month_day date{std::chrono::year(part(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  const int hour = part(11, 2);
  const int minute = part(14, 2);
  const int second = part(17, 2);
  if (!date.ok() || hour > 23 || minute > 59 || second > 59)
    return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(((days * 24 + hour) * 60 + minute) * 60 + second);
}

[[nodiscard]] inline TimePoint date_or_seconds(const CsvTable& table, std::string_view column) {
  if (const auto seconds = parse_date_time(table.text(column))) {
    return time_from_seconds(*seconds, column);
  }
  const auto seconds = parse_number(table.text(column));
  if (!seconds || !(*seconds >= time_range.min && *seconds <= time_range.max)) {
    table.refuse(column, "a date and time like 2017-10-03 19:42:23, or seconds");
  }
  return time_from_seconds(*seconds, column);
}

[[nodiscard]] inline ReadRow read_philly(const CsvTable& table, const RowContext& context) {
  TraceRow result{.job = rigid_job(fmt::format("{}", context.row),
                                   date_or_seconds(table, "timestamp"),
                                   gpus(table, "num_gpus")),
                  .profile = optional_name(table, "model_name")};
  result.job.speedup = curve(table, "model_name", result.profile, context.speedups);
  result.job.spec.virtual_cluster = optional_name(table, "cluster");
  check_numbers(table, {"gpu_time"}, {.min = 0, .max = 1e18});
  set_rigid_work(result.job, table, "duration");
  return result;
}

/// Jobs of Slurm: many ask for no GPU. Times are dates of the cluster's clock.
[[nodiscard]] inline ReadRow read_helios(const CsvTable& table, const RowContext& context) {
  check_numbers(table, {"cpu_num", "node_num", "queue"});
  constexpr WholeRange range{.min = 0, .max = gpu_range.max};
  const auto requested = static_cast<GpuCount>(table.whole_number("gpu_num", range));
  if (requested == 0)
    return without_gpus;
  TraceRow result{
      .job = rigid_job(table.name("job_id"), date_or_seconds(table, "submit_time"), requested),
      .profile = optional_name(table, "model_name")};
  result.job.speedup = curve(table, "model_name", result.profile, context.speedups);
  result.job.spec.user = optional_name(table, "user");
  result.job.spec.virtual_cluster = optional_name(table, "vc");
  set_rigid_work(result.job, table, "duration");
  return result;
}

}  // namespace trace_formats_detail

VODA_INLINE std::vector<TraceFormat> trace_formats() {
  namespace detail = trace_formats_detail;
  return {
      {.name = "voda",
       .summary = "voda's own: sizes, work on one GPU, profile, queue, user, deadline",
       .schemas = {{.required = {"id", "submitted", "requested_gpus", "work_s"},
                    .optional = {"min_gpus",
                                 "max_gpus",
                                 "profile",
                                 "gpu_type",
                                 "queue",
                                 "user",
                                 "priority",
                                 "deadline",
                                 "virtual_cluster"}}},
       .read_row = detail::read_voda},
      {.name = "itp",
       .summary = "Microsoft ITP clusters, 2021 (ElasticFlow): rigid jobs with a deadline",
       .schemas = {{.required = {"job_id", "submission_time", "num_gpu", "duration"},
                    .optional = {"num_iteration", "model_name", "deadline", "batch_size"}}},
       .read_row = detail::read_itp},
      {.name = "pcs",
       .summary =
           "Philly virtual clusters as PCS publishes them: elastic from 1 GPU to the request",
       .schemas = {{.required = {"app_id", "submit_time", "service", "num_jobs"},
                    .optional = {"sleep_time", "model_name"}}},
       .read_row = detail::read_pcs},
      {.name = "tiresias",
       .summary = "job files of the Tiresias simulator: rigid jobs",
       .schemas = {{.required = {"job_id", "num_gpu", "submit_time", "duration"},
                    .optional = {"iterations", "model_name", "interval"}}},
       .read_row = detail::read_tiresias},
      {.name = "philly",
       .summary = "Microsoft Philly, 2017, as flattened by Pollux and ElasticFlow: rigid jobs",
       .schemas = {{.required = {"timestamp", "duration", "num_gpus"},
                    .optional = {"gpu_time", "cluster", "model_name"}}},
       .read_row = detail::read_philly},
      {.name = "helios",
       .summary = "SenseTime Helios clusters, 2020 (HeliosData): rigid jobs with user and virtual "
                  "cluster; jobs on CPUs alone are counted and left out",
       .schemas = {{.required = {"job_id", "gpu_num", "submit_time", "duration"},
                    .optional = {"user",
                                 "vc",
                                 "cpu_num",
                                 "node_num",
                                 "state",
                                 "start_time",
                                 "end_time",
                                 "queue",
                                 "model_name"}}},
       .read_row = detail::read_helios},
      detail::swf_format(),
      detail::pai_format(),
      detail::pollux_format(),
      detail::gavel_format(),
  };
}

}  // namespace voda

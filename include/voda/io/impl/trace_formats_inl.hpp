#pragma once

#include <chrono>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "voda/io/trace_reader.hpp"
#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace trace_formats_detail {

inline constexpr WholeRange gpu_range{.min = 1, .max = std::numeric_limits<GpuCount>::max()};
inline constexpr RealRange time_range{.min = -max_seconds, .max = max_seconds};
inline constexpr RealRange length_range{.min = 0, .max = max_seconds};

[[nodiscard]] inline GpuCount gpus(const CsvTable& table, std::string_view column) {
  return static_cast<GpuCount>(table.whole_number(column, gpu_range));
}

[[nodiscard]] inline TimePoint time(const CsvTable& table, std::string_view column) {
  return time_from_seconds(table.number(column, time_range), column);
}

[[nodiscard]] inline std::string optional_name(const CsvTable& table, std::string_view column) {
  return table.has(column) ? table.name(column) : std::string();
}

/// The curve of a profile; linear without speedups and for a job without a profile.
[[nodiscard]] inline SpeedupCurve curve(const CsvTable& table,
                                        std::string_view column,
                                        const std::string& profile,
                                        const Profiles* speedups) {
  if (speedups == nullptr || profile.empty())
    return {};
  const auto found = speedups->find(profile);
  if (found != speedups->end())
    return found->second;
  std::string known;
  for (const auto& [name, unused] : *speedups)
    known += (known.empty() ? "" : ", ") + name;
  if (known.size() > 200)
    known = known.substr(0, known.rfind(',', 200)) + ", ...";
  table.refuse(column, fmt::format("a profile of the speedup file: {}", known));
}

inline void set_work(Job& job, double work_s) {
  job.work = RemainingWork{.left_s = work_s, .since = job.submitted};
}

/// Work of a job that ran `duration` at its requested size: duration * S(requested).
inline void set_rigid_work(Job& job, const CsvTable& table, std::string_view column) {
  const double duration_s = table.number(column, length_range);
  const double work_s = unfused(duration_s * job.speedup(job.spec.requested_gpus));
  if (!(work_s <= max_seconds)) {
    table.refuse(column,
                 fmt::format("a time whose work on one GPU is at most {:g} s", max_seconds));
  }
  set_work(job, work_s);
}

[[nodiscard]] inline Job rigid_job(std::string id, TimePoint submitted, GpuCount requested) {
  return {.id = JobId{std::move(id)},
          .submitted = submitted,
          .spec = {.min_gpus = requested, .requested_gpus = requested, .max_gpus = requested}};
}

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

[[nodiscard]] inline std::optional<TraceRow> read_voda(const CsvTable& table,
                                                       std::size_t,
                                                       const Profiles* speedups) {
  TraceRow result{
      .job = rigid_job(table.name("id"), time(table, "submitted"), gpus(table, "requested_gpus")),
      .profile = optional_name(table, "profile")};
  Job& job = result.job;
  read_sizes(table, job.spec);
  job.speedup = curve(table, "profile", result.profile, speedups);
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

[[nodiscard]] inline std::optional<TraceRow> read_itp(const CsvTable& table,
                                                      std::size_t,
                                                      const Profiles* speedups) {
  TraceRow result{.job = rigid_job(
                      table.name("job_id"), time(table, "submission_time"), gpus(table, "num_gpu")),
                  .profile = optional_name(table, "model_name")};
  if (speedups != nullptr && table.has("batch_size")) {
    const auto batch = table.whole_number("batch_size", {.min = 1});
    const std::string name = fmt::format("{}/{}", result.profile, batch);
    if (speedups->contains(name))
      result.profile = name;
  }
  result.job.speedup = curve(table, "model_name", result.profile, speedups);
  if (table.has("deadline"))
    result.job.spec.deadline = time(table, "deadline");
  if (table.has("num_iteration"))
    static_cast<void>(table.number("num_iteration", {.min = 0}));
  set_rigid_work(result.job, table, "duration");
  return result;
}

[[nodiscard]] inline std::optional<TraceRow> read_pcs(const CsvTable& table,
                                                      std::size_t,
                                                      const Profiles* speedups) {
  TraceRow result{
      .job = rigid_job(table.name("app_id"), time(table, "submit_time"), gpus(table, "num_jobs")),
      .profile = optional_name(table, "model_name")};
  result.job.spec.min_gpus = 1;
  result.job.speedup = curve(table, "model_name", result.profile, speedups);
  if (table.has("sleep_time"))
    static_cast<void>(table.number("sleep_time", length_range));
  set_work(result.job, table.number("service", length_range));
  return result;
}

[[nodiscard]] inline std::optional<TraceRow> read_tiresias(const CsvTable& table,
                                                           std::size_t,
                                                           const Profiles* speedups) {
  TraceRow result{
      .job = rigid_job(table.name("job_id"), time(table, "submit_time"), gpus(table, "num_gpu")),
      .profile = optional_name(table, "model_name")};
  result.job.speedup = curve(table, "model_name", result.profile, speedups);
  for (const std::string_view column : {"iterations", "interval"}) {
    if (table.has(column))
      static_cast<void>(table.number(column, length_range));
  }
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

[[nodiscard]] inline std::optional<TraceRow> read_philly(const CsvTable& table,
                                                         std::size_t row,
                                                         const Profiles* speedups) {
  TraceRow result{
      .job = rigid_job(
          fmt::format("{}", row), date_or_seconds(table, "timestamp"), gpus(table, "num_gpus")),
      .profile = optional_name(table, "model_name")};
  result.job.speedup = curve(table, "model_name", result.profile, speedups);
  result.job.spec.virtual_cluster = optional_name(table, "cluster");
  if (table.has("gpu_time"))
    static_cast<void>(table.number("gpu_time", {.min = 0, .max = 1e18}));
  set_rigid_work(result.job, table, "duration");
  return result;
}

/// Jobs of Slurm: many ask for no GPU. Times are dates of the cluster's clock.
[[nodiscard]] inline std::optional<TraceRow> read_helios(const CsvTable& table,
                                                         std::size_t,
                                                         const Profiles* speedups) {
  for (const std::string_view column : {"cpu_num", "node_num", "queue"}) {
    if (table.has(column))
      static_cast<void>(table.number(column, length_range));
  }
  constexpr WholeRange range{.min = 0, .max = gpu_range.max};
  const auto requested = static_cast<GpuCount>(table.whole_number("gpu_num", range));
  if (requested == 0)
    return std::nullopt;
  TraceRow result{
      .job = rigid_job(table.name("job_id"), date_or_seconds(table, "submit_time"), requested),
      .profile = optional_name(table, "model_name")};
  result.job.speedup = curve(table, "model_name", result.profile, speedups);
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
       .columns = {.required = {"id", "submitted", "requested_gpus", "work_s"},
                   .optional = {"min_gpus",
                                "max_gpus",
                                "profile",
                                "gpu_type",
                                "queue",
                                "user",
                                "priority",
                                "deadline",
                                "virtual_cluster"}},
       .read_row = detail::read_voda},
      {.name = "itp",
       .summary = "Microsoft ITP clusters, 2021 (ElasticFlow): rigid jobs with a deadline",
       .columns = {.required = {"job_id", "submission_time", "num_gpu", "duration"},
                   .optional = {"num_iteration", "model_name", "deadline", "batch_size"}},
       .read_row = detail::read_itp},
      {.name = "pcs",
       .summary =
           "Philly virtual clusters as PCS publishes them: elastic from 1 GPU to the request",
       .columns = {.required = {"app_id", "submit_time", "service", "num_jobs"},
                   .optional = {"sleep_time", "model_name"}},
       .read_row = detail::read_pcs},
      {.name = "tiresias",
       .summary = "job files of the Tiresias simulator: rigid jobs",
       .columns = {.required = {"job_id", "num_gpu", "submit_time", "duration"},
                   .optional = {"iterations", "model_name", "interval"}},
       .read_row = detail::read_tiresias},
      {.name = "philly",
       .summary = "Microsoft Philly, 2017, as flattened by Pollux and ElasticFlow: rigid jobs",
       .columns = {.required = {"timestamp", "duration", "num_gpus"},
                   .optional = {"gpu_time", "cluster", "model_name"}},
       .read_row = detail::read_philly},
      {.name = "helios",
       .summary = "SenseTime Helios clusters, 2020 (HeliosData): rigid jobs with user and virtual "
                  "cluster; jobs on CPUs alone are counted and left out",
       .columns = {.required = {"job_id", "gpu_num", "submit_time", "duration"},
                   .optional = {"user",
                                "vc",
                                "cpu_num",
                                "node_num",
                                "state",
                                "start_time",
                                "end_time",
                                "queue",
                                "model_name"}},
       .read_row = detail::read_helios},
  };
}

}  // namespace voda

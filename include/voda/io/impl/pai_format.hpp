#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "voda/io/impl/trace_row.hpp"
#include "voda/io/trace_reader.hpp"

/// Alibaba PAI, 2020 (cluster-trace-gpu-v2020 of alibaba/clusterdata): the table of tasks and the
/// jobs of its simulator.
namespace voda::trace_formats_detail {

inline constexpr LeftOutRow without_end{.reason = "have no start or no end"};

/// GPUs of `instances` that ask for `gpus` each, of which the last one may be a part; 0 for none.
[[nodiscard]] inline GpuCount pai_size(const CsvTable& table,
                                       std::string_view column,
                                       double gpus,
                                       std::int64_t instances,
                                       TraceRow& result) {
  const double whole = std::ceil(gpus);
  const double total = unfused(whole * static_cast<double>(instances));
  if (total > gpu_range.max) {
    table.refuse(column, fmt::format("at most {} GPUs for all instances", gpu_range.max));
  }
  if (whole > gpus)
    result.remarks.emplace_back("ask for parts of GPUs and get whole ones");
  return static_cast<GpuCount>(total);
}

/// A type of GPU, unless the nodes have none that could be compared with it.
inline void set_pai_gpu_type(const CsvTable& table, const RowContext& context, TraceRow& result) {
  if (!table.has("gpu_type"))
    return;
  const std::string type = table.name("gpu_type");
  if (context.has_gpu_types) {
    result.job.spec.gpu_type = type;
  } else {
    result.remarks.emplace_back("name a GPU type, and no node does: any GPU will do");
  }
}

/// A row of the simulator's jobs: num_inst instances of num_gpu GPUs each.
[[nodiscard]] inline ReadRow read_pai_job(const CsvTable& table, const RowContext& context) {
  check_numbers(
      table,
      {"num_cpu", "num_pod", "wait_time", "user_dur", "user_gpu_dur", "group_dur", "group_gpu_dur"},
      any_range);
  const double gpus = table.has("num_gpu") ? table.number("num_gpu", {.min = 0, .max = 1e6}) : 0;
  const std::int64_t instances =
      table.has("num_inst") ? table.whole_number("num_inst", gpu_range) : 1;
  if (gpus == 0)
    return without_gpus;
  TraceRow result;
  const GpuCount size = pai_size(table, "num_gpu", gpus, instances, result);
  result.job = rigid_job(table.name("job_id"), time(table, "submit_time"), size);
  result.job.spec.user = optional_name(table, "user");
  set_pai_gpu_type(table, context, result);
  set_rigid_work(result.job, table, "duration");
  return result;
}

/// A row of the table of tasks: inst_num instances of plan_gpu hundredths of a GPU each.
[[nodiscard]] inline ReadRow read_pai_task(const CsvTable& table, const RowContext& context) {
  check_numbers(table, {"plan_cpu", "plan_mem"}, any_range);
  const double percent =
      table.has("plan_gpu") ? table.number("plan_gpu", {.min = 0, .max = 1e8}) : 0;
  if (percent == 0)
    return without_gpus;
  const std::int64_t instances = table.whole_number("inst_num", gpu_range);
  if (!table.has("start_time") || !table.has("end_time"))
    return without_end;
  const double start = table.number("start_time", time_range);
  const double end = table.number("end_time", time_range);
  if (end < start)
    table.refuse("end_time", fmt::format("an end not before start_time, {}", start));
  TraceRow result;
  const GpuCount size = pai_size(table, "plan_gpu", percent / 100, instances, result);
  result.job = rigid_job(fmt::format("{}/{}", table.name("job_name"), table.name("task_name")),
                         time(table, "start_time"),
                         size);
  set_pai_gpu_type(table, context, result);
  set_rigid_work(result.job, table, "end_time", end - start);
  return result;
}

[[nodiscard]] inline ReadRow read_pai(const CsvTable& table, const RowContext& context) {
  return table.first_column() == "job_id" ? read_pai_job(table, context)
                                          : read_pai_task(table, context);
}

[[nodiscard]] inline std::vector<CsvSchema> pai_schemas() {
  const std::vector<std::string_view> task_columns{"job_name",
                                                   "task_name",
                                                   "inst_num",
                                                   "status",
                                                   "start_time",
                                                   "end_time",
                                                   "plan_cpu",
                                                   "plan_mem",
                                                   "plan_gpu",
                                                   "gpu_type"};
  return {{.required = {"job_id", "num_gpu", "submit_time", "duration"},
           .optional = {"num_inst",
                        "num_pod",
                        "num_cpu",
                        "gpu_type",
                        "user",
                        "group",
                        "wait_time",
                        "user_dur",
                        "user_gpu_dur",
                        "group_dur",
                        "group_gpu_dur",
                        "inst_id",
                        "status"}},
          {.required = task_columns, .headerless = {task_columns}}};
}

[[nodiscard]] inline TraceFormat pai_format() {
  return {.name = "pai",
          .summary =
              "Alibaba PAI, 2020 (cluster-trace-gpu-v2020): pai_task_table.csv, or the jobs of "
              "its simulator; rigid, parts of GPUs become whole ones",
          .schemas = pai_schemas(),
          .read_row = read_pai};
}

}  // namespace voda::trace_formats_detail

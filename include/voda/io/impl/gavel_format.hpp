#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "voda/io/impl/measured_names.hpp"
#include "voda/io/impl/trace_row.hpp"
#include "voda/io/trace_reader.hpp"
#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/model/number_text.hpp"

/// Traces of Gavel (parse_trace() in scheduler/utils.py of stanford-futuredata/gavel).
namespace voda::trace_formats_detail {

/// What was measured of the job type; refuses a type or a number of GPUs without measurement.
[[nodiscard]] inline const MeasuredModel& gavel_model(const CsvTable& table,
                                                      const MeasuredModels& models,
                                                      const std::string& job_type,
                                                      GpuCount size) {
  const auto model = models.find(job_type);
  if (model == models.end()) {
    table.refuse("job_type",
                 fmt::format("a job type of the throughputs: {}", measured_names(models)));
  }
  if (!model->second.values.contains(size)) {
    table.refuse("scale_factor",
                 fmt::format("a number that the throughputs of '{}' have: {}",
                             shown(job_type),
                             measured_counts(model->second)));
  }
  return model->second;
}

/// An SLO below 0 is none; otherwise the job is to be done within SLO times its duration.
inline void set_gavel_deadline(const CsvTable& table, double duration_s, Job& job) {
  if (!table.has("SLO"))
    return;
  const double slo = table.number("SLO", any_range);
  if (slo < 0)
    return;
  const double deadline = unfused(slo * duration_s) + to_seconds(job.submitted);
  if (!(deadline <= max_seconds))
    table.refuse("SLO", fmt::format("one whose deadline is at most {:g} s", max_seconds));
  job.spec.deadline = time_from_seconds(deadline, "SLO");
}

/// Steps of a job type on scale_factor GPUs; ids are the numbers of the rows, as Gavel gives them.
[[nodiscard]] inline ReadRow read_gavel(const CsvTable& table, const RowContext& context) {
  static_cast<void>(table.whole_number("needs_data_dir", {.min = 0, .max = 1}));
  const WholeRange range{.min = 0, .max = gpu_range.max};
  const auto size = static_cast<GpuCount>(table.whole_number("scale_factor", range));
  if (size == 0)
    return without_gpus;
  TraceRow result{
      .job = rigid_job(fmt::format("{}", context.row), time(table, "arrival_time"), size),
      .profile = table.name("job_type")};
  if (table.has("priority_weight") && table.number("priority_weight", any_range) != 1)
    result.remarks.emplace_back("have a priority_weight other than 1, which is not kept");
  const MeasuredModel& model = gavel_model(table, *context.throughputs, result.profile, size);
  const auto steps = table.whole_number("total_steps", {.min = 0});
  const double duration_s = static_cast<double>(steps) / model.values.at(size);
  result.job.speedup = model.speedup;
  set_rigid_work(result.job, table, "total_steps", duration_s);
  set_gavel_deadline(table, duration_s, result.job);
  return result;
}

/// Version after version, columns were added and moved.
[[nodiscard]] inline CsvSchema gavel_schema() {
  return {.required = {"job_type",
                       "command",
                       "num_steps_arg",
                       "needs_data_dir",
                       "total_steps",
                       "scale_factor",
                       "arrival_time"},
          .optional = {"working_directory", "priority_weight", "SLO"},
          .headerless = {{"job_type",
                          "command",
                          "num_steps_arg",
                          "needs_data_dir",
                          "total_steps",
                          "arrival_time",
                          "scale_factor"},
                         {"job_type",
                          "command",
                          "num_steps_arg",
                          "needs_data_dir",
                          "total_steps",
                          "scale_factor",
                          "priority_weight",
                          "SLO",
                          "arrival_time"},
                         {"job_type",
                          "command",
                          "working_directory",
                          "num_steps_arg",
                          "needs_data_dir",
                          "total_steps",
                          "scale_factor",
                          "priority_weight",
                          "SLO",
                          "arrival_time"}}};
}

/// What was measured on the GPUs of the cluster: of the type that its nodes name, or of the only
/// type that there is.
[[nodiscard]] inline const MeasuredModels* throughputs_of_cluster(const TraceOptions& options) {
  if (!options.throughputs)
    return nullptr;
  const auto& by_type = *options.throughputs;
  std::vector<std::string> named = options.gpu_types;
  std::erase(named, "");
  const bool has_type = named.size() == 1 && named.size() == options.gpu_types.size();
  if (!has_type && by_type.size() == 1)
    return &by_type.begin()->second;
  const auto found = has_type ? by_type.find(named.front()) : by_type.end();
  if (found != by_type.end())
    return &found->second;
  std::vector<std::string> known;
  known.reserve(by_type.size());
  for (const auto& entry : by_type)
    known.push_back(entry.first);
  throw InvalidInput(fmt::format(
      "the throughputs are of the GPU types {}, and the cluster has {}; expected a cluster of one "
      "of these types, as in --cluster 8x4:v100",
      shown(fmt::format("{}", fmt::join(known, ", "))),
      named.empty() ? "none" : shown(fmt::format("{}", fmt::join(options.gpu_types, ", ")))));
}

[[nodiscard]] inline TraceFormat gavel_format() {
  return {.name = "gavel",
          .summary =
              "traces of Gavel: rigid jobs of so many steps, of which the throughputs must be "
              "given",
          .schemas = {gavel_schema()},
          .read_row = read_gavel,
          .syntax = CellSyntax::tabs,
          .measured = Measured::throughputs};
}

}  // namespace voda::trace_formats_detail

#pragma once

#include <string>

#include <fmt/format.h>

#include "voda/io/impl/measured_names.hpp"
#include "voda/io/impl/trace_row.hpp"
#include "voda/io/trace_reader.hpp"

/// Workloads of the Pollux simulator (simulator/workloads of petuum/adaptdl).
namespace voda::trace_formats_detail {

/// Takes speedup and work from the run times of the application at its batch size.
inline void set_measured_work(const CsvTable& table,
                              const MeasuredModels* run_times,
                              TraceRow& result) {
  if (run_times == nullptr) {
    table.refuse("application",
                 "its run times, which the trace does not tell (--run-times FILE), or a column "
                 "'duration'");
  }
  const auto model = run_times->find(result.profile);
  if (model == run_times->end()) {
    table.refuse("application",
                 fmt::format("one of the run times; '{}' is none of {}",
                             shown(result.profile),
                             measured_names(*run_times)));
  }
  const auto run_time = model->second.values.find(result.job.spec.requested_gpus);
  if (run_time == model->second.values.end()) {
    table.refuse("num_replicas",
                 fmt::format("a number that the run times of '{}' have: {}",
                             shown(result.profile),
                             measured_counts(model->second)));
  }
  result.job.speedup = model->second.speedup;
  set_rigid_work(result.job, table, "num_replicas", run_time->second);
}

[[nodiscard]] inline ReadRow read_pollux(const CsvTable& table, const RowContext& context) {
  const std::string application = table.name("application");
  const auto batch = table.whole_number("batch_size", {.min = 1});
  TraceRow result{
      .job = rigid_job(table.name("name"), time(table, "time"), gpus(table, "num_replicas")),
      .profile = fmt::format("{}/{}", application, batch)};
  if (!table.has("duration")) {
    set_measured_work(table, context.run_times, result);
    return result;
  }
  if (context.speedups != nullptr && !context.speedups->contains(result.profile))
    result.profile = application;
  result.job.speedup = curve(table, "application", result.profile, context.speedups);
  set_rigid_work(result.job, table, "duration");
  return result;
}

[[nodiscard]] inline CsvSchema pollux_schema() {
  return {.required = {"name", "time", "application", "num_replicas", "batch_size"},
          .optional = {"duration"}};
}

[[nodiscard]] inline TraceFormat pollux_format() {
  return {.name = "pollux",
          .summary =
              "workloads of the Pollux simulator (petuum/adaptdl): rigid jobs of applications "
              "of which the run times must be given",
          .schemas = {pollux_schema()},
          .read_row = read_pollux,
          .measured = Measured::run_times};
}

}  // namespace voda::trace_formats_detail

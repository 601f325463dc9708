#pragma once

#include <initializer_list>
#include <limits>
#include <ranges>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "voda/io/trace_reader.hpp"
#include "voda/model/error.hpp"
#include "voda/model/exact.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda::trace_formats_detail {

inline constexpr WholeRange gpu_range{.min = 1, .max = std::numeric_limits<GpuCount>::max()};
inline constexpr RealRange time_range{.min = -max_seconds, .max = max_seconds};
inline constexpr RealRange length_range{.min = 0, .max = max_seconds};
inline constexpr RealRange any_range{.min = -1e18, .max = 1e18};

/// A row of a job on CPUs alone.
inline constexpr LeftOutRow without_gpus{.reason = "ask for no GPU"};

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
  table.refuse(column,
               fmt::format("a profile of the speedup file: {}{}",
                           known,
                           did_you_mean(profile, std::views::keys(*speedups))));
}

inline void set_work(Job& job, double work_s) {
  job.work = RemainingWork{.left_s = work_s, .since = job.submitted};
}

/// Work of a job that ran `duration_s`, which `column` tells, at its requested size: duration *
/// S(requested).
inline void set_rigid_work(Job& job,
                           const CsvTable& table,
                           std::string_view column,
                           double duration_s) {
  const double work_s = unfused(duration_s * job.speedup(job.spec.requested_gpus));
  if (!(work_s <= max_seconds)) {
    table.refuse(column,
                 fmt::format("a time whose work on one GPU is at most {:g} s", max_seconds));
  }
  set_work(job, work_s);
}

/// The same of a column that holds the duration.
inline void set_rigid_work(Job& job, const CsvTable& table, std::string_view column) {
  set_rigid_work(job, table, column, table.number(column, length_range));
}

[[nodiscard]] inline Job rigid_job(std::string id, TimePoint submitted, GpuCount requested) {
  return {.id = JobId{std::move(id)},
          .submitted = submitted,
          .spec = {.min_gpus = requested, .requested_gpus = requested, .max_gpus = requested}};
}

/// Columns that are not used must still be numbers.
inline void check_numbers(const CsvTable& table,
                          std::initializer_list<std::string_view> columns,
                          RealRange range = length_range) {
  for (const std::string_view column : columns) {
    if (table.has(column))
      static_cast<void>(table.number(column, range));
  }
}

}  // namespace voda::trace_formats_detail

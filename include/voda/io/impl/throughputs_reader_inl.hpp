#pragma once

#include "voda/io/throughputs_reader.hpp"

#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "voda/io/csv.hpp"
#include "voda/io/impl/json_reader.hpp"
#include "voda/io/impl/measured_curve.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace throughputs_reader_detail {

struct JobType {
  std::string name{};
  GpuCount gpus = 0;
};

/// Reads "('ResNet-18 (batch size 64)', 2)"; nothing when it is no such text.
[[nodiscard]] inline std::optional<JobType> parse_job_type(std::string_view text) {
  constexpr std::string_view begin = "('";
  constexpr std::string_view middle = "', ";
  const std::size_t name_end = text.rfind(middle);
  if (!text.starts_with(begin) || !text.ends_with(')') || name_end == std::string_view::npos ||
      name_end <= begin.size())
    return std::nullopt;
  const std::string_view name = text.substr(begin.size(), name_end - begin.size());
  const std::size_t count_begin = name_end + middle.size();
  const auto count = parse_whole_number(text.substr(count_begin, text.size() - 1 - count_begin));
  if (!count || *count < 1 || *count > std::numeric_limits<GpuCount>::max() ||
      has_control_characters(name))
    return std::nullopt;
  return JobType{.name = std::string(name), .gpus = static_cast<GpuCount>(*count)};
}

/// Adds what a job type does by itself.
inline void add_job_type(MeasuredModels& models,
                         const std::string& key,
                         const json_detail::Cursor& member) {
  const auto type = parse_job_type(key);
  if (!type)
    member.fail("unknown key; expected a job type like ('ResNet-18 (batch size 64)', 1)");
  double speed = 0;
  member.for_each_member([&speed](const std::string& other, const json_detail::Cursor& value) {
    if (other == "null")
      speed = value.number({.min = 0, .max = 1e12});
  });
  if (speed == 0)
    return;
  if (!models[type->name].values.emplace(type->gpus, speed).second)
    member.fail("a job type and count that are there twice; expected them once");
}

[[nodiscard]] inline MeasuredModels read_models(const json_detail::Cursor& cursor) {
  MeasuredModels models;
  cursor.for_each_member([&models](const std::string& key, const json_detail::Cursor& member) {
    add_job_type(models, key, member);
  });
  for (auto& [name, model] : models) {
    try {
      model.speedup = measured_curve_detail::scaled_curve(model.values);
    } catch (const InvalidInput& error) {
      cursor.fail(fmt::format("job type '{}': {}", shown(name), error.what()));
    }
  }
  return models;
}

}  // namespace throughputs_reader_detail

VODA_INLINE Throughputs read_throughputs(std::string_view text, const std::string& source) {
  const auto document = json_detail::parse(text, source);
  Throughputs result;
  json_detail::Cursor(document, source)
      .for_each_named("type of GPU",
                      [&result](const std::string& type, const json_detail::Cursor& models) {
                        result.emplace(type, throughputs_reader_detail::read_models(models));
                      });
  return result;
}

VODA_INLINE Throughputs read_throughputs_file(const std::filesystem::path& path) {
  return read_throughputs(read_text_file(path), path.string());
}

VODA_INLINE MeasuredModels read_run_times(std::string_view text, const std::string& source) {
  constexpr std::int64_t most = std::numeric_limits<GpuCount>::max();
  std::istringstream in{std::string(text)};
  CsvTable table(
      in, source, {.required = {"application", "batch_size", "num_replicas", "run_time_s"}});
  MeasuredModels result;
  while (table.next()) {
    const auto batch = table.whole_number("batch_size", {.min = 1});
    const auto gpus =
        static_cast<GpuCount>(table.whole_number("num_replicas", {.min = 1, .max = most}));
    const double run_time = table.number("run_time_s", {.min = 1e-6, .max = max_seconds});
    MeasuredModel& model = result[fmt::format("{}/{}", table.name("application"), batch)];
    if (!model.values.emplace(gpus, run_time).second)
      table.refuse("num_replicas", "a number that this batch size has not been given yet");
  }
  for (auto& [name, model] : result) {
    try {
      model.speedup = SpeedupCurve(measured_curve_detail::speeds_of_times(model.values));
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{}: '{}': {}", source, shown(name), error.what()));
    }
  }
  return result;
}

VODA_INLINE MeasuredModels read_run_times_file(const std::filesystem::path& path) {
  return read_run_times(read_text_file(path), path.string());
}

}  // namespace voda

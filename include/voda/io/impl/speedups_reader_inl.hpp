#pragma once

#include "voda/io/speedups_reader.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <ostream>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "voda/io/csv.hpp"
#include "voda/io/impl/curve_json.hpp"
#include "voda/io/impl/measured_curve.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace speedups_reader_detail {

inline constexpr WholeRange count_range{.min = 1, .max = std::numeric_limits<GpuCount>::max()};

[[nodiscard]] inline bool is_speed(double value) {
  return value >= SpeedupCurve::smallest_speed && value <= SpeedupCurve::largest_speed;
}

/// The rows of one model.
struct MeasuredModel {
  std::map<GpuCount, double> values{};
  std::map<GpuCount, std::size_t> lines{};  // where each value stands
};

/// Throws InvalidInput with the line of the first speed that no curve may have.
inline void check_speeds(const std::map<GpuCount, double>& speeds,
                         const MeasuredModel& model,
                         const std::string& name,
                         const std::string& source) {
  for (const auto& [gpus, speed] : speeds) {
    if (is_speed(speed))
      continue;
    throw InvalidInput(
        fmt::format("{}:{}: model '{}' at {} GPUs: its speed is {} times that of one GPU; expected "
                    "a number from 2^-24 to 2^20",
                    source,
                    model.lines.at(gpus),
                    shown(name),
                    gpus,
                    speed));
  }
}

/// Adds a profile; `where` names it in messages.
template <class Make>
void add(Profiles& profiles, const std::string& name, const std::string& source, Make make) {
  try {
    const bool is_new = profiles.emplace(name, make()).second;
    if (!is_new)
      throw InvalidInput("its name is taken; expected unique names");
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: profile '{}': {}", source, shown(name), error.what()));
  }
}

/// Rows of one model and count each.
[[nodiscard]] inline Profiles read_rows(CsvReader reader, std::string_view value_column) {
  const std::string source = reader.source();
  CsvTable table(std::move(reader), {.required = {"model", "gpus", value_column}});
  const bool are_speeds = value_column == "speedup";
  constexpr double largest = 1e15;
  const RealRange value_range =  // speeds have a narrower range, but a message of their own
      are_speeds ? RealRange{.min = -largest, .max = largest}
                 : RealRange{.min = 1e-12, .max = largest};
  std::map<std::string, MeasuredModel> models;
  while (table.next()) {
    const std::string name = table.name("model");
    const auto gpus = static_cast<GpuCount>(table.whole_number("gpus", count_range));
    const double value = table.number(value_column, value_range);
    if (are_speeds && !is_speed(value))
      table.refuse(value_column, "a number from 2^-24 to 2^20");
    MeasuredModel& model = models[name];
    if (!model.values.emplace(gpus, value).second) {
      table.refuse("gpus",
                   fmt::format("a count that model '{}' has not been given yet", shown(name)));
    }
    model.lines.emplace(gpus, table.reader().line());
  }
  Profiles result;
  for (const auto& [name, model] : models) {
    const auto speeds =
        are_speeds ? model.values : measured_curve_detail::speeds_of_times(model.values);
    check_speeds(speeds, model, name, source);
    result.emplace(name, SpeedupCurve(speeds));
  }
  return result;
}

/// GPU counts of the header of a table by batch size.
[[nodiscard]] inline std::vector<GpuCount> header_counts(const CsvReader& reader) {
  std::vector<GpuCount> counts;
  for (const std::string& cell : reader.cells().subspan(1)) {
    const auto count = parse_whole_number(cell);
    if (!count || *count < count_range.min || *count > count_range.max) {
      reader.refuse(fmt::format("column '{}'; expected a number of GPUs", shown(cell)));
    }
    if (std::ranges::find(counts, *count) != counts.end()) {
      reader.refuse(fmt::format("column '{}' is there twice; expected it once", shown(cell)));
    }
    counts.push_back(static_cast<GpuCount>(*count));
  }
  if (counts.empty())
    reader.refuse("no column after global_batch_size; expected numbers of GPUs");
  return counts;
}

[[nodiscard]] inline std::map<GpuCount, double> read_throughputs(const CsvReader& reader,
                                                                 std::span<const GpuCount> counts) {
  const auto cells = reader.cells();
  if (cells.size() != counts.size() + 1) {
    reader.refuse(fmt::format("{} cells; expected {}", cells.size(), counts.size() + 1));
  }
  std::map<GpuCount, double> result;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string& cell = cells[i + 1];
    if (cell.empty() || cell == "nan" || cell == "NaN")
      continue;
    const auto value = parse_number(cell);
    if (!value || !(*value >= 0 && *value <= 1e15)) {
      reader.refuse(
          fmt::format("column '{}': '{}'; expected iterations per second from 0 to 1e+15, "
                      "nan or nothing",
                      counts[i],
                      shown(cell)));
    }
    if (*value > 0)
      result.emplace(counts[i], *value);
  }
  return result;
}

/// Rows of one batch size each, columns by GPU count.
[[nodiscard]] inline Profiles read_batches(CsvReader reader, const std::string& model) {
  const auto counts = header_counts(reader);
  Profiles result;
  while (reader.next()) {
    const std::string text = reader.cells()[0];
    const auto batch = parse_whole_number(text);
    if (!batch || *batch < 1) {
      reader.refuse(fmt::format("column 'global_batch_size': '{}'; expected a whole number >= 1",
                                shown(text)));
    }
    const auto speeds = read_throughputs(reader, counts);
    if (speeds.empty())
      reader.refuse(fmt::format("batch {}: nothing is measured; expected a number", *batch));
    const std::string where = fmt::format("{}:{}", reader.source(), reader.line());
    add(result, fmt::format("{}/{}", model, *batch), where, [&] {
      return measured_curve_detail::scaled_curve(speeds);
    });
  }
  return result;
}

[[nodiscard]] inline Profiles read_csv(std::string_view text, const std::string& source) {
  std::istringstream in{std::string(text)};
  CsvReader reader(in, source);
  if (!reader.next())
    reader.refuse("the file is empty; expected speedups");
  const auto cells = reader.cells();
  if (cells[0] == "global_batch_size") {
    return read_batches(std::move(reader), std::filesystem::path(source).stem().string());
  }
  const auto has = [cells](std::string_view name) {
    return std::ranges::find(cells, name) != cells.end();
  };
  if (has("us_per_iteration"))
    return read_rows(std::move(reader), "us_per_iteration");
  if (has("speedup"))
    return read_rows(std::move(reader), "speedup");
  reader.refuse(
      fmt::format("header '{}'; expected model,gpus,us_per_iteration or model,gpus,speedup "
                  "or global_batch_size,1,2,...",
                  shown(fmt::format("{}", fmt::join(cells, ",")))));
}

[[nodiscard]] inline Profiles read_json(std::string_view text, const std::string& source) {
  const auto document = json_detail::parse(text, source);
  Profiles result;
  json_detail::Cursor(document, source)
      .for_each_named("profile",
                      [&result](const std::string& name, const json_detail::Cursor& curve) {
                        result.emplace(name, json_detail::read_curve(curve));
                      });
  return result;
}

[[nodiscard]] inline std::vector<std::filesystem::path> speedup_files(
    const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const auto extension = entry.path().extension();
    if (extension == ".csv" || extension == ".json")
      files.push_back(entry.path());
  }
  if (files.empty()) {
    throw InvalidInput(
        fmt::format("{}: no *.csv or *.json file in it; expected speedups", directory.string()));
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace speedups_reader_detail

VODA_INLINE Profiles read_speedups(std::string_view text, const std::string& source) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != std::string_view::npos && text[first] == '{') {
    return speedups_reader_detail::read_json(text, source);
  }
  return speedups_reader_detail::read_csv(text, source);
}

VODA_INLINE Profiles read_speedups_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) {
    return read_speedups(read_text_file(path), path.string());
  }
  Profiles result;
  for (const auto& file : speedups_reader_detail::speedup_files(path)) {
    for (const auto& entry : read_speedups(read_text_file(file), file.string())) {
      speedups_reader_detail::add(result, entry.first, file.string(), [&] { return entry.second; });
    }
  }
  return result;
}

VODA_INLINE void write_speedups(std::ostream& out, const Profiles& profiles) {
  for (const auto& [name, curve] : profiles) {
    if (curve.has_span_factors() || curve.points().empty()) {
      throw InvalidInput(
          fmt::format("profile '{}' cannot be written as rows; expected points and no span factors",
                      shown(name)));
    }
  }
  out << "model,gpus,speedup\n";
  for (const auto& [name, curve] : profiles) {
    for (const auto& [gpus, speed] : curve.points()) {
      out << fmt::format("{},{},{}\n", csv_cell(name), gpus, speed);
    }
  }
  out.flush();
  if (!out)
    throw Error("the speedups could not be written to their end; expected room for them");
}

}  // namespace voda

#include "command_line/table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "command_line/result_sheet.hpp"

namespace voda::command_line {
namespace {

struct TimeUnit {
  std::string_view name{};
  double seconds = 1;
};

constexpr std::array<TimeUnit, 6> time_units{{{.name = "us", .seconds = 1e-6},
                                              {.name = "ms", .seconds = 1e-3},
                                              {.name = "s", .seconds = 1},
                                              {.name = "min", .seconds = 60},
                                              {.name = "h", .seconds = 3600},
                                              {.name = "d", .seconds = 86400}}};

/// The largest unit in which the median value is at least 2, so that most cells have few but enough
/// digits.
TimeUnit unit_for(std::vector<double> seconds) {
  std::erase_if(seconds, [](double value) { return std::isnan(value); });
  if (seconds.empty())
    return time_units[2];
  std::ranges::sort(seconds);
  const double typical = seconds[seconds.size() / 2];
  TimeUnit result = typical > 0 ? time_units.front() : time_units[2];
  for (const TimeUnit& unit : time_units) {
    if (typical >= 2 * unit.seconds)
      result = unit;
  }
  return result;
}

/// As many decimals as give the smallest value above 0 about three digits, at most two.
int decimals_for(const std::vector<double>& values) {
  double smallest = 0;
  for (const double value : values) {
    if (value > 0 && (smallest <= 0 || value < smallest))
      smallest = value;
  }
  if (smallest <= 0 || smallest >= 100)
    return 0;
  return smallest >= 10 ? 1 : 2;
}

std::vector<std::string> formatted(const std::vector<double>& values, int decimals) {
  std::vector<std::string> result;
  result.reserve(values.size());
  for (const double value : values)
    result.push_back(std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals));
  return result;
}

ShownColumn text_of(const Column& column) {
  switch (column.quantity) {
    case Quantity::count:
      return {.header = column.header, .cells = formatted(column.values, 0)};
    case Quantity::ratio:
      return {.header = column.header, .cells = formatted(column.values, 2)};
    case Quantity::percent: {
      std::vector<double> values = column.values;
      for (double& value : values)
        value *= 100;
      return {.header = column.header + " %", .cells = formatted(values, 1)};
    }
    case Quantity::seconds:
      break;
  }
  const TimeUnit unit = unit_for(column.values);
  std::vector<double> values = column.values;
  for (double& value : values)
    value /= unit.seconds;
  return {.header = fmt::format("{} {}", column.header, unit.name),
          .cells = formatted(values, decimals_for(values))};
}

/// Marks the cells that show the best value, unless all show the same.
std::vector<bool> best_cells(const Column& column, const std::vector<std::string>& cells) {
  std::vector<bool> result(cells.size());
  const auto is_better = [&column](double a, double b) {
    return std::isnan(b) || (column.best == Best::smallest ? a < b : a > b);
  };
  std::size_t best = 0;
  for (std::size_t row = 1; row < cells.size(); ++row) {
    if (is_better(column.values[row], column.values[best]))
      best = row;
  }
  if (cells.empty() || std::isnan(column.values[best]))
    return result;
  const std::string& shown_best = cells[best];
  const auto is_best = [&shown_best](const std::string& cell) { return cell == shown_best; };
  if (std::ranges::all_of(cells, is_best))
    return result;
  for (std::size_t row = 0; row < cells.size(); ++row)
    result[row] = is_best(cells[row]);
  return result;
}

std::string spaces(std::size_t width, std::string_view text) {
  const std::size_t used = width_of(text);
  std::string result;
  result.append(width > used ? width - used : 0, ' ');
  return result;
}

std::size_t widest(std::string_view header, const std::vector<std::string>& cells) {
  std::size_t result = width_of(header);
  for (const std::string& cell : cells)
    result = std::max(result, width_of(cell));
  return result;
}

}  // namespace

ShownColumn shown_column(const Column& column) {
  ShownColumn result = text_of(column);
  result.is_best = best_cells(column, result.cells);
  return result;
}

std::string table_text(const std::string& name_header,
                       const std::vector<std::string>& names,
                       const std::vector<Column>& columns,
                       const Style& style) {
  std::vector<std::string> lines;
  const std::size_t name_width = widest(name_header, names);
  lines.push_back(name_header + spaces(name_width, name_header));
  for (const std::string& name : names)
    lines.push_back(name + spaces(name_width, name));
  for (const Column& column : columns) {
    ShownColumn text = shown_column(column);
    text.header += ' ';
    for (std::size_t row = 0; row < text.cells.size(); ++row)
      text.cells[row] += text.is_best[row] ? '*' : ' ';
    const std::size_t width = widest(text.header, text.cells);
    lines.front() += " " + spaces(width, text.header) + text.header;
    for (std::size_t row = 0; row < text.cells.size(); ++row) {
      const std::string& cell = text.cells[row];
      lines[row + 1] += " " + spaces(width, cell);
      lines[row + 1] += cell.ends_with('*') ? style(Emphasis::best, cell) : cell;
    }
  }
  for (std::string& line : lines)
    line.erase(line.find_last_not_of(' ') + 1);
  std::string result = style(Emphasis::heading, lines.front()) + "\n";
  for (std::size_t row = 1; row < lines.size(); ++row)
    result += lines[row] + "\n";
  return result;
}

}  // namespace voda::command_line

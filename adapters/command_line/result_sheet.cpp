#include "command_line/result_sheet.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "voda/io/csv.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

/// Length of the character at the front: a lead byte and its continuation bytes, not more than four.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  if (static_cast<unsigned char>(text[0]) < 0x80)
    return length;
  while (length < std::min<std::size_t>(4, text.size()) &&
         (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
    ++length;
  }
  return length;
}

std::string cell_text(const Json& cell) {
  return cell.is_string() ? cell.get<std::string>() : cell.is_null() ? "" : cell.dump();
}

std::vector<std::size_t> shown_columns(const ResultSheet& sheet, Detail detail) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
    if (detail == Detail::wide || sheet.columns[i].detail == Detail::always)
      result.push_back(i);
  }
  return result;
}

/// A column of a table as text.
struct TextColumn {
  std::vector<std::string> cells{};
  std::size_t width = 0;
  bool is_number = true;  // aligned on the right
};

TextColumn text_column(const ResultSheet& sheet, std::size_t at) {
  TextColumn result{.width = width_of(sheet.columns[at].name)};
  for (const auto& row : sheet.rows) {
    const Json& cell = row[at];
    result.cells.push_back(cell.is_null() ? "-" : escaped(cell_text(cell)));
    result.width = std::max(result.width, width_of(result.cells.back()));
    result.is_number = result.is_number && (cell.is_null() || cell.is_number());
  }
  return result;
}

std::string aligned(const TextColumn& column, std::string_view text) {
  const std::string spaces(column.width - width_of(text), ' ');
  return column.is_number ? spaces + std::string(text) : std::string(text) + spaces;
}

std::string without_end(std::string line) {
  return line.erase(line.find_last_not_of(' ') + 1);
}

/// The members of an object by their paths.
void flatten(const Json& object,
             const std::string& path,
             std::vector<std::pair<std::string, Json>>& into) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object())
      flatten(value, path + key + ".", into);
    else
      into.emplace_back(path + key, value);
  }
}

}  // namespace

std::size_t width_of(std::string_view text) {
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  };
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, character_length(text));
    text.remove_prefix(character.size());
    if (character == "?" || shown(character).find('?') == std::string::npos) {
      result += character;
      continue;
    }
    for (const char byte : character)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  return result;
}

std::string table_text(const ResultSheet& sheet, Detail detail, const Style& style) {
  std::vector<std::string> lines(sheet.rows.size() + 1);
  for (const std::size_t at : shown_columns(sheet, detail)) {
    const TextColumn column = text_column(sheet, at);
    const std::string gap = lines.front().empty() ? "" : "  ";
    lines.front() += gap + aligned(column, sheet.columns[at].name);
    for (std::size_t row = 0; row < sheet.rows.size(); ++row)
      lines[row + 1] += gap + aligned(column, column.cells[row]);
  }
  std::string result = style(Emphasis::heading, without_end(lines.front())) + "\n";
  for (std::size_t row = 1; row < lines.size(); ++row)
    result += without_end(lines[row]) + "\n";
  return sheet.note.empty() ? result : result + "\n" + sheet.note + "\n";
}

std::string csv_text(const ResultSheet& sheet) {
  std::vector<std::string> cells;
  cells.reserve(sheet.columns.size());
  for (const SheetColumn& column : sheet.columns)
    cells.push_back(csv_cell(column.name));
  std::string result = fmt::format("{}\n", fmt::join(cells, ","));
  for (const auto& row : sheet.rows) {
    cells.clear();
    for (const Json& cell : row)
      cells.push_back(csv_cell(cell_text(cell)));
    result += fmt::format("{}\n", fmt::join(cells, ","));
  }
  return result;
}

ResultSheet flattened(const std::vector<Json>& objects) {
  ResultSheet result;
  for (const Json& object : objects) {
    std::vector<std::pair<std::string, Json>> members;
    flatten(object, "", members);
    std::vector<Json> row(result.columns.size());
    for (auto& [path, value] : members) {
      const auto found = std::ranges::find(result.columns, path, &SheetColumn::name);
      const auto at = static_cast<std::size_t>(found - result.columns.begin());
      if (found == result.columns.end()) {
        result.columns.push_back({.name = path});
        row.emplace_back();
      }
      row[at] = std::move(value);
    }
    result.rows.push_back(std::move(row));
  }
  for (auto& row : result.rows)
    row.resize(result.columns.size());
  return result;
}

}  // namespace voda::command_line

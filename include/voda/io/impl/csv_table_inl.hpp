#pragma once

#include <algorithm>
#include <istream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "voda/io/csv.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda {

VODA_INLINE CsvTable::CsvTable(std::istream& in, std::string source, CsvSchema schema)
    : CsvTable(in, std::move(source), std::vector<CsvSchema>{std::move(schema)}) {}

VODA_INLINE CsvTable::CsvTable(CsvReader reader, CsvSchema schema)
    : reader_(std::move(reader)), schemas_{std::move(schema)} {
  bind_header();
}

VODA_INLINE CsvTable::CsvTable(std::istream& in,
                               std::string source,
                               std::vector<CsvSchema> schemas,
                               CellSyntax syntax)
    : reader_(in, std::move(source), syntax), schemas_(std::move(schemas)) {
  const bool needs_header = std::ranges::all_of(
      schemas_, [](const CsvSchema& schema) { return schema.headerless.empty(); });
  if (reader_.is_at_end() || (needs_header && !reader_.next()))
    reader_.refuse(fmt::format("the file is empty; expected {}", expected_first_row()));
  if (needs_header)
    bind_header();
}

VODA_INLINE std::string_view CsvTable::first_column() const {
  return schemas_[schema_].required.front();
}

/// What the first row may be.
VODA_INLINE std::string CsvTable::expected_first_row() const {
  std::vector<std::string> forms;
  forms.reserve(schemas_.size());
  for (const CsvSchema& schema : schemas_) {
    forms.push_back(fmt::format("a header with the columns {}", fmt::join(schema.required, ", ")));
  }
  for (const CsvSchema& schema : schemas_) {
    for (const auto& columns : schema.headerless)
      forms.push_back(fmt::format("{} cells", columns.size()));
  }
  return fmt::format("{}", fmt::join(forms, ", or "));
}

/// Takes the row that was read as the header of the schema whose first column it has.
VODA_INLINE void CsvTable::bind_header() {
  for (std::size_t i = 0; i < schemas_.size(); ++i) {
    if (std::ranges::find(reader_.cells(), schemas_[i].required.front()) == reader_.cells().end())
      continue;
    schema_ = i;
    break;
  }
  bind_columns();
}

/// True when the row that was read is a header and no row of the table.
VODA_INLINE bool CsvTable::bind_first_row() {
  const auto cells = reader_.cells();
  for (const CsvSchema& schema : schemas_) {
    if (std::ranges::find(cells, schema.required.front()) == cells.end())
      continue;
    has_bad_header_ = true;
    bind_header();
    has_bad_header_ = false;
    return true;
  }
  for (std::size_t i = 0; i < schemas_.size(); ++i) {
    for (const auto& columns : schemas_[i].headerless) {
      if (columns.size() != cells.size())
        continue;
      schema_ = i;
      header_.assign(columns.begin(), columns.end());
      has_header_ = false;
      return false;
    }
  }
  reader_.refuse(fmt::format("{} cells; expected {}", cells.size(), expected_first_row()));
}

VODA_INLINE void CsvTable::check_header_name(std::string_view name, std::size_t at) const {
  const CsvSchema& schema = schemas_[schema_];
  const bool is_known = std::ranges::find(schema.required, name) != schema.required.end() ||
                        std::ranges::find(schema.optional, name) != schema.optional.end();
  if (!is_known) {
    auto known = schema.required;
    known.insert(known.end(), schema.optional.begin(), schema.optional.end());
    reader_.refuse(fmt::format("unknown column '{}'; expected {}{}{}{}",
                               shown(name),
                               fmt::join(schema.required, ", "),
                               schema.optional.empty() ? "" : " and perhaps ",
                               fmt::join(schema.optional, ", "),
                               did_you_mean(name, known)));
  }
  const auto earlier = std::ranges::find(header_, name);
  if (earlier != header_.begin() + static_cast<std::ptrdiff_t>(at)) {
    reader_.refuse(fmt::format("column '{}' is there twice; expected it once", shown(name)));
  }
}

VODA_INLINE void CsvTable::bind_columns() {
  header_.assign(reader_.cells().begin(), reader_.cells().end());
  for (std::size_t at = 0; at < header_.size(); ++at)
    check_header_name(header_[at], at);
  for (const auto name : schemas_[schema_].required) {
    if (std::ranges::find(header_, name) != header_.end())
      continue;
    reader_.refuse(fmt::format("column '{}' is missing; found {}",
                               name,
                               shown(fmt::format("{}", fmt::join(header_, ", ")))));
  }
}

VODA_INLINE bool CsvTable::next() {
  if (has_bad_header_ || !reader_.next())
    return false;
  if (header_.empty() && bind_first_row())
    return next();
  if (reader_.cells().size() != header_.size()) {
    reader_.refuse(
        fmt::format("{} cells; expected {}, {}",
                    reader_.cells().size(),
                    header_.size(),
                    has_header_ ? "one for each column of the header" : "as many as before"));
  }
  return true;
}

VODA_INLINE const std::string* CsvTable::find(std::string_view column) const {
  const auto found = std::ranges::find(header_, column);
  if (found == header_.end() || reader_.cells().size() != header_.size())
    return nullptr;
  return &reader_.cells()[static_cast<std::size_t>(found - header_.begin())];
}

VODA_INLINE bool CsvTable::has(std::string_view column) const {
  const std::string* cell = find(column);
  return cell != nullptr && !cell->empty();
}

VODA_INLINE std::string_view CsvTable::text(std::string_view column) const {
  const std::string* cell = find(column);
  return cell == nullptr ? std::string_view() : std::string_view(*cell);
}

VODA_INLINE std::string CsvTable::name(std::string_view column) const {
  const std::string_view cell = text(column);
  if (cell.empty())
    refuse(column, "a name");
  if (has_control_characters(cell))
    refuse(column, "a name without control characters");
  return std::string(cell);
}

VODA_INLINE double CsvTable::number(std::string_view column, RealRange range) const {
  const auto value = parse_number(text(column));
  if (!value || !(*value >= range.min && *value <= range.max)) {
    refuse(column, fmt::format("a number from {} to {}", range.min, range.max));
  }
  return *value;
}

VODA_INLINE std::int64_t CsvTable::whole_number(std::string_view column, WholeRange range) const {
  const auto value = parse_whole_number(text(column));
  if (!value || *value < range.min || *value > range.max) {
    refuse(column, fmt::format("a whole number from {} to {}", range.min, range.max));
  }
  return *value;
}

VODA_INLINE void CsvTable::refuse(std::string_view column, std::string_view expected) const {
  reader_.refuse(
      fmt::format("column '{}': '{}'; expected {}", column, shown(text(column)), expected));
}

}  // namespace voda

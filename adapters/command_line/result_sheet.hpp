#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_line/json_text.hpp"
#include "command_line/style.hpp"

namespace voda::command_line {

/// When a column is shown.
enum class Detail : std::uint8_t { always, wide };

/// A column of a result; the name is the same in every format, with its unit.
struct SheetColumn {
  std::string name{};
  Detail detail = Detail::always;
};

/// A result as rows of cells, for tables and CSV. A null cell is missing: `-` in a table, empty in CSV.
struct ResultSheet {
  std::vector<SheetColumn> columns{};
  std::vector<std::vector<Json>> rows{};
  std::string note{};  // a line below the table
};

/// Aligned columns, numbers on the right, under their names; characters that a terminal obeys are shown as \xNN.
[[nodiscard]] std::string table_text(const ResultSheet& sheet, Detail detail, const Style& style);

/// All columns as RFC 4180 defines, but with LF at the end of a line, as all CSV of ours.
[[nodiscard]] std::string csv_text(const ResultSheet& sheet);

/// One row for each object, one column for each member; those of members go by their path: `jct_s.mean`.
[[nodiscard]] ResultSheet flattened(const std::vector<Json>& objects);

/// A text for a terminal: characters that it would obey instead of showing them, and bytes that are no UTF-8, become \xNN.
[[nodiscard]] std::string escaped(std::string_view text);

/// Characters of a UTF-8 text.
[[nodiscard]] std::size_t width_of(std::string_view text);

}  // namespace voda::command_line

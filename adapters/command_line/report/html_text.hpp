#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_line/table.hpp"

namespace voda::command_line {

/// Any bytes as text of an HTML element or attribute: markup is escaped; control characters, broken
/// UTF-8 and what changes the direction of the text around it become U+FFFD.
[[nodiscard]] std::string html_text(std::string_view text);

/// A name that may be written in any direction, kept apart from the text around it.
[[nodiscard]] std::string html_name(std::string_view name);

/// What a table of the page holds besides its rows.
struct TableHead {
  std::string_view caption{};
  std::string_view name_header{};
};

/// A table with a row for each name; the best cells of each column are marked.
[[nodiscard]] std::string html_table(const TableHead& head,
                                     const std::vector<std::string>& names,
                                     const std::vector<Column>& columns);

}  // namespace voda::command_line

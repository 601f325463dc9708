#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "command_line/style.hpp"

namespace voda::command_line {

/// Which value of a column of numbers is the best.
enum class Best : std::uint8_t { smallest, largest };

/// What the numbers of a column are, and so how they are written.
enum class Quantity : std::uint8_t {
  count,    // whole numbers
  seconds,  // one unit for the whole column, named in its header
  percent,  // shares of 1
  ratio     // two decimals
};

/// A column of numbers, one per row.
struct Column {
  std::string header{};
  Quantity quantity = Quantity::count;
  Best best = Best::smallest;
  std::vector<double> values{};
};

/// A column as people see it.
struct ShownColumn {
  std::string header{};              // with the unit
  std::vector<std::string> cells{};  // "-" for a missing value (NaN)
  std::vector<bool> is_best{};       // one per cell; none is when all show the same
};

/// Writes the numbers of a column in one unit with equally many decimals.
[[nodiscard]] ShownColumn shown_column(const Column& column);

/// Rows with a name on the left and numbers aligned on the right; the best of each column is marked
/// with `*` if the rows differ. Names are padded by characters, not bytes.
[[nodiscard]] std::string table_text(const std::string& name_header,
                                     const std::vector<std::string>& names,
                                     const std::vector<Column>& columns,
                                     const Style& style = {});

}  // namespace voda::command_line

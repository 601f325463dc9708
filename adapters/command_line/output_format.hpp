#pragma once

#include <cstdint>
#include <string>

#include "command_line/command.hpp"
#include "command_line/json_text.hpp"
#include "command_line/result_sheet.hpp"

namespace voda::command_line {

/// How a command prints its result.
enum class OutputFormat : std::uint8_t {
  table,  // for people
  wide,   // the same with all columns
  json,   // a document for programs
  csv     // all columns for spreadsheets and line tools
};

/// What `-o` and `--json` say.
struct OutputChoice {
  std::string format{};
  bool is_json = false;

  /// Throws UsageError for an unknown format, naming those that are known.
  [[nodiscard]] OutputFormat chosen() const;
};

/// Adds `-o FORMAT` with the default that the choice holds, and `--json`.
void add_output_option(CLI::App& app, OutputChoice& choice);

/// A sheet as table, wide or csv.
[[nodiscard]] std::string sheet_as(OutputFormat format,
                                   const ResultSheet& sheet,
                                   const Style& style);

}  // namespace voda::command_line

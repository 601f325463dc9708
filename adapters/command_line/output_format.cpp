#include "command_line/output_format.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "command_line/option_values.hpp"

namespace voda::command_line {
namespace {

constexpr std::array<std::pair<std::string_view, OutputFormat>, 4> output_formats{
    {{"table", OutputFormat::table},
     {"wide", OutputFormat::wide},
     {"json", OutputFormat::json},
     {"csv", OutputFormat::csv}}};

}  // namespace

OutputFormat OutputChoice::chosen() const {
  return is_json ? OutputFormat::json : read_word("--output", format, output_formats);
}

void add_output_option(CLI::App& app, OutputChoice& choice) {
  auto* format = app.add_option("-o,--output",
                                choice.format,
                                "How the result is printed: a table for people, the same with all "
                                "columns, JSON or CSV for programs")
                     ->type_name(alternatives(output_formats))
                     ->capture_default_str();
  app.add_flag("--json", choice.is_json, "The same as -o json")->excludes(format);
}

std::string sheet_as(OutputFormat format, const ResultSheet& sheet, const Style& style) {
  if (format == OutputFormat::csv)
    return csv_text(sheet);
  return table_text(sheet, format == OutputFormat::wide ? Detail::wide : Detail::always, style);
}

}  // namespace voda::command_line

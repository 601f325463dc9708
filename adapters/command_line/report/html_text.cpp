#include "command_line/report/html_text.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// How `text` begins, if that may not stand in a page as it is: what is taken, what stands for it.
std::optional<std::pair<std::size_t, std::string_view>> escape_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> markup{
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}}};
  for (const auto& [taken, escaped] : markup) {
    if (text.starts_with(taken))
      return std::pair(taken.size(), escaped);
  }
  if (has_control_characters(text.substr(0, 1)))
    return std::pair(std::size_t{1}, replacement);
  const bool is_general_punctuation = text.size() >= 3 && text.starts_with("\xE2");
  if (!is_general_punctuation)
    return std::nullopt;
  const auto code = static_cast<unsigned>((static_cast<unsigned char>(text[1]) & 0x3F) << 6 |
                                          (static_cast<unsigned char>(text[2]) & 0x3F));
  const bool is_line_or_override = code >= 0x028 && code <= 0x02E;  // U+2028 to U+202E
  const bool is_isolate = code >= 0x066 && code <= 0x069;           // U+2066 to U+2069
  if (is_line_or_override || is_isolate)
    return std::pair(std::size_t{3}, replacement);
  return std::nullopt;
}

std::string table_row(const std::string& name,
                      std::size_t row,
                      const std::vector<Column>& columns,
                      const std::vector<ShownColumn>& shown) {
  std::string html = "<tr><th scope=\"row\">" + html_name(name) + "</th>";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double value = columns[i].values[row];
    const std::string number =
        std::isnan(value) ? std::string() : fmt::format(" data-value=\"{}\"", value);
    const std::string& cell = shown[i].cells[row];
    html += shown[i].is_best[row]
                ? fmt::format(
                      "<td class=\"best\"{}><strong>{}</strong><span class=\"hidden\"> best</span>"
                      "</td>",
                      number,
                      cell)
                : fmt::format("<td{}>{}</td>", number, cell);
  }
  return html + "</tr>\n";
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string result;
  std::size_t broken = find_invalid_utf8(text).value_or(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (at == broken) {
      result += replacement;
      ++at;
      broken = at + find_invalid_utf8(text.substr(at)).value_or(text.size() - at);
    } else if (const auto escape = escape_of(text.substr(at, broken - at))) {
      result += escape->second;
      at += escape->first;
    } else {
      result.push_back(text[at++]);
    }
  }
  return result;
}

std::string html_name(std::string_view name) {
  return "<bdi>" + html_text(name) + "</bdi>";
}

std::string html_table(const TableHead& head,
                       const std::vector<std::string>& names,
                       const std::vector<Column>& columns) {
  std::vector<ShownColumn> shown;
  shown.reserve(columns.size());
  for (const Column& column : columns)
    shown.push_back(shown_column(column));
  std::string html = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\"><table "
      "class=\"figures\">\n<caption>{0}</caption>\n<thead><tr><th scope=\"col\">{1}</th>",
      html_text(head.caption),
      html_text(head.name_header));
  for (const ShownColumn& column : shown)
    html += "<th scope=\"col\">" + html_text(column.header) + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < names.size(); ++row)
    html += table_row(names[row], row, columns, shown);
  return html + "</tbody></table></div>\n";
}

}  // namespace voda::command_line

#pragma once

#include "voda/io/csv.hpp"

#include <algorithm>
#include <ios>
#include <istream>
#include <streambuf>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace csv_detail {

/// Follows the quotes of a row while its bytes come in, so that line ends inside quotes do not end
/// it.
class QuoteState {
 public:
  void advance(char c) {
    const bool opens = at_cell_start_ || just_closed_;
    just_closed_ = false;
    at_cell_start_ = false;
    if (is_open_) {
      is_open_ = c != '"';
      just_closed_ = !is_open_;
    } else if (c == '"') {
      is_open_ = opens;
    } else {
      at_cell_start_ = c == ',';
    }
  }

  [[nodiscard]] bool is_open() const { return is_open_; }

 private:
  bool is_open_ = false;
  bool just_closed_ = false;
  bool at_cell_start_ = true;
};

}  // namespace csv_detail

VODA_INLINE CsvReader::CsvReader(std::istream& in, std::string source)
    : in_(&in), source_(std::move(source)) {
  skip_byte_order_mark();
}

VODA_INLINE void CsvReader::skip_byte_order_mark() {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  constexpr int end = std::char_traits<char>::eof();
  if (in_->rdbuf() == nullptr || peek_byte() != 0xEF)
    return;
  while (record_.size() < mark.size() && peek_byte() != end) {
    record_ += static_cast<char>(take_byte());
  }
  if (record_ != mark)
    refuse("bytes that are not UTF-8 at byte offset 0; expected UTF-8 text");
  record_.clear();
  offset_ = mark.size();
}

VODA_INLINE void CsvReader::refuse(std::string_view message) const {
  throw InvalidInput(fmt::format("{}:{}: {}", source_, std::max<std::size_t>(1, line_), message));
}

VODA_INLINE bool CsvReader::next() {
  cells_.clear();
  if (is_broken_ || !read_record())
    return false;
  check_record();
  split_record();
  return true;
}

/// The stream's buffer is read directly, for speed, so what it throws is caught here and not by the stream.
template <class Read>
int CsvReader::read_byte(Read read) {
  try {
    return read(*in_->rdbuf());
  } catch (const std::ios_base::failure&) {
    is_broken_ = true;
    in_->setstate(std::ios_base::badbit);
  }
  refuse("the file cannot be read further; expected one that can be read to its end");
}

VODA_INLINE int CsvReader::take_byte() {
  return read_byte([](std::streambuf& bytes) { return bytes.sbumpc(); });
}

VODA_INLINE int CsvReader::peek_byte() {
  return read_byte([](std::streambuf& bytes) { return bytes.sgetc(); });
}

VODA_INLINE bool CsvReader::read_record() {
  constexpr int end = std::char_traits<char>::eof();
  record_.clear();
  record_offset_ = offset_;
  line_ = next_line_;
  csv_detail::QuoteState quotes;
  int next_byte = in_->rdbuf() == nullptr ? end : take_byte();
  if (next_byte == end)
    return false;
  for (; next_byte != end; next_byte = take_byte()) {
    const char c = static_cast<char>(next_byte);
    ++offset_;
    if (c == '\n')
      ++next_line_;
    if (c == '\n' && !quotes.is_open())
      break;
    quotes.advance(c);
    record_ += c;
    if (record_.size() > longest_row) {
      is_broken_ = true;
      refuse(
          fmt::format("the row is longer than {} bytes; expected a shorter one, or a quote that "
                      "is closed",
                      longest_row));
    }
  }
  if (quotes.is_open()) {
    is_broken_ = true;
    refuse("a quote is never closed; expected '\"' before the end of the file");
  }
  if (record_.ends_with('\r'))
    record_.pop_back();
  return true;
}

VODA_INLINE void CsvReader::check_record() const {
  if (const std::size_t at = record_.find('\0'); at != std::string::npos) {
    refuse(fmt::format("a NUL byte at byte offset {}; expected UTF-8 text", record_offset_ + at));
  }
  if (const auto at = find_invalid_utf8(record_)) {
    refuse(fmt::format("a byte that is not UTF-8 at byte offset {}; expected UTF-8 text",
                       record_offset_ + *at));
  }
}

VODA_INLINE void CsvReader::split_record() {
  std::size_t at = 0;
  while (true) {
    const bool is_quoted = at < record_.size() && record_[at] == '"';
    at = is_quoted ? take_quoted(at) : take_plain(at);
    if (at >= record_.size())
      return;
    ++at;  // the comma
  }
}

VODA_INLINE std::size_t CsvReader::take_quoted(std::size_t at) {
  std::string cell;
  for (++at; at < record_.size(); ++at) {
    if (record_[at] != '"') {
      cell += record_[at];
      continue;
    }
    const bool is_doubled = at + 1 < record_.size() && record_[at + 1] == '"';
    if (!is_doubled)
      break;
    cell += '"';
    ++at;
  }
  ++at;  // the closing quote
  if (at < record_.size() && record_[at] != ',') {
    refuse(
        fmt::format("cell {}: '{}' follows the closing quote; expected a comma or the line's end",
                    cells_.size() + 1,
                    shown(record_.substr(at, 1))));
  }
  cells_.push_back(std::move(cell));
  return at;
}

VODA_INLINE std::size_t CsvReader::take_plain(std::size_t at) {
  const std::size_t end = std::min(record_.find(',', at), record_.size());
  std::string cell = record_.substr(at, end - at);
  if (cell.find_first_of("\"\r") != std::string::npos) {
    refuse(fmt::format(
        "cell {}: '{}' has a quote or a carriage return in it; expected the whole cell in quotes",
        cells_.size() + 1,
        shown(cell)));
  }
  cells_.push_back(std::move(cell));
  return end;
}

VODA_INLINE CsvTable::CsvTable(std::istream& in, std::string source, CsvSchema schema)
    : reader_(in, std::move(source)), schema_(std::move(schema)) {
  if (!reader_.next()) {
    reader_.refuse(fmt::format("the file is empty; expected a header with the columns {}",
                               fmt::join(schema_.required, ", ")));
  }
  bind_columns();
}

VODA_INLINE CsvTable::CsvTable(CsvReader reader, CsvSchema schema)
    : reader_(std::move(reader)), schema_(std::move(schema)) {
  bind_columns();
}

VODA_INLINE void CsvTable::check_header_name(std::string_view name, std::size_t at) const {
  const bool is_known = std::ranges::find(schema_.required, name) != schema_.required.end() ||
                        std::ranges::find(schema_.optional, name) != schema_.optional.end();
  if (!is_known) {
    reader_.refuse(fmt::format("unknown column '{}'; expected {}{}{}",
                               shown(name),
                               fmt::join(schema_.required, ", "),
                               schema_.optional.empty() ? "" : " and perhaps ",
                               fmt::join(schema_.optional, ", ")));
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
  for (const auto name : schema_.required) {
    if (std::ranges::find(header_, name) != header_.end())
      continue;
    reader_.refuse(fmt::format("column '{}' is missing; found {}",
                               name,
                               shown(fmt::format("{}", fmt::join(header_, ", ")))));
  }
}

VODA_INLINE bool CsvTable::next() {
  if (!reader_.next())
    return false;
  if (reader_.cells().size() != header_.size()) {
    reader_.refuse(fmt::format("{} cells; expected {}, one for each column of the header",
                               reader_.cells().size(),
                               header_.size()));
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

VODA_INLINE std::string csv_cell(std::string_view text) {
  const bool has_outer_space = text.starts_with(' ') || text.ends_with(' ');
  if (!has_outer_space && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"')
      result += '"';
    result += c;
  }
  return result + '"';
}

}  // namespace voda

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

VODA_INLINE CsvReader::CsvReader(std::istream& in, std::string source, CellSyntax syntax)
    : in_(&in), source_(std::move(source)), syntax_(syntax) {
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
  refuse_at(line_, message);
}

VODA_INLINE void CsvReader::refuse_at(std::size_t line, std::string_view message) const {
  throw InvalidInput(fmt::format("{}:{}: {}", source_, std::max<std::size_t>(1, line), message));
}

VODA_INLINE std::vector<CsvComment> CsvReader::take_comments() {
  return std::exchange(comments_, {});
}

VODA_INLINE bool CsvReader::next() {
  cells_.clear();
  while (cells_.empty()) {
    if (is_broken_ || !read_record())
      return false;
    check_record();
    if (!take_comment())
      split_record();
  }
  return true;
}

VODA_INLINE bool CsvReader::is_at_end() {
  return in_->rdbuf() == nullptr || peek_byte() == std::char_traits<char>::eof();
}

VODA_INLINE bool CsvReader::take_comment() {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = record_.find_first_not_of(blanks);
  if (syntax_ != CellSyntax::blanks || first == std::string::npos || record_[first] != ';')
    return false;
  const std::size_t begin = std::min(record_.find_first_not_of("; \t"), record_.size());
  const std::size_t end = record_.find_last_not_of(blanks) + 1;
  comments_.push_back({.line = line_, .text = record_.substr(begin, std::max(begin, end) - begin)});
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
    if (syntax_ == CellSyntax::commas)
      quotes.advance(c);
    record_ += c;
    if (record_.size() > longest_row) {
      is_broken_ = true;
      refuse(fmt::format("the row is longer than {} bytes; expected a shorter one{}",
                         longest_row,
                         syntax_ == CellSyntax::commas ? ", or a quote that is closed" : ""));
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
  switch (syntax_) {
    case CellSyntax::commas:
      return split_at_commas();
    case CellSyntax::tabs:
      return split_at_tabs();
    case CellSyntax::blanks:
      return split_at_blanks();
  }
}

VODA_INLINE void CsvReader::split_at_tabs() {
  std::size_t at = 0;
  while (true) {
    const std::size_t end = std::min(record_.find('\t', at), record_.size());
    cells_.push_back(record_.substr(at, end - at));
    if (end == record_.size())
      return;
    at = end + 1;
  }
}

VODA_INLINE void CsvReader::split_at_blanks() {
  constexpr std::string_view blanks = " \t";
  std::size_t at = record_.find_first_not_of(blanks);
  while (at != std::string::npos) {
    const std::size_t end = std::min(record_.find_first_of(blanks, at), record_.size());
    cells_.push_back(record_.substr(at, end - at));
    at = record_.find_first_not_of(blanks, end);
  }
}

VODA_INLINE void CsvReader::split_at_commas() {
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

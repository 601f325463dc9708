#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "voda/config.hpp"

namespace voda {

/// What separates the cells of a row.
enum class CellSyntax : std::uint8_t {
  commas,  // RFC 4180: quoted cells may hold commas, doubled quotes and line ends
  tabs,    // each tab ends a cell; quotes mean nothing
  blanks   // runs of spaces and tabs; empty lines are passed over, `;` begins a line of comment
};

/// A line of comment without its semicolons and outer blanks.
struct CsvComment {
  std::size_t line = 0;
  std::string text{};
};

/// Reads rows of comma-separated values as RFC 4180 defines them, or of another syntax, one at a
/// time.
///
/// Lines end with LF or CRLF, the last one may lack its end; a byte order mark is skipped.
/// Everything that deviates from the syntax is refused, never repaired. At most `longest_row` bytes
/// are held. Messages begin with `source:line:`, lines counted from 1.
class CsvReader {
 public:
  /// `in` must outlive the reader; `source` names it in messages.
  CsvReader(std::istream& in, std::string source, CellSyntax syntax = CellSyntax::commas);

  /// Moves to the next row; false at the end of the text.
  ///
  /// Throws InvalidInput for a row that breaks the rules: a stray quote, NUL, text that is not
  /// UTF-8 (with its byte offset). That row is behind us then and next() goes on with the one after
  /// it, unless is_broken(). A stream that cannot be read further is refused too, and goes bad.
  bool next();

  [[nodiscard]] std::span<const std::string> cells() const { return cells_; }

  /// True when no byte is left.
  [[nodiscard]] bool is_at_end();

  /// The line on which the row begins.
  [[nodiscard]] std::size_t line() const { return line_; }

  [[nodiscard]] const std::string& source() const { return source_; }

  /// True when no row can be told apart any more: a quote that is never closed, a row that is too
  /// long.
  [[nodiscard]] bool is_broken() const { return is_broken_; }

  /// Throws InvalidInput with the source and the line in front of `message`.
  [[noreturn]] void refuse(std::string_view message) const;

  /// The same for another line.
  [[noreturn]] void refuse_at(std::size_t line, std::string_view message) const;

  /// The comments that next() has passed since this was last called.
  [[nodiscard]] std::vector<CsvComment> take_comments();

  static constexpr std::size_t longest_row = 1048576;

 private:
  template <class Read>
  int read_byte(Read read);
  int take_byte();
  int peek_byte();
  bool read_record();
  void skip_byte_order_mark();
  void check_record() const;
  bool take_comment();
  void split_record();
  void split_at_commas();
  void split_at_tabs();
  void split_at_blanks();
  std::size_t take_quoted(std::size_t at);
  std::size_t take_plain(std::size_t at);

  std::istream* in_ = nullptr;
  std::string source_{};
  CellSyntax syntax_ = CellSyntax::commas;
  std::vector<CsvComment> comments_{};
  std::string record_{};  // the row as it stands in the file, without its line end
  std::size_t record_offset_ = 0;
  std::size_t offset_ = 0;
  std::vector<std::string> cells_{};
  std::size_t line_ = 0;
  std::size_t next_line_ = 1;
  bool is_broken_ = false;
};

/// Which columns a table may have.
struct CsvSchema {
  std::vector<std::string_view> required{};
  std::vector<std::string_view> optional{};
  /// The columns of a text without a header, where there may be one; several such lists are told
  /// apart by their lengths.
  std::vector<std::vector<std::string_view>> headerless{};
};

/// Which whole numbers a cell may hold.
struct WholeRange {
  std::int64_t min = 0;
  std::int64_t max = INT64_MAX;
};

/// Which numbers a cell may hold; both ends belong to it.
struct RealRange {
  double min = 0;
  double max = 1e12;
};

/// Rows under a header, with cells addressed by column name and read as what they must be.
///
/// Every message names source, line, column, value and expectation.
class CsvTable {
 public:
  /// Reads the header. Throws InvalidInput when the text is empty or a column is missing, repeated
  /// or unknown.
  CsvTable(std::istream& in, std::string source, CsvSchema schema);

  /// Takes a reader that has just read the header.
  CsvTable(CsvReader reader, CsvSchema schema);

  /// A table of one of several schemas: the first one of which the header has the first required
  /// column. If none may be without a header it is read here, otherwise by the first next(), which
  /// takes a first row that is no header as one of the schema with so many headerless columns.
  CsvTable(std::istream& in,
           std::string source,
           std::vector<CsvSchema> schemas,
           CellSyntax syntax = CellSyntax::commas);

  /// As CsvReader::next(); also refuses a row with too few or too many cells.
  bool next();

  /// True when no further row can be read: CsvReader::is_broken(), or the header was refused.
  [[nodiscard]] bool is_broken() const { return has_bad_header_ || reader_.is_broken(); }

  /// The first required column, which tells what the rows are.
  [[nodiscard]] std::string_view first_column() const;

  /// As CsvReader::take_comments().
  [[nodiscard]] std::vector<CsvComment> take_comments() { return reader_.take_comments(); }

  /// True when the table has the column and the cell is not empty.
  [[nodiscard]] bool has(std::string_view column) const;

  /// The cell as it is; empty when there is no such column.
  [[nodiscard]] std::string_view text(std::string_view column) const;

  /// A name: not empty, no control characters.
  [[nodiscard]] std::string name(std::string_view column) const;

  [[nodiscard]] double number(std::string_view column, RealRange range) const;
  [[nodiscard]] std::int64_t whole_number(std::string_view column, WholeRange range) const;

  /// Throws InvalidInput: the cell's value is not what was `expected`.
  [[noreturn]] void refuse(std::string_view column, std::string_view expected) const;

  [[nodiscard]] const CsvReader& reader() const { return reader_; }

 private:
  void bind_header();
  bool bind_first_row();
  void bind_columns();
  void check_header_name(std::string_view name, std::size_t at) const;
  [[nodiscard]] std::string expected_first_row() const;
  [[nodiscard]] const std::string* find(std::string_view column) const;

  CsvReader reader_;
  std::vector<CsvSchema> schemas_{};
  std::size_t schema_ = 0;             // the one that the text has
  std::vector<std::string> header_{};  // empty until it is known
  bool has_header_ = true;
  bool has_bad_header_ = false;
};

/// A cell as it must be written: quoted when it holds a comma, a quote, a line end or a space at an
/// end.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/csv_inl.hpp"
#include "voda/io/impl/csv_table_inl.hpp"
#endif

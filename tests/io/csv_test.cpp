#include "voda/io/csv.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/io_checks.hpp"

namespace voda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Rows = std::vector<std::vector<std::string>>;

[[nodiscard]] Rows rows_of(const std::string& text) {
  std::istringstream in(text);
  CsvReader reader(in, "t.csv");
  Rows rows;
  while (reader.next())
    rows.emplace_back(reader.cells().begin(), reader.cells().end());
  return rows;
}

[[nodiscard]] std::string refusal_of(const std::string& text) {
  return test::message_of([&] { return rows_of(text); });
}

/// What a table with the columns a (needed) and b makes of a text: the sum of column a.
[[nodiscard]] std::string table_refusal(const std::string& text) {
  return test::message_of([&] {
    std::istringstream in(text);
    CsvTable table(in, "t.csv", {.required = {"a"}, .optional = {"b"}});
    std::int64_t sum = 0;
    while (table.next())
      sum += table.whole_number("a", {.min = 1, .max = 10});
    return sum;
  });
}

TEST(CsvReader, ReadsQuotedCells) {
  EXPECT_THAT(rows_of("a,\"b,c\",\"d \"\"e\"\"\"\n\"two\nlines\",,\n"),
              ElementsAre(ElementsAre("a", "b,c", "d \"e\""), ElementsAre("two\nlines", "", "")));
}

TEST(CsvReader, TakesEveryLineEndAndAByteOrderMark) {
  const Rows expected{{"a", "b"}, {"1", "2"}};
  EXPECT_EQ(rows_of("a,b\n1,2\n"), expected);
  EXPECT_EQ(rows_of("a,b\n1,2"), expected);
  EXPECT_EQ(rows_of("a,b\r\n1,2\r\n"), expected);
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "a,b\r\n1,2"),
            expected);
  EXPECT_EQ(rows_of("\"a\",\"b\"\r\n\"1\",\"2\"\r\n"), expected);
}

TEST(CsvReader, HasNoRowsInAnEmptyText) {
  EXPECT_TRUE(rows_of("").empty());
  EXPECT_TRUE(rows_of("\xEF\xBB\xBF").empty());
}

TEST(CsvReader, CountsLinesInsideQuotes) {
  std::istringstream in("a\n\"1\n2\n3\"\nb\n");
  CsvReader reader(in, "t.csv");
  std::vector<std::size_t> lines;
  while (reader.next())
    lines.push_back(reader.line());
  EXPECT_THAT(lines, ElementsAre(1u, 2u, 5u));
}

TEST(CsvReader, RefusesBrokenQuotes) {
  EXPECT_THAT(refusal_of("a\nb\"c\n"), StartsWith("t.csv:2: cell 1: 'b\"c' has a quote"));
  EXPECT_THAT(refusal_of("a,\"b\"c\n"),
              StartsWith("t.csv:1: cell 2: 'c' follows the closing quote"));
  EXPECT_THAT(refusal_of("a\n1,\"b\n\n"), StartsWith("t.csv:2: a quote is never closed"));
  EXPECT_THAT(refusal_of("a\rb\n"), HasSubstr("carriage return"));
}

TEST(CsvReader, RefusesBytesThatAreNoText) {
  EXPECT_THAT(refusal_of("ab\nc\xFF\n"),
              HasSubstr("t.csv:2: a byte that is not UTF-8 at byte offset 4"));
  EXPECT_THAT(refusal_of(std::string("ab\nc\0\n", 6)),
              HasSubstr("t.csv:2: a NUL byte at byte offset 4"));
  EXPECT_THAT(refusal_of("\xEF\xBBz"), HasSubstr("byte offset 0"));
}

TEST(CsvReader, RefusesARowWithoutEnd) {
  EXPECT_THAT(refusal_of("a\n" + std::string(CsvReader::longest_row + 1, 'x')),
              HasSubstr("t.csv:2: the row is longer"));
}

TEST(CsvReader, GoesOnAfterABadRow) {
  std::istringstream in("a\nb\"c\nd\n");
  CsvReader reader(in, "t.csv");
  EXPECT_TRUE(reader.next());
  EXPECT_THROW(reader.next(), InvalidInput);
  EXPECT_FALSE(reader.is_broken());
  EXPECT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("d"));
}

TEST(CsvTable, NamesMissingRepeatedAndUnknownColumns) {
  EXPECT_EQ(table_refusal(""), "t.csv:1: the file is empty; expected a header with the columns a");
  EXPECT_EQ(table_refusal("b\n1\n"), "t.csv:1: column 'a' is missing; found b");
  EXPECT_EQ(table_refusal("a,b,a\n"), "t.csv:1: column 'a' is there twice; expected it once");
  EXPECT_EQ(table_refusal("a,c\n"), "t.csv:1: unknown column 'c'; expected a and perhaps b");
}

TEST(CsvTable, NamesLineColumnValueAndExpectation) {
  EXPECT_EQ(table_refusal("a\n1\n11\n"),
            "t.csv:3: column 'a': '11'; expected a whole number from 1 to 10");
  EXPECT_EQ(table_refusal("a\n1.5\n"),
            "t.csv:2: column 'a': '1.5'; expected a whole number from 1 to 10");
  EXPECT_EQ(table_refusal("a\nnan\n"),
            "t.csv:2: column 'a': 'nan'; expected a whole number from 1 to 10");
  EXPECT_EQ(table_refusal("a,b\n,2\n"),
            "t.csv:2: column 'a': ''; expected a whole number from 1 to 10");
}

TEST(CsvTable, RefusesRowsOfAnotherWidth) {
  EXPECT_EQ(table_refusal("a,b\n1\n"),
            "t.csv:2: 1 cells; expected 2, one for each column of the header");
  EXPECT_EQ(table_refusal("a\n1,2\n"),
            "t.csv:2: 2 cells; expected 1, one for each column of the header");
  EXPECT_THAT(table_refusal("a,b\n\n"), HasSubstr("t.csv:2: 1 cells"));
}

TEST(CsvTable, RefusesNamesWithControlCharacters) {
  std::istringstream in("a\n\"x\ny\"\n");
  CsvTable table(in, "t.csv", {.required = {"a"}});
  ASSERT_TRUE(table.next());
  EXPECT_EQ(test::message_of([&] { return table.name("a"); }),
            "t.csv:2: column 'a': 'x?y'; expected a name without control characters");
}

RC_GTEST_PROP(CsvCell, IsReadBackAsItWas, ()) {
  const auto letters =
      rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab ,\"\r\n")));
  const auto cells = *rc::gen::container<std::vector<std::string>>(letters);
  RC_PRE(!cells.empty());
  std::string line;
  for (const auto& cell : cells)
    line += (line.empty() ? "" : ",") + (cell.empty() ? "\"\"" : csv_cell(cell));
  RC_ASSERT(rows_of(line + "\r\n") == Rows{cells});
}

}  // namespace
}  // namespace voda

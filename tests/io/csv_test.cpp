#include "voda/io/csv.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/io_checks.hpp"

namespace voda {
namespace csv_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Rows = std::vector<std::vector<std::string>>;

[[nodiscard]] Rows rows_of(const std::string& text, CellSyntax syntax = CellSyntax::commas) {
  std::istringstream in(text);
  CsvReader reader(in, "t.csv", syntax);
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

TEST(CsvReader, SplitsAtTabsWithoutMindingQuotes) {
  EXPECT_THAT(rows_of("a \"b\tc,d\t\r\n\t\"\n", CellSyntax::tabs),
              ElementsAre(ElementsAre("a \"b", "c,d", ""), ElementsAre("", "\"")));
}

TEST(CsvReader, SplitsAtBlanksAndKeepsComments) {
  std::istringstream in(";; one :  two ;\n  1 \t2\r\n\n  \n ;\n\"3 4");
  CsvReader reader(in, "t.csv", CellSyntax::blanks);

  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("1", "2"));
  EXPECT_EQ(reader.line(), 2u);
  const auto first = reader.take_comments();
  ASSERT_TRUE(reader.next());
  EXPECT_THAT(reader.cells(), ElementsAre("\"3", "4"));
  EXPECT_EQ(reader.line(), 6u);
  const auto second = reader.take_comments();
  EXPECT_FALSE(reader.next());

  ASSERT_EQ(first.size(), 1u);
  EXPECT_EQ(first[0].line, 1u);
  EXPECT_EQ(first[0].text, "one :  two ;");
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0].line, 5u);
  EXPECT_EQ(second[0].text, "");
}

/// The columns a and b of each row of a text that may lack a header, or c of one with c and d.
[[nodiscard]] std::string headerless(const std::string& text) {
  std::istringstream in(text);
  CsvTable table(
      in,
      "t.csv",
      {{.required = {"a"}, .optional = {"b"}, .headerless = {{"a", "b"}, {"b", "x", "a"}}},
       {.required = {"c", "d"}}});
  std::string result;
  while (table.next())
    result += table.name(table.first_column()) + std::string(table.text("b")) + " ";
  return result;
}

TEST(CsvTable, TakesAFirstRowThatIsNoHeaderAsARow) {
  EXPECT_EQ(headerless("1,2\n3,4\n"), "12 34 ");
  EXPECT_EQ(headerless("1,2,3\n"), "31 ");
  EXPECT_EQ(headerless("b,a\n1,2\n"), "21 ");
  EXPECT_EQ(headerless("d,c\n1,2\n"), "2 ");
}

TEST(CsvTable, SaysWhatAFirstRowMayBe) {
  const auto refusal = [](const std::string& text) {
    return test::message_of([&] { return headerless(text); });
  };
  EXPECT_EQ(
      refusal(""),
      "t.csv:1: the file is empty; expected a header with the columns a, or a header with the "
      "columns c, d, or 2 cells, or 3 cells");
  EXPECT_EQ(refusal("1\n"),
            "t.csv:1: 1 cells; expected a header with the columns a, or a header with the columns "
            "c, d, or 2 cells, or 3 cells");
  EXPECT_EQ(refusal("1,2\n3\n"), "t.csv:2: 1 cells; expected 2, as many as before");
  EXPECT_EQ(refusal("c,e\n"), "t.csv:1: unknown column 'e'; expected c, d");
}

TEST(CsvTable, IsBrokenByABadHeader) {
  std::istringstream in("a,e\n1,2\n");
  CsvTable table(in, "t.csv", {{.required = {"a"}, .headerless = {{"a", "b"}}}});

  EXPECT_THROW(table.next(), InvalidInput);

  EXPECT_TRUE(table.is_broken());
  EXPECT_FALSE(table.next());
}

TEST(CsvTable, NamesMissingRepeatedAndUnknownColumns) {
  EXPECT_EQ(table_refusal(""), "t.csv:1: the file is empty; expected a header with the columns a");
  EXPECT_EQ(table_refusal("b\n1\n"), "t.csv:1: column 'a' is missing; found b");
  EXPECT_EQ(table_refusal("a,b,a\n"), "t.csv:1: column 'a' is there twice; expected it once");
  EXPECT_EQ(table_refusal("a,c\n"), "t.csv:1: unknown column 'c'; expected a and perhaps b");
  std::istringstream in("id,submited\n");
  EXPECT_EQ(test::message_of([&in] {
              return CsvTable(in, "t.csv", {.required = {"id"}, .optional = {"submitted"}});
            }),
            "t.csv:1: unknown column 'submited'; expected id and perhaps submitted; did you mean "
            "'submitted'?");
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

}  // namespace csv_test
}  // namespace voda

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace assign_command_test {

using testing::AllOf;
using testing::HasSubstr;

using Json = nlohmann::ordered_json;

/// Checks the certificate of a dense square or wide minimisation: prices below costs, equal on
/// matched pairs, their sum the objective.
void expect_certified(const Json& answer, const std::vector<std::vector<double>>& cost, int sign) {
  double sum = 0;
  for (const auto& price : answer["row_prices"])
    sum += price.get<double>();
  for (const auto& price : answer["column_prices"])
    sum += price.get<double>();
  EXPECT_DOUBLE_EQ(sum, answer["objective"].get<double>());
  for (std::size_t row = 0; row < cost.size(); ++row) {
    for (std::size_t column = 0; column < cost[row].size(); ++column) {
      const double price =
          answer["row_prices"][row].get<double>() + answer["column_prices"][column].get<double>();
      EXPECT_LE(sign * price, sign * cost[row][column] + 1e-12);
      if (answer["columns"][row] == static_cast<int>(column)) {
        EXPECT_NEAR(price, cost[row][column], 1e-12);
      }
    }
  }
}

TEST(AssignCommand, SolvesDenseJson) {
  // By hand: 1 + 2 + 2 = 5 is the least of the six sums.
  const auto result =
      run_command({"assign", "-"}, R"({"cost": [[4, 1, 3], [2, 0, 5], [3, 2, 2]]})");

  const Json answer = result.json();
  EXPECT_EQ(answer["columns"], Json::parse("[1, 0, 2]"));
  EXPECT_EQ(answer["objective"].dump(), "5");
  EXPECT_TRUE(answer["row_prices"][0].is_number_integer());
  expect_certified(answer, {{4, 1, 3}, {2, 0, 5}, {3, 2, 2}}, 1);
}

TEST(AssignCommand, SolvesCsvAndMaximizes) {
  // By hand: 4 + 5 + 2 = 11 is the largest of the six sums.
  const auto result = run_command({"assign", "--maximize", "-"}, "4,1,3\r\n2,0,5\r\n3,2,2\r\n");

  EXPECT_EQ(result.json()["columns"], Json::parse("[0, 2, 1]"));
  EXPECT_EQ(result.json()["objective"], 11);
  expect_certified(result.json(), {{4, 1, 3}, {2, 0, 5}, {3, 2, 2}}, -1);
}

TEST(AssignCommand, FractionsGiveFractions) {
  const auto result = run_command({"assign", "-"}, "0.5,1\n1,0.25\n");

  EXPECT_EQ(result.json()["objective"].dump(), "0.75");
}

TEST(AssignCommand, TallMatrixMatchesEveryColumn) {
  const auto result = run_command({"assign", "-"}, "3\n1\n2\n");

  EXPECT_EQ(result.json()["columns"], Json::parse("[-1, 0, -1]"));
  EXPECT_EQ(result.json()["objective"], 1);
}

TEST(AssignCommand, WholeNumbersAreExactToTheLimit) {
  // 2^53 - 1 and 2^53 differ by one: a double sum would lose it.
  const auto result = run_command(
      {"assign", "-"}, "9007199254740992,9007199254740991\n9007199254740991,9007199254740991\n");

  EXPECT_EQ(result.json()["objective"].dump(), "18014398509481982");
}

TEST(AssignCommand, SparseEdgesForbidTheRest) {
  const auto result = run_command(
      {"assign", "-"}, R"({"rows": 2, "columns": 3, "edges": [[0, 1, 5], [0, 2, 1], [1, 2, 1]]})");

  EXPECT_EQ(result.json()["columns"], Json::parse("[1, 2]"));
  EXPECT_EQ(result.json()["objective"], 6);
}

TEST(AssignCommand, InfeasibleNamesRowsThatCannotBeMatched) {
  const auto result = run_command(
      {"assign", "-"}, R"({"rows": 3, "columns": 3, "edges": [[0, 1, 2], [1, 1, 3], [2, 0, 1]]})");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("no solution"), HasSubstr("rows [0, 1]"), HasSubstr("1 column [1]")));
}

TEST(AssignCommand, InfeasibleNamesTheShorterSide) {
  // Three rows, two columns: both columns must be matched, and only row 0 may take them.
  const auto tall =
      run_command({"assign", "-"}, R"({"rows": 3, "columns": 2, "edges": [[0, 0, 1], [0, 1, 1]]})");
  EXPECT_EQ(tall.status, 1);
  EXPECT_THAT(tall.err,
              HasSubstr("no solution: every column must be matched, but 2 columns [0, 1] can only "
                        "take 1 row [0]; expected more edges, or --partial"));

  // No edge at all: both columns are short, and no row helps.
  const auto empty = run_command({"assign", "-"}, R"({"rows": 3, "columns": 2, "edges": []})");
  EXPECT_THAT(empty.err, HasSubstr("2 columns [0, 1] can only take 0 rows []"));

  const auto wide =
      run_command({"assign", "-"}, R"({"rows": 2, "columns": 3, "edges": [[0, 1, 1], [1, 1, 1]]})");
  EXPECT_THAT(wide.err,
              HasSubstr("every row must be matched, but 2 rows [0, 1] can only take 1 column [1]"));
}

TEST(AssignCommand, LongListsOfUnmatchableMembersEndInDots) {
  const auto result = run_command({"assign", "-"}, R"({"rows": 60, "columns": 30, "edges": []})");
  EXPECT_THAT(result.err, AllOf(HasSubstr("30 columns [0, 1,"), HasSubstr(" 19, ...]")));
}

TEST(AssignCommand, NoColumnsLeaveEveryRowUnmatched) {
  const auto result = run_command({"assign", "-"}, R"({"rows": 2, "columns": 0, "edges": []})");
  EXPECT_EQ(result.json()["columns"], Json::parse("[-1, -1]"));
  EXPECT_EQ(result.json()["objective"], 0);
}

TEST(AssignCommand, PartialLeavesOutWhatDoesNotPay) {
  const auto sparse =
      run_command({"assign", "--partial", "-"},
                  R"({"rows": 3, "columns": 3, "edges": [[0, 1, -2], [1, 1, -3], [2, 0, 1]]})");
  EXPECT_EQ(sparse.json()["columns"], Json::parse("[-1, 1, -1]"));
  EXPECT_EQ(sparse.json()["objective"], -3);

  const auto dense = run_command({"assign", "--partial", "--maximize", "-"}, "-1,-2\n-3,4\n");
  EXPECT_EQ(dense.json()["columns"], Json::parse("[-1, 1]"));
  EXPECT_EQ(dense.json()["objective"], 4);
}

TEST(AssignCommand, EmptyProblemsHaveEmptyAnswers) {
  EXPECT_EQ(run_command({"assign", "-"}, R"({"cost": []})").out,
            "{\"columns\":[],\"objective\":0,\"row_prices\":[],\"column_prices\":[]}\n");
}

TEST(AssignCommand, LinesAreAnsweredOneByOne) {
  const auto result =
      run_command({"assign", "--jsonl", "-"}, "{\"cost\": [[7]]}\n{\"cost\": [[null]]}\n");

  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("{\"columns\":[0],\"objective\":7,\"row_prices\":"));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("standard input:2: cost[0][0]: null"), HasSubstr("\"line\":2")));
}

TEST(AssignCommand, BadProblemsNameThePlace) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "empty"},
      {"1,2\n3\n", "standard input:2: 1 numbers; expected 2"},
      {"1,x\n", "standard input:1: column 2: 'x'"},
      {"1,nan\n", "'nan'"},
      {"1,1e999\n", "'1e999'"},
      {"9007199254740993\n", "'9007199254740993'"},
      {"9223372036854775808\n", "'9223372036854775808'"},
      {" \n\n", "it is empty"},
      {"[[1, 2], [3, 4]]", "the document: array; expected {\"cost\": [[...], ...]} or"},
      {"{\"cost\": [[1, 2], [3",
       "parse error at line 1, column 21: syntax error while parsing array - "
       "unexpected end of input; expected ']'"},
      {"{\"cost\": [[\"\xFF\"]]}", "a byte that is not UTF-8 at byte offset 12"},
      {"{", "not a JSON document"},
      {R"({"cost": [[1, 2], [3]]})", "cost[1]: 1 numbers; expected 2"},
      {R"({"cost": [[1, "2"]]})", "cost[0][1]"},
      {R"({"cost": [[9007199254740993]]})", "cost[0][0]: 9007199254740993"},
      {R"({"cost": [[1e999]]})", "standard input: cost[0][0]: number overflow parsing '1e999'"},
      {R"({"cost": [[1, 2], [3, -1e999]]})", "standard input: cost[1][1]: number overflow"},
      {R"({"rows": 1, "columns": 1, "edges": [[0, 0, 1e999]]})", "edges[0][2]: number overflow"},
      {R"({"cost": [[9007199254740993.0]]})",
       "cost[0][0]: 9.007199254740992e+15; expected a number"},
      {R"({"cost": [[0.5, 1e16]]})", "cost[0][1]: 1e+16; expected a number between -2^53"},
      {R"({"cost": [[12345678901234567890123]]})", "cost[0][0]: 1.2345678901234568e+22"},
      {R"({"cost": [[18446744073709551615]]})", "cost[0][0]: 18446744073709551615"},
      {"9007199254740993.0\n", "standard input:1: column 1: '9007199254740993.0'"},
      {"1,1e16\n", "standard input:1: column 2: '1e16'"},
      {"12345678901234567890123\n", "column 1: '12345678901234567890123'"},
      {R"({"rows": 1, "columns": 0, "edges": [[0, 0, 5]]})",
       "edges[0][1]: 0; expected no edges, as one side has 0 members"},
      {R"({"rows": 0, "columns": 1, "edges": [[0, 0, 5]]})", "edges[0][0]: 0; expected no edges"},
      {R"({"cost": [[1e300]]})", "standard input"},
      {R"({"cost": [[[1]]]})", "nested"},
      {R"({"cost": [[1]], "cost": [[2]]})", "cost: the field is there twice"},
      {R"({"cost": [[1]], "rows": 1})", "rows"},
      {R"({"rows": 1, "columns": 1})", "edges"},
      {R"({"rows": 1.5, "columns": 1, "edges": []})", "rows: 1.5"},
      {R"({"rows": -1, "columns": 1, "edges": []})", "rows: -1"},
      {R"({"rows": 1, "columns": 1, "edges": [[0, 1, 5]]})",
       "edges[0][1]: 1; expected a whole number from 0 to 0"},
      {R"({"rows": 1, "columns": 1, "edges": [[0, 0]]})", "edges[0]"},
      {std::string(10000, '['), "standard input"},
      {"{\"a\":" + std::string(10000, '['), "nested"}};
  for (const auto& [text, expected] : cases) {
    const auto result = run_command({"assign", "-"}, text);

    EXPECT_EQ(result.status, 1) << text;
    EXPECT_THAT(result.err, AllOf(HasSubstr("voda: standard input"), HasSubstr(expected)));
  }
}

}  // namespace assign_command_test
}  // namespace voda::test

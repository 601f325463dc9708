#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_runner.hpp"

namespace voda::test {
namespace {

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
              AllOf(HasSubstr("no solution"), HasSubstr("rows [0, 1]"), HasSubstr("columns [1]")));
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
      {"{", "not a JSON document"},
      {R"({"cost": [[1, 2], [3]]})", "cost[1]: 1 numbers; expected 2"},
      {R"({"cost": [[1, "2"]]})", "cost[0][1]"},
      {R"({"cost": [[9007199254740993]]})", "cost[0][0]: 9007199254740993"},
      {R"({"cost": [[1e999]]})", "not a JSON document"},
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

}  // namespace
}  // namespace voda::test

#include "command_line/assign_command.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "command_line/assignment_input.hpp"
#include "command_line/snapshot_command.hpp"
#include "voda/model/error.hpp"
#include "voda/solvers/assignment.hpp"
#include "voda/solvers/sparse_assignment.hpp"

namespace voda::command_line {
namespace {

struct AssignmentMode {
  solvers::Objective objective = solvers::Objective::minimize;
  solvers::Coverage coverage = solvers::Coverage::full;
};

template <class Number>
solvers::CostMatrix<Number> matrix_of(const AssignmentInput& input) {
  solvers::CostMatrix<Number> result(input.rows, input.columns);
  for (Eigen::Index i = 0; i < result.size(); ++i) {
    result.data()[i] = static_cast<Number>(input.costs[static_cast<std::size_t>(i)]);
  }
  return result;
}

/// The edges of a sparse problem, or all pairs of a dense one.
template <class Number>
std::vector<solvers::Edge<Number>> edges_of(const AssignmentInput& input) {
  std::vector<solvers::Edge<Number>> result;
  result.reserve(input.edges.size() + input.costs.size());
  for (const auto& edge : input.edges) {
    result.push_back(
        {.row = edge.row, .column = edge.column, .cost = static_cast<Number>(edge.cost)});
  }
  for (std::size_t i = 0; i < input.costs.size(); ++i) {
    const auto columns = static_cast<std::size_t>(input.columns);
    result.push_back({.row = static_cast<int>(i / columns),
                      .column = static_cast<int>(i % columns),
                      .cost = static_cast<Number>(input.costs[i])});
  }
  return result;
}

template <class Number>
solvers::AssignmentResult<Number> solve(const AssignmentInput& input, AssignmentMode mode) {
  if (!input.is_sparse && mode.coverage == solvers::Coverage::full) {
    return solvers::solve_assignment(matrix_of<Number>(input), mode.objective);
  }
  const auto edges = edges_of<Number>(input);
  const auto cost = solvers::compress_edges(
      input.rows, input.columns, std::span<const solvers::Edge<Number>>(edges));
  return solvers::solve_sparse_assignment(cost.view(), mode.objective, mode.coverage);
}

/// The members 0 .. count - 1 that an ascending list lacks.
std::vector<int> others(int count, const std::vector<int>& members) {
  std::vector<int> result;
  auto next = members.begin();
  for (int i = 0; i < count; ++i) {
    if (next != members.end() && *next == i) {
      ++next;
    } else {
      result.push_back(i);
    }
  }
  return result;
}

/// `2 rows [0, 1]`; long lists end in dots.
std::string listed(const std::vector<int>& members, std::string_view name) {
  constexpr std::size_t most_shown = 20;
  const std::span<const int> first(members.data(), std::min(members.size(), most_shown));
  return fmt::format("{} {}{} [{}{}]",
                     members.size(),
                     name,
                     members.size() == 1 ? "" : "s",
                     fmt::join(first, ", "),
                     members.size() > most_shown ? ", ..." : "");
}

/// Says which members of the shorter side, all of which must be matched, have too few partners. The
/// columns that no unmatchable row may take have only the other rows.
template <class Number>
[[noreturn]] void refuse_infeasible(const AssignmentInput& input,
                                    const solvers::AssignmentResult<Number>& result,
                                    const std::string& source) {
  const bool is_tall = input.rows > input.columns;
  const std::string short_side =
      is_tall ? listed(others(input.columns, result.shared_columns), "column")
              : listed(result.unmatchable_rows, "row");
  const std::string partners = is_tall ? listed(others(input.rows, result.unmatchable_rows), "row")
                                       : listed(result.shared_columns, "column");
  throw InvalidInput(
      fmt::format("{}: no solution: every {} must be matched, but {} can only take {}; expected "
                  "more edges, or --partial",
                  source,
                  is_tall ? "column" : "row",
                  short_side,
                  partners));
}

template <class Number>
Json answer_as(const AssignmentInput& input, AssignmentMode mode, const std::string& source) {
  const auto result = solve<Number>(input, mode);
  if (result.status == solvers::Status::infeasible) {
    refuse_infeasible(input, result, source);
  }
  return {{"columns", result.column_of_row},
          {"objective", result.objective},
          {"row_prices", result.row_price},
          {"column_prices", result.column_price}};
}

Json assign(const std::string& text, const std::string& source, AssignmentMode mode) {
  const AssignmentInput input = read_assignment(text, source);
  try {
    return input.is_whole ? answer_as<std::int64_t>(input, mode, source)
                          : answer_as<double>(input, mode, source);
  } catch (const std::invalid_argument& error) {
    throw InvalidInput(fmt::format("{}: {}", source, error.what()));
  } catch (const std::overflow_error& error) {
    throw InvalidInput(fmt::format("{}: {}", source, error.what()));
  }
}

/// A row for each row of the problem, then one for each column that none of them takes.
ResultSheet assignment_sheet(const Json& answer) {
  ResultSheet result{.columns = {{.name = "row"},
                                 {.name = "column"},
                                 {.name = "row_price", .detail = Detail::wide},
                                 {.name = "column_price", .detail = Detail::wide}},
                     .note = "objective " + answer.at("objective").dump()};
  const Json& columns = answer.at("columns");
  const Json& prices = answer.at("column_prices");
  std::vector<bool> is_taken(prices.size());
  for (std::size_t row = 0; row < columns.size(); ++row) {
    const Json& price = answer.at("row_prices").at(row);
    const auto column = columns.at(row).get<int>();
    if (column < 0) {
      result.rows.push_back({row, nullptr, price, nullptr});
      continue;
    }
    const auto at = static_cast<std::size_t>(column);
    is_taken[at] = true;
    result.rows.push_back({row, column, price, prices.at(at)});
  }
  for (std::size_t column = 0; column < prices.size(); ++column) {
    if (!is_taken[column])
      result.rows.push_back({nullptr, column, nullptr, prices.at(column)});
  }
  return result;
}

class AssignCommand final : public Command {
 public:
  void describe(CLI::App& app) override {
    add_problem_source(app, source_);
    app.add_flag("--maximize", is_maximized_, "Look for the largest total (default: the smallest)");
    app.add_flag(
        "--partial",
        is_partial_,
        "A row may also stay unmatched, at cost 0 (default: the shorter side is matched in full)");
  }

  [[nodiscard]] std::span<const Example> examples() const override {
    static constexpr std::array<Example, 2> all{
        {{.line = "voda assign costs.csv",
          .meaning = "the cheapest assignment of rows to columns, with its certificate, as JSON"},
         {.line = "voda assign --maximize -o table costs.csv",
          .meaning = "the one of the largest total, as a table"}}};
    return all;
  }

  [[nodiscard]] ExitStatus run(const Context& context) override {
    const AssignmentMode mode{
        .objective = is_maximized_ ? solvers::Objective::maximize : solvers::Objective::minimize,
        .coverage = is_partial_ ? solvers::Coverage::partial : solvers::Coverage::full};
    const auto answer = [mode](const std::string& text, const std::string& source) {
      return assign(text, source, mode);
    };
    return answer_problems(source_, context, answer, assignment_sheet);
  }

 private:
  ProblemSource source_{};
  bool is_maximized_ = false;
  bool is_partial_ = false;
};

}  // namespace

std::unique_ptr<Command> make_assign_command() {
  return std::make_unique<AssignCommand>();
}

}  // namespace voda::command_line

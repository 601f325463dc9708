#pragma once

#include <string>
#include <vector>

#include "voda/solvers/sparse_cost.hpp"

namespace voda::command_line {

/// The costs of an assignment problem as read: dense rows, or edges.
struct AssignmentInput {
  int rows = 0;
  int columns = 0;
  bool is_sparse = false;
  bool is_whole = true;  // every cost was written as a whole number; so are the answers then
  std::vector<double>
      costs{};  // dense: row by row; whole ones are exact, as they lie within +-2^53
  std::vector<solvers::Edge<double>> edges{};
};

/// Reads JSON ({"cost": [[..]]} or {"rows": .., "columns": .., "edges": [[row, column, cost],
/// ..]}), or CSV of numbers when the text begins with neither a brace nor a bracket. Throws InvalidInput with
/// source, line or path, value and expectation.
[[nodiscard]] AssignmentInput read_assignment(const std::string& text, const std::string& source);

}  // namespace voda::command_line

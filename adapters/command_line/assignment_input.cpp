#include "command_line/assignment_input.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "voda/io/csv.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {
namespace {

using Value = nlohmann::json;

constexpr double largest_whole = 9007199254740992;  // 2^53
constexpr std::int64_t most_members = 10000000;
constexpr std::string_view expected_cost = "a finite number, within +-2^53 if it is whole";

/// Where messages say that something is wrong.
class JsonPlace {
 public:
  explicit JsonPlace(const std::string& source) : source_(&source) {}

  [[noreturn]] void refuse(std::string_view path,
                           std::string_view value,
                           std::string_view expected) const {
    throw InvalidInput(
        fmt::format("{}: {}: {}; expected {}", *source_, path, shown(value), expected));
  }

  [[noreturn]] void refuse_value(std::string_view path,
                                 const Value& value,
                                 std::string_view expected) const {
    refuse(path, value.is_structured() ? std::string(value.type_name()) : value.dump(), expected);
  }

 private:
  const std::string* source_ = nullptr;
};

/// Refuses nesting that no problem has, and fields that come twice.
class StructureGuard {
 public:
  explicit StructureGuard(const std::string& source) : source_(&source) {}

  bool operator()(int depth, Value::parse_event_t event, const Value& parsed) {
    constexpr int deepest = 3;
    const bool opens =
        event == Value::parse_event_t::object_start || event == Value::parse_event_t::array_start;
    if (opens && depth >= deepest) {
      throw InvalidInput(fmt::format("{}: nested deeper than {} levels", *source_, deepest));
    }
    if (event == Value::parse_event_t::key && !keys_.insert(parsed.get<std::string>()).second) {
      throw InvalidInput(fmt::format("{}: {}: the field is there twice; expected it once",
                                     *source_,
                                     shown(parsed.get<std::string>())));
    }
    return true;
  }

 private:
  const std::string* source_ = nullptr;
  std::set<std::string> keys_{};
};

Value parse_json(const std::string& text, const std::string& source) {
  try {
    return Value::parse(text, StructureGuard(source));
  } catch (const Value::exception& error) {
    throw InvalidInput(fmt::format("{}: not a JSON document: {}", source, shown(error.what())));
  }
}

int read_count(const JsonPlace& place,
               const std::string& path,
               const Value& value,
               std::int64_t max) {
  const auto number = value.is_number() ? parse_whole_number(value.dump()) : std::nullopt;
  if (!number || *number < 0 || *number > max) {
    place.refuse_value(path, value, fmt::format("a whole number from 0 to {}", max));
  }
  return static_cast<int>(*number);
}

double read_cost(const JsonPlace& place,
                 const std::string& path,
                 const Value& value,
                 AssignmentInput& input) {
  if (!value.is_number())
    place.refuse_value(path, value, expected_cost);
  const auto cost = value.get<double>();
  if (!value.is_number_float()) {
    if (!(std::abs(cost) < largest_whole) && value != Value(9007199254740992) &&
        value != Value(-9007199254740992)) {
      place.refuse_value(path, value, expected_cost);
    }
    return cost;
  }
  input.is_whole = false;
  return cost;
}

AssignmentInput read_dense(const JsonPlace& place, const Value& rows) {
  if (!rows.is_array())
    place.refuse_value("cost", rows, "an array of rows");
  AssignmentInput result{.rows = static_cast<int>(rows.size())};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string path = fmt::format("cost[{}]", row);
    if (!rows[row].is_array())
      place.refuse_value(path, rows[row], "an array of numbers");
    if (row == 0)
      result.columns = static_cast<int>(rows[row].size());
    if (rows[row].size() != static_cast<std::size_t>(result.columns)) {
      place.refuse(path,
                   fmt::format("{} numbers", rows[row].size()),
                   fmt::format("{}, as in the first row", result.columns));
    }
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      result.costs.push_back(
          read_cost(place, fmt::format("{}[{}]", path, column), rows[row][column], result));
    }
  }
  return result;
}

void read_edge(const JsonPlace& place,
               const std::string& path,
               const Value& edge,
               AssignmentInput& input) {
  if (!edge.is_array() || edge.size() != 3)
    place.refuse_value(path, edge, "[row, column, cost]");
  const int row = read_count(place, path + "[0]", edge[0], input.rows - 1);
  const int column = read_count(place, path + "[1]", edge[1], input.columns - 1);
  input.edges.push_back(
      {.row = row, .column = column, .cost = read_cost(place, path + "[2]", edge[2], input)});
}

AssignmentInput read_sparse(const JsonPlace& place, const Value& document) {
  AssignmentInput result{.is_sparse = true};
  for (const char* field : {"rows", "columns", "edges"}) {
    if (!document.contains(field))
      place.refuse("the document", fmt::format("no field '{}'", field), "rows, columns and edges");
  }
  result.rows = read_count(place, "rows", document["rows"], most_members);
  result.columns = read_count(place, "columns", document["columns"], most_members);
  const Value& edges = document["edges"];
  if (!edges.is_array())
    place.refuse_value("edges", edges, "an array of [row, column, cost]");
  for (std::size_t i = 0; i < edges.size(); ++i) {
    read_edge(place, fmt::format("edges[{}]", i), edges[i], result);
  }
  return result;
}

AssignmentInput read_json(const std::string& text, const std::string& source) {
  const Value document = parse_json(text, source);
  const JsonPlace place(source);
  const bool is_dense = document.contains("cost");
  const std::set<std::string_view> known =
      is_dense ? std::set<std::string_view>{"cost"}
               : std::set<std::string_view>{"rows", "columns", "edges"};
  for (const auto& [key, value] : document.items()) {
    if (!known.contains(key))
      place.refuse_value(shown(key), value, fmt::format("only {}", fmt::join(known, ", ")));
  }
  return is_dense ? read_dense(place, document["cost"]) : read_sparse(place, document);
}

double read_cell(const CsvReader& reader, std::size_t column, AssignmentInput& input) {
  const std::string& cell = reader.cells()[column];
  const auto refuse = [&reader, &cell, column] {
    reader.refuse(
        fmt::format("column {}: '{}'; expected {}", column + 1, shown(cell), expected_cost));
  };
  const bool is_whole = cell.find_first_not_of("-0123456789") == std::string::npos;
  if (is_whole) {
    const auto whole = parse_whole_number(cell);
    if (!whole || std::abs(static_cast<double>(*whole)) > largest_whole ||
        *whole > static_cast<std::int64_t>(largest_whole) ||
        *whole < -static_cast<std::int64_t>(largest_whole)) {
      refuse();
    }
    return static_cast<double>(*whole);
  }
  const auto number = parse_number(cell);
  if (!number)
    refuse();
  input.is_whole = false;
  return *number;
}

AssignmentInput read_csv(const std::string& text, const std::string& source) {
  std::istringstream in(text);
  CsvReader reader(in, source);
  AssignmentInput result;
  while (reader.next()) {
    if (result.rows == 0)
      result.columns = static_cast<int>(reader.cells().size());
    if (reader.cells().size() != static_cast<std::size_t>(result.columns)) {
      reader.refuse(fmt::format(
          "{} numbers; expected {}, as in the first row", reader.cells().size(), result.columns));
    }
    for (std::size_t column = 0; column < reader.cells().size(); ++column) {
      result.costs.push_back(read_cell(reader, column, result));
    }
    ++result.rows;
  }
  if (result.rows == 0)
    throw InvalidInput(fmt::format("{}: it is empty; expected rows of numbers", source));
  return result;
}

}  // namespace

AssignmentInput read_assignment(const std::string& text, const std::string& source) {
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF"))
    rest.remove_prefix(3);
  const std::size_t first = rest.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && rest[first] == '{';
  return is_json ? read_json(text, source) : read_csv(text, source);
}

}  // namespace voda::command_line

#include "command_line/assignment_input.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
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
constexpr std::string_view expected_cost =
    "a number between -2^53 and 2^53 (these two only as plain whole numbers)";

/// Whole numbers up to here are exact as doubles.
bool is_exact(std::int64_t whole) {
  constexpr auto largest = static_cast<std::int64_t>(largest_whole);
  return whole >= -largest && whole <= largest;
}

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

/// Refuses nesting that no problem has, and fields that come twice; knows where the parser is.
class StructureGuard {
 public:
  explicit StructureGuard(const std::string& source) : source_(&source) {}

  bool operator()(int depth, Value::parse_event_t event, const Value& parsed) {
    using Event = Value::parse_event_t;
    constexpr int deepest = 3;
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth >= deepest) {
      throw InvalidInput(fmt::format("{}: nested deeper than {} levels", *source_, deepest));
    }
    if (opens || event == Event::value)
      ++levels_.back().elements;
    if (opens)
      levels_.push_back({.is_array = event == Event::array_start});
    if (event == Event::object_end || event == Event::array_end)
      levels_.pop_back();
    if (event == Event::key)
      take_key(parsed.get<std::string>());
    return true;
  }

  /// The path of the value that is being read.
  [[nodiscard]] std::string path_of_next() const {
    std::string result;
    for (std::size_t i = 1; i < levels_.size(); ++i) {
      const Level& level = levels_[i];
      const std::size_t begun = i + 1 < levels_.size() ? 1 : 0;
      result += level.is_array ? fmt::format("[{}]", level.elements - begun) : shown(level.key);
    }
    return result.empty() ? "the document" : result;
  }

 private:
  struct Level {
    bool is_array = false;
    std::size_t elements = 0;
    std::string key{};
  };

  void take_key(const std::string& key) {
    levels_.back().key = key;
    if (keys_.insert(key).second)
      return;
    throw InvalidInput(
        fmt::format("{}: {}: the field is there twice; expected it once", *source_, shown(key)));
  }

  const std::string* source_ = nullptr;
  std::vector<Level> levels_{1};  // the document's own level first
  std::set<std::string> keys_{};
};

/// The message of the JSON library without its own prefix, what it quotes cut short.
std::string reason_of(const Value::exception& error) {
  std::string text = error.what();
  const std::size_t prefix = text.find("] ");
  if (prefix != std::string::npos)
    text.erase(0, prefix + 2);
  const std::size_t quote = std::min(text.find('\''), text.size());
  return text.substr(0, quote) + shown(text.substr(quote));
}

Value parse_json(const std::string& text, const std::string& source) {
  if (const auto at = find_invalid_utf8(text)) {
    throw InvalidInput(fmt::format(
        "{}: a byte that is not UTF-8 at byte offset {}; expected UTF-8 text", source, *at));
  }
  StructureGuard guard(source);
  try {
    return Value::parse(text, std::ref(guard));
  } catch (const Value::out_of_range& error) {
    throw InvalidInput(fmt::format(
        "{}: {}: {}; expected {}", source, guard.path_of_next(), reason_of(error), expected_cost));
  } catch (const Value::exception& error) {
    throw InvalidInput(fmt::format("{}: not a JSON document: {}", source, reason_of(error)));
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
  if (!value.is_number_float()) {
    const auto whole = parse_whole_number(value.dump());
    if (!whole || !is_exact(*whole))
      place.refuse_value(path, value, expected_cost);
    return static_cast<double>(*whole);
  }
  const auto cost = value.get<double>();
  if (!(std::abs(cost) < largest_whole))
    place.refuse_value(path, value, expected_cost);
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

/// A row or column number of an edge.
int read_end(const JsonPlace& place, const std::string& path, const Value& value, int count) {
  if (count == 0)
    place.refuse_value(path, value, "no edges, as one side has 0 members");
  return read_count(place, path, value, count - 1);
}

void read_edge(const JsonPlace& place,
               const std::string& path,
               const Value& edge,
               AssignmentInput& input) {
  if (!edge.is_array() || edge.size() != 3)
    place.refuse_value(path, edge, "[row, column, cost]");
  const int row = read_end(place, path + "[0]", edge[0], input.rows);
  const int column = read_end(place, path + "[1]", edge[1], input.columns);
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
  if (!document.is_object()) {
    place.refuse_value("the document",
                       document,
                       R"({"cost": [[...], ...]} or {"rows": ..., "columns": ..., "edges": ...})");
  }
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
    if (!whole || !is_exact(*whole))
      refuse();
    return static_cast<double>(*whole);
  }
  const auto number = parse_number(cell);
  if (!number || !(std::abs(*number) < largest_whole))
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
  return result;
}

}  // namespace

AssignmentInput read_assignment(const std::string& text, const std::string& source) {
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF"))
    rest.remove_prefix(3);
  const std::size_t first = rest.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    throw InvalidInput(fmt::format("{}: it is empty; expected rows of numbers, or JSON", source));
  const bool is_json = rest[first] == '{' || rest[first] == '[';
  return is_json ? read_json(text, source) : read_csv(text, source);
}

}  // namespace voda::command_line

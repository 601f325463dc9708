#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "voda/io/csv.hpp"
#include "voda/model/error.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda::json_detail {

using Json = nlohmann::json;

/// `parent.key`, or `parent["key"]` for a key that is no plain word.
[[nodiscard]] inline std::string member_path(const std::string& parent, std::string_view key) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  bool is_word = !key.empty();
  for (const char c : key)
    is_word = is_word && is_plain(c);
  if (!is_word)
    return fmt::format("{}[\"{}\"]", parent, shown(key));
  return fmt::format("{}{}{}", parent, parent.empty() ? "" : ".", shown(key));
}

/// Watches the parser: refuses what nests too deep and objects that repeat a key.
class StructureCheck {
 public:
  explicit StructureCheck(const std::string& source) : source_(&source) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens || event == Event::value)
      ++current().elements;
    if (opens)
      open(depth, event == Event::array_start);
    if (event == Event::object_end || event == Event::array_end)
      levels_.pop_back();
    if (event == Event::key)
      take_key(parsed.get<std::string>());
    return true;
  }

  /// The path of the value that is being read; empty for the document itself.
  [[nodiscard]] std::string path_of_next() const {
    const Level& level = levels_.back();
    if (levels_.size() == 1)
      return "";
    if (level.is_array)
      return fmt::format("{}[{}]", path(levels_.size() - 1), level.elements);
    return member_path(path(levels_.size() - 1), level.last_key);
  }

 private:
  static constexpr int deepest = 64;

  struct Level {
    bool is_array = false;
    std::size_t elements = 0;
    std::set<std::string> keys{};
    std::string last_key{};
  };

  [[nodiscard]] Level& current() { return levels_.back(); }

  /// The path that the first `levels` levels name.
  [[nodiscard]] std::string path(std::size_t levels) const {
    std::string result;
    for (const Level& level : std::span(levels_).first(levels).subspan(1)) {
      result = level.is_array ? fmt::format("{}[{}]", result, level.elements - 1)
                              : member_path(result, level.last_key);
    }
    return result;
  }

  void open(int depth, bool is_array) {
    if (depth >= deepest) {
      throw InvalidInput(fmt::format(
          "{}: {}: nested deeper than {} levels", *source_, shown(path(levels_.size())), deepest));
    }
    levels_.push_back({.is_array = is_array});
  }

  void take_key(const std::string& key) {
    current().last_key = key;
    if (current().keys.insert(key).second)
      return;
    throw InvalidInput(fmt::format(
        "{}: {}: the key is there twice; expected it once", *source_, path(levels_.size())));
  }

  const std::string* source_ = nullptr;
  std::vector<Level> levels_{1};  // the document's own level first
};

/// The message of the JSON library without its own prefix.
[[nodiscard]] inline std::string reason(const Json::exception& error) {
  const std::string text = error.what();
  const std::size_t prefix = text.find("] ");
  return prefix == std::string::npos ? text : text.substr(prefix + 2);
}

/// Parses a whole text; throws InvalidInput for anything that is not one JSON value in UTF-8.
[[nodiscard]] inline Json parse(std::string_view text, const std::string& source) {
  if (const auto at = find_invalid_utf8(text)) {
    throw InvalidInput(fmt::format(
        "{}: a byte that is not UTF-8 at byte offset {}; expected UTF-8 text", source, *at));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    throw InvalidInput(fmt::format("{}: it is empty; expected a JSON document", source));
  }
  StructureCheck structure(source);
  try {
    return Json::parse(text.begin(), text.end(), std::ref(structure));
  } catch (const Json::out_of_range& error) {
    const std::string path = structure.path_of_next();
    throw InvalidInput(fmt::format("{}: {}: {}; expected a number that a double can hold",
                                   source,
                                   path.empty() ? "the document" : path,
                                   shown(reason(error))));
  } catch (const Json::exception& error) {
    throw InvalidInput(fmt::format("{}: not a JSON document: {}", source, reason(error)));
  }
}

/// A value inside a document with its path, read as what it must be; messages name source, path,
/// value and expectation.
class Cursor {
 public:
  /// `value` and `source` must outlive the cursor.
  Cursor(const Json& value, const std::string& source) : value_(&value), source_(&source) {}

  [[noreturn]] void fail(std::string_view message) const {
    throw InvalidInput(
        fmt::format("{}: {}: {}", *source_, path_.empty() ? "the document" : path_, message));
  }

  /// The value is not what was expected.
  [[noreturn]] void refuse(std::string_view expected) const {
    fail(fmt::format("{}; expected {}", shown_value(), expected));
  }

  [[nodiscard]] const Json& value() const { return *value_; }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// A member of an object, if it is there.
  [[nodiscard]] std::optional<Cursor> find(const char* key) const {
    const auto found = value_->find(key);
    if (found == value_->end())
      return std::nullopt;
    return Cursor(*found, *source_, member_path(path_, key));
  }

  [[nodiscard]] Cursor require(const char* key) const {
    if (auto found = find(key))
      return *std::move(found);
    fail(fmt::format("field '{}' is missing", key));
  }

  /// Throws unless the value is an object that has only known fields.
  void check_fields(std::initializer_list<std::string_view> known) const {
    if (!value_->is_object())
      refuse("an object");
    for (const auto& [key, member] : value_->items()) {
      bool is_known = false;
      for (const auto name : known)
        is_known = is_known || name == key;
      if (is_known)
        continue;
      Cursor(member, *source_, member_path(path_, key))
          .fail(fmt::format(
              "unknown field; expected {}{}", fmt::join(known, ", "), did_you_mean(key, known)));
    }
  }

  template <class F>
  void for_each_element(F function) const {
    if (!value_->is_array())
      refuse("an array");
    for (std::size_t i = 0; i < value_->size(); ++i) {
      function(Cursor((*value_)[i], *source_, fmt::format("{}[{}]", path_, i)));
    }
  }

  template <class F>
  void for_each_member(F function) const {
    if (!value_->is_object())
      refuse("an object");
    for (const auto& [key, member] : value_->items()) {
      function(key, Cursor(member, *source_, member_path(path_, key)));
    }
  }

  /// Members whose keys name something: `what`.
  template <class F>
  void for_each_named(std::string_view what, F function) const {
    for_each_member([&](const std::string& name, const Cursor& member) {
      if (name.empty() || has_control_characters(name)) {
        member.fail(fmt::format(
            "a {} without a proper name; expected one that is not empty and has no control "
            "characters",
            what));
      }
      function(name, member);
    });
  }

  [[nodiscard]] double number(RealRange range) const {
    const bool fits = value_->is_number() && value_->get<double>() >= range.min &&
                      value_->get<double>() <= range.max;
    if (!fits)
      refuse(fmt::format("a number from {} to {}", range.min, range.max));
    return value_->get<double>();
  }

  [[nodiscard]] std::int64_t whole_number(WholeRange range) const {
    const auto number = value_->is_number() ? parse_whole_number(value_->dump()) : std::nullopt;
    if (!number || *number < range.min || *number > range.max) {
      refuse(fmt::format("a whole number from {} to {}", range.min, range.max));
    }
    return *number;
  }

  [[nodiscard]] bool flag() const {
    if (!value_->is_boolean())
      refuse("true or false");
    return value_->get<bool>();
  }

  /// Text without control characters, perhaps empty.
  [[nodiscard]] std::string text() const {
    if (!value_->is_string())
      refuse("a text");
    auto result = value_->get<std::string>();
    if (has_control_characters(result))
      refuse("a text without control characters");
    return result;
  }

  [[nodiscard]] std::string name() const {
    std::string result = text();
    if (result.empty())
      refuse("a name that is not empty");
    return result;
  }

 private:
  Cursor(const Json& value, const std::string& source, std::string path)
      : value_(&value), source_(&source), path_(std::move(path)) {}

  [[nodiscard]] std::string shown_value() const {
    if (value_->is_object())
      return "an object";
    if (value_->is_array())
      return "an array";
    return shown(value_->dump());
  }

  const Json* value_ = nullptr;
  const std::string* source_ = nullptr;
  std::string path_{};
};

/// Reads the number before a colon: a count without sign, point or leading zeros.
[[nodiscard]] inline std::int32_t count_key(const Cursor& member,
                                            std::string_view key,
                                            std::string_view expected) {
  const bool is_plain = !key.empty() &&
                        key.find_first_not_of("0123456789") == std::string_view::npos &&
                        (key == "0" || key[0] != '0');
  const auto count = is_plain ? parse_whole_number(key) : std::nullopt;
  if (!count || *count > INT32_MAX)
    member.fail(fmt::format("unknown key; expected {}", expected));
  return static_cast<std::int32_t>(*count);
}

}  // namespace voda::json_detail

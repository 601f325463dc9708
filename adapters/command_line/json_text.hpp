#pragma once

#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "voda/model/units.hpp"

namespace voda::command_line {

/// JSON whose members stay in the order in which they were added.
using Json = nlohmann::ordered_json;

/// Appends a member whose key is known to be new; operator[] would look for it among all members.
inline void append(Json& object, const std::string& key, Json value) {
  object.get_ref<Json::object_t&>().push_back({key, std::move(value)});
}

/// Seconds that read back as the same microseconds, or null.
[[nodiscard]] inline Json seconds_json(const std::optional<TimePoint>& time) {
  return time ? Json(to_seconds(*time)) : Json(nullptr);
}

/// One line; broken UTF-8 (part of a message, or a name in a record) becomes the replacement character.
[[nodiscard]] inline std::string line_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Indented, for people.
[[nodiscard]] inline std::string document_text(const Json& value) {
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace voda::command_line

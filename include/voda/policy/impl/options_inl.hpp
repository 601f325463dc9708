#pragma once

#include "voda/policy/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "voda/model/error.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace options_detail {

/// A whole text as a number, "inf" among them; nothing when it is none.
[[nodiscard]] inline std::optional<double> parse_option_number(std::string_view text) {
  if (text == "inf")
    return std::numeric_limits<double>::infinity();
  return parse_number(text);
}

[[nodiscard]] inline std::string expectation(NumberRange range, std::string_view kind) {
  if (range.max >= 1e15)
    return fmt::format("{} >= {}", kind, range.min);
  return fmt::format("{} from {} to {}", kind, range.min, range.max);
}

}  // namespace options_detail

VODA_INLINE std::string to_text(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&value))
    return fmt::format("{}", *real);
  return std::get<std::string>(value);
}

VODA_INLINE OptionReader::OptionReader(std::string owner, Options options)
    : owner_(std::move(owner)), options_(std::move(options)) {}

VODA_INLINE const OptionValue* OptionReader::find(std::string_view name) {
  const auto found = options_.find(name);
  return found == options_.end() ? nullptr : &found->second;
}

VODA_INLINE void OptionReader::describe(OptionDescription description) {
  descriptions_.push_back(std::move(description));
}

VODA_INLINE void OptionReader::refuse(std::string_view name,
                                      const OptionValue& value,
                                      std::string_view expected) const {
  throw InvalidInput(fmt::format(
      "{}: option '{}': '{}'; expected {}", owner_, name, shown(to_text(value)), expected));
}

VODA_INLINE std::size_t OptionReader::word_position(std::string_view name,
                                                    const OptionValue& value,
                                                    std::span<const std::string_view> words) const {
  const std::string text = to_text(value);
  const auto found = std::ranges::find(words, text);
  if (found == words.end())
    refuse(name, value, fmt::format("{}{}", fmt::join(words, " | "), did_you_mean(text, words)));
  return static_cast<std::size_t>(found - words.begin());
}

VODA_INLINE double OptionReader::number(std::string_view name,
                                        const OptionValue& value,
                                        NumberRange range) const {
  const auto parsed = options_detail::parse_option_number(to_text(value));
  const bool is_flag = std::holds_alternative<bool>(value);
  if (is_flag || !parsed || !(*parsed >= range.min && *parsed <= range.max)) {
    refuse(name, value, options_detail::expectation(range, "a number"));
  }
  return *parsed;
}

VODA_INLINE OptionReader& OptionReader::read(std::string_view name,
                                             bool& field,
                                             std::string_view summary) {
  describe({.name = std::string(name),
            .default_value = field ? "true" : "false",
            .expected = "true | false",
            .summary = std::string(summary),
            .words = {"false", "true"}});
  if (const OptionValue* value = find(name)) {
    const std::string text = to_text(*value);
    if (text != "true" && text != "false")
      refuse(name, *value, "true | false");
    field = text == "true";
  }
  return *this;
}

VODA_INLINE OptionReader& OptionReader::read(std::string_view name,
                                             std::int64_t& field,
                                             NumberRange range,
                                             std::string_view summary) {
  const std::string expected = options_detail::expectation(range, "a whole number");
  describe({.name = std::string(name),
            .default_value = fmt::format("{}", field),
            .expected = expected,
            .summary = std::string(summary),
            .kind = OptionKind::whole,
            .range = range});
  if (const OptionValue* value = find(name)) {
    const double parsed = number(name, *value, range);
    if (parsed != std::floor(parsed) || std::abs(parsed) > 9e15)
      refuse(name, *value, expected);
    field = static_cast<std::int64_t>(parsed);
  }
  return *this;
}

VODA_INLINE OptionReader& OptionReader::read(std::string_view name,
                                             double& field,
                                             NumberRange range,
                                             std::string_view summary) {
  describe({.name = std::string(name),
            .default_value = fmt::format("{}", field),
            .expected = options_detail::expectation(range, "a number"),
            .summary = std::string(summary),
            .kind = OptionKind::number,
            .range = range});
  if (const OptionValue* value = find(name))
    field = number(name, *value, range);
  return *this;
}

VODA_INLINE OptionReader& OptionReader::read(std::string_view name,
                                             std::optional<double>& field,
                                             NumberRange range,
                                             std::string_view summary) {
  describe({.name = std::string(name),
            .default_value = field ? fmt::format("{}", *field) : "none",
            .expected = options_detail::expectation(range, "a number") + ", or none",
            .summary = std::string(summary),
            .kind = OptionKind::number,
            .words = {"none"},
            .range = range});
  if (const OptionValue* value = find(name)) {
    field = to_text(*value) == "none" ? std::nullopt
                                      : std::optional<double>(number(name, *value, range));
  }
  return *this;
}

VODA_INLINE OptionReader& OptionReader::read(std::string_view name,
                                             std::vector<double>& field,
                                             NumberRange range,
                                             std::string_view summary) {
  describe({.name = std::string(name),
            .default_value = fmt::format("{}", fmt::join(field, "/")),
            .expected = options_detail::expectation(range, "numbers") + ", written a/b/c",
            .summary = std::string(summary),
            .kind = OptionKind::numbers,
            .range = range});
  const OptionValue* value = find(name);
  if (value == nullptr)
    return *this;
  field.clear();
  const std::string text = to_text(*value);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    field.push_back(number(name, OptionValue(text.substr(begin, end - begin)), range));
    begin = end + 1;
  }
  return *this;
}

VODA_INLINE void OptionReader::finish() const {
  for (const auto& [name, value] : options_) {
    if (std::ranges::find(descriptions_, name, &OptionDescription::name) != descriptions_.end()) {
      continue;
    }
    std::vector<std::string_view> known;
    known.reserve(descriptions_.size());
    for (const auto& description : descriptions_)
      known.push_back(description.name);
    const std::string list =
        known.empty() ? "it has no options" : fmt::format("expected {}", fmt::join(known, ", "));
    throw InvalidInput(fmt::format(
        "{}: unknown option '{}'; {}{}", owner_, shown(name), list, did_you_mean(name, known)));
  }
}

}  // namespace voda

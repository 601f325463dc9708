#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "command_line/status.hpp"
#include "voda/model/units.hpp"

namespace voda::command_line {

/// Reads an option with `read`; what it refuses is wrong usage.
template <class Read>
[[nodiscard]] auto read_option(std::string_view option, const std::string& text, Read read) {
  try {
    return read(text);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

/// A whole number from `min` to `max`; throws UsageError that names the option.
[[nodiscard]] std::int64_t read_whole_number(std::string_view option,
                                             const std::string& text,
                                             std::int64_t min,
                                             std::int64_t max);

/// A number from `min` to `max`; throws UsageError that names the option.
[[nodiscard]] double read_number(std::string_view option,
                                 const std::string& text,
                                 double min,
                                 double max);

/// A length of time in seconds, at least 0; throws UsageError that names the option.
[[nodiscard]] Duration read_duration(std::string_view option, const std::string& text);

/// A length of time in seconds, at least a microsecond; throws UsageError that names the option.
[[nodiscard]] Duration read_positive_duration(std::string_view option, const std::string& text);

/// An instant in seconds, also before 0; throws UsageError that names the option.
[[nodiscard]] TimePoint read_instant(std::string_view option, const std::string& text);

/// A seed; throws UsageError that names the option.
[[nodiscard]] std::uint64_t read_seed(const std::string& text);

/// The name of an option and its value for messages: `--seed: 'x'; expected ...`.
[[noreturn]] void refuse_value(std::string_view option,
                               std::string_view text,
                               std::string_view expected);

/// The same for a word that is none of those known, with those that are near.
[[noreturn]] void refuse_word(std::string_view option,
                              std::string_view text,
                              std::span<const std::string_view> known);

/// One of several words, each with what it stands for; throws UsageError that names the option and the nearest word.
template <class Words>
[[nodiscard]] auto read_word(std::string_view option, const std::string& text, const Words& words) {
  std::vector<std::string_view> known;
  for (const auto& [word, value] : words) {
    if (word == text)
      return value;
    known.push_back(word);
  }
  refuse_word(option, text, known);
}

/// The words as the type of an option, for help and completion: `poisson|bursty|daily`.
template <class Words>
[[nodiscard]] std::string alternatives(const Words& words) {
  std::string result;
  for (const auto& [word, value] : words)
    result += (result.empty() ? "" : "|") + std::string(word);
  return result;
}

}  // namespace voda::command_line

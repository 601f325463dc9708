#include "command_line/option_values.hpp"

#include <charconv>

#include <fmt/format.h>

#include "command_line/status.hpp"
#include "voda/model/nearest_names.hpp"
#include "voda/model/number_text.hpp"

namespace voda::command_line {

void refuse_value(std::string_view option, std::string_view text, std::string_view expected) {
  throw UsageError(fmt::format("{}: '{}'; expected {}", option, shown(text), expected));
}

void refuse_word(std::string_view option,
                 std::string_view text,
                 std::span<const std::string_view> known) {
  refuse_value(
      option, text, fmt::format("{}{}", fmt::join(known, " | "), did_you_mean(text, known)));
}

std::int64_t read_whole_number(std::string_view option,
                               const std::string& text,
                               std::int64_t min,
                               std::int64_t max) {
  const auto number = parse_whole_number(text);
  if (!number || *number < min || *number > max) {
    refuse_value(option, text, fmt::format("a whole number from {} to {}", min, max));
  }
  return *number;
}

double read_number(std::string_view option, const std::string& text, double min, double max) {
  const auto number = parse_number(text);
  if (!number || !(*number >= min && *number <= max)) {
    refuse_value(option, text, fmt::format("a number from {:g} to {:g}", min, max));
  }
  return *number;
}

Duration read_duration(std::string_view option, const std::string& text) {
  return duration_from_seconds(read_number(option, text, 0, max_seconds), option);
}

Duration read_positive_duration(std::string_view option, const std::string& text) {
  const Duration duration = read_duration(option, text);
  if (duration.count() == 0)
    refuse_value(option, text, "seconds > 0");
  return duration;
}

TimePoint read_instant(std::string_view option, const std::string& text) {
  return TimePoint(
      duration_from_seconds(read_number(option, text, -max_seconds, max_seconds), option));
}

std::uint64_t read_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc{} || end != text.data() + text.size()) {
    refuse_value("--seed", text, "a whole number from 0 to 2^64 - 1");
  }
  return seed;
}

}  // namespace voda::command_line

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "voda/model/units.hpp"

namespace voda::command_line {

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

/// A seed; throws UsageError that names the option.
[[nodiscard]] std::uint64_t read_seed(const std::string& text);

/// The name of an option and its value for messages: `--seed: 'x'; expected ...`.
[[noreturn]] void refuse_value(std::string_view option,
                               std::string_view text,
                               std::string_view expected);

}  // namespace voda::command_line

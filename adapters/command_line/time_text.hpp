#pragma once

#include <cstdint>
#include <string>

#include "voda/model/units.hpp"

namespace voda::command_line {

/// Whole microseconds as decimal seconds with six places, exactly.
[[nodiscard]] std::string seconds_text(std::int64_t microseconds);

/// A length of time for people, two units at most: `3 h 12 min`, `45 s`, `1.2 ms`.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace voda::command_line

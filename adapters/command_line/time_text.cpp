#include "command_line/time_text.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace voda::command_line {
namespace {

struct Unit {
  std::string_view name{};
  std::int64_t seconds = 1;
};

constexpr std::array<Unit, 4> units{{{.name = "d", .seconds = 86400},
                                     {.name = "h", .seconds = 3600},
                                     {.name = "min", .seconds = 60},
                                     {.name = "s", .seconds = 1}}};

}  // namespace

std::string seconds_text(std::int64_t microseconds) {
  const bool is_negative = microseconds < 0;
  const auto magnitude = is_negative ? 0 - static_cast<std::uint64_t>(microseconds)
                                     : static_cast<std::uint64_t>(microseconds);
  return fmt::format(
      "{}{}.{:06}", is_negative ? "-" : "", magnitude / 1000000, magnitude % 1000000);
}

std::string duration_text(double seconds) {
  if (seconds <= 0)
    return "0 s";
  if (seconds < 1e-3)
    return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1)
    return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95)
    return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  std::size_t unit = 0;
  while (whole < units[unit].seconds)
    ++unit;
  const Unit& large = units[unit];
  const Unit& small = units[unit + 1];
  std::int64_t smalls = (whole + small.seconds / 2) / small.seconds;
  const std::int64_t per_large = large.seconds / small.seconds;
  const std::int64_t larges = smalls / per_large;
  smalls %= per_large;
  if (unit > 0 && larges * large.seconds == units[unit - 1].seconds) {
    return fmt::format("1 {}", units[unit - 1].name);  // rounded up to the next unit
  }
  if (smalls == 0)
    return fmt::format("{} {}", larges, large.name);
  return fmt::format("{} {} {} {}", larges, large.name, smalls, small.name);
}

}  // namespace voda::command_line

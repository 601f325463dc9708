#include "command_line/style.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "command_line/option_values.hpp"

namespace voda::command_line {
namespace {

constexpr std::array<std::pair<std::string_view, ColorChoice>, 3> choices{
    {{"auto", ColorChoice::automatic},
     {"always", ColorChoice::always},
     {"never", ColorChoice::never}}};

/// Bold, green, bold red, yellow: what every terminal knows.
constexpr std::array<std::string_view, 4> sequences{
    "\x1b[1m", "\x1b[32m", "\x1b[1;31m", "\x1b[33m"};
constexpr std::string_view reset = "\x1b[0m";

}  // namespace

std::string Style::operator()(Emphasis emphasis, std::string_view text) const {
  std::string result;
  if (is_coloured_)
    result += sequences.at(static_cast<std::size_t>(emphasis));
  result += text;
  if (is_coloured_)
    result += reset;
  return result;
}

ColorChoice read_color_choice(const std::string& text) {
  return read_word("--color", text, choices);
}

Style style_for(ColorChoice choice, bool is_terminal, bool is_colour_unwanted) {
  const bool is_automatic = is_terminal && !is_colour_unwanted;
  return Style(choice == ColorChoice::always || (choice == ColorChoice::automatic && is_automatic));
}

}  // namespace voda::command_line

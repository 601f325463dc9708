#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace voda::command_line {

/// What a piece of text is, so far as it may be coloured.
enum class Emphasis : std::uint8_t { heading, best, error, warning };

/// Colours for one stream: the escape sequences of a terminal, or none.
class Style {
 public:
  Style() = default;  // plain

  explicit Style(bool is_coloured) : is_coloured_(is_coloured) {}

  /// The text, between escape sequences if there are any.
  [[nodiscard]] std::string operator()(Emphasis emphasis, std::string_view text) const;

 private:
  bool is_coloured_ = false;
};

/// What `--color` asks for.
enum class ColorChoice : std::uint8_t { automatic, always, never };

/// `auto`, `always` or `never`; throws UsageError for anything else.
[[nodiscard]] ColorChoice read_color_choice(const std::string& text);

/// The values of `--color`, as the type of an option.
inline constexpr std::string_view color_words = "auto|always|never";

/// Colours where they are asked for, or on a terminal where nobody objects.
[[nodiscard]] Style style_for(ColorChoice choice, bool is_terminal, bool is_colour_unwanted);

}  // namespace voda::command_line

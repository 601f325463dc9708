#pragma once

#include "voda/model/number_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>
#include <string>
#include <version>

namespace voda {
namespace number_text_detail {

[[nodiscard]] inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Digits with at most one point, then perhaps an exponent.
[[nodiscard]] inline bool is_decimal(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  std::size_t digits = 0;
  std::size_t points = 0;
  for (; at < text.size() && (is_digit(text[at]) || (text[at] == '.' && points == 0)); ++at) {
    (text[at] == '.' ? points : digits) += 1;
  }
  if (digits == 0)
    return false;
  if (at == text.size())
    return true;
  if (text[at] != 'e' && text[at] != 'E')
    return false;
  ++at;
  if (at < text.size() && (text[at] == '-' || text[at] == '+'))
    ++at;
  const std::string_view exponent = text.substr(at);
  return !exponent.empty() && std::ranges::all_of(exponent, is_digit);
}

/// Length of the well-formed UTF-8 sequence at the front (Unicode 15, table 3-7), 0 when there is
/// none.
[[nodiscard]] inline std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80)
    return 1;
  if (lead < 0xC2 || lead > 0xF4)
    return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length)
    return 0;
  const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high)
    return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80)
      return 0;
  }
  return length;
}

/// True of a character beyond ASCII that a terminal obeys instead of showing it: a control character (U+0080 to U+009F), a line
/// or paragraph separator or one that turns the direction of writing (U+2028 to U+202E, U+2066 to U+2069).
[[nodiscard]] inline bool is_hidden(std::string_view character) {
  const auto begins = [character](std::string_view lead, unsigned first, unsigned last) {
    if (character.size() != lead.size() + 1 || !character.starts_with(lead))
      return false;
    const unsigned end = static_cast<unsigned char>(character.back());
    return end >= first && end <= last;
  };
  return begins("\xC2", 0x80, 0x9F) || begins("\xE2\x80", 0xA8, 0xAE) ||
         begins("\xE2\x81", 0xA6, 0xA9);
}

}  // namespace number_text_detail

VODA_INLINE std::optional<double> parse_number(std::string_view text) {
  if (!number_text_detail::is_decimal(text))
    return std::nullopt;
  double result = 0;
#if defined(__cpp_lib_to_chars)
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
#else  // libc++ before 20 reads no double with from_chars
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  if (!(in >> result))
    return std::nullopt;
#endif
  if (!std::isfinite(result))
    return std::nullopt;
  return result;
}

VODA_INLINE std::optional<std::int64_t> parse_whole_number(std::string_view text) {
  std::int64_t whole = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (error == std::errc{} && end == text.data() + text.size())
    return whole;
  const auto number = parse_number(text);
  constexpr double largest_exact = 9007199254740992;  // 2^53
  if (!number || std::abs(*number) > largest_exact || std::floor(*number) < *number) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*number);
}

VODA_INLINE std::optional<std::size_t> find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = number_text_detail::sequence_length(text.substr(at));
    if (length == 0)
      return at;
    at += length;
  }
  return std::nullopt;
}

VODA_INLINE bool has_control_characters(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

VODA_INLINE std::string counted(std::int64_t count, std::string_view noun) {
  return std::to_string(count).append(" ").append(noun).append(count == 1 ? "" : "s");
}

VODA_INLINE std::string shown(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = number_text_detail::sequence_length(text.substr(at));
    const std::string_view piece = text.substr(at, std::max<std::size_t>(1, length));
    if (result.size() + piece.size() > longest)
      return result + "...";
    const bool is_printable =
        length > 0 && !has_control_characters(piece) && !number_text_detail::is_hidden(piece);
    result += is_printable ? piece : "?";
    at += piece.size();
  }
  return result;
}

}  // namespace voda

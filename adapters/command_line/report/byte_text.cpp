#include "command_line/report/byte_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace voda::command_line {

void append_number(std::string& bytes, std::uint64_t number) {
  while (number >= 0x80) {
    bytes.push_back(static_cast<char>((number & 0x7F) | 0x80));
    number >>= 7;
  }
  bytes.push_back(static_cast<char>(number));
}

void append_signed(std::string& bytes, std::int64_t number) {
  const auto doubled = static_cast<std::uint64_t>(number) << 1;
  append_number(bytes, number < 0 ? ~doubled : doubled);
}

std::string base64_text(std::string_view bytes) {
  constexpr std::string_view alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t begin = 0; begin < bytes.size(); begin += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - begin);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i)
      bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[begin + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      result.push_back(i <= count ? alphabet[bits >> (18 - 6 * i) & 0x3F] : '=');
  }
  return result;
}

}  // namespace voda::command_line

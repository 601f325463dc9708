#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace voda::bytes_detail {

/// CRC-64/XZ: polynomial 42F0E1EBA9EA3693 reflected, all ones before and after; "123456789" gives
/// 995DC9BBDF1939FA.
[[nodiscard]] inline std::uint64_t checksum(std::string_view bytes) {
  static constexpr auto table = [] {
    std::array<std::uint64_t, 256> result{};
    for (std::uint64_t i = 0; i < result.size(); ++i) {
      std::uint64_t value = i;
      for (int bit = 0; bit < 8; ++bit) {
        value = (value >> 1) ^ ((value & 1) != 0 ? 0xC96C5795D7870F42 : 0);
      }
      result[i] = value;
    }
    return result;
  }();
  std::uint64_t sum = ~std::uint64_t{0};
  for (const char c : bytes) {
    sum = table[(sum ^ static_cast<unsigned char>(c)) & 0xFF] ^ (sum >> 8);
  }
  return ~sum;
}

template <class Number>
void append(std::string& bytes, Number value) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i) & 0xFF));
  }
}

/// Takes a little-endian number from the front.
template <class Number>
[[nodiscard]] Number take(std::string_view& bytes) {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    result |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  bytes.remove_prefix(sizeof(Number));
  return static_cast<Number>(result);
}

}  // namespace voda::bytes_detail

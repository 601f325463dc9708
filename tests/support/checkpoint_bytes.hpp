#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace voda::test {

/// CRC-64/XZ bit by bit, as in the catalogue of parametrised CRC algorithms (Cook); "123456789"
/// gives 995DC9BBDF1939FA.
[[nodiscard]] inline std::uint64_t crc64(std::string_view bytes) {
  std::uint64_t sum = ~std::uint64_t{0};
  for (const char c : bytes) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xC96C5795D7870F42 : 0);
  }
  return ~sum;
}

/// A number of `size` bytes, little endian.
[[nodiscard]] inline std::string little_endian(std::uint64_t value, int size) {
  std::string result;
  for (int i = 0; i < size; ++i)
    result += static_cast<char>(static_cast<unsigned char>(value >> (8 * i) & 0xFF));
  return result;
}

/// A checkpoint with any contents under a header that fits them.
[[nodiscard]] inline std::string checkpoint_of(const std::string& contents, int version = 3) {
  return "VODACKPT" + little_endian(static_cast<std::uint64_t>(version), 4) +
         little_endian(contents.size(), 8) + little_endian(crc64(contents), 8) + contents;
}

}  // namespace voda::test

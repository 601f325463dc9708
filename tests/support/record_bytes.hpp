#pragma once

#include <cstdint>
#include <string>

#include "support/checkpoint_bytes.hpp"

namespace voda::test {

struct FrameFields {
  std::uint64_t at = 0;  // offset in the record
  std::uint16_t version = 2;
  std::uint8_t kind = 2;
};

/// A frame with any contents under a header that fits them, written from the description in
/// docs/trace-formats.md alone.
[[nodiscard]] inline std::string frame_of(const std::string& contents, FrameFields fields) {
  const std::string front = "VREC" + little_endian(fields.version, 2) +
                            little_endian(fields.kind, 1) + little_endian(0, 1) +
                            little_endian(contents.size(), 4);
  const std::uint64_t sum = crc64(front + little_endian(fields.at, 8));
  return front + little_endian(sum & 0xFFFFFFFF, 4) + little_endian(crc64(contents), 8) + contents;
}

}  // namespace voda::test

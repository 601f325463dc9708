#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "voda/config.hpp"
#include "voda/scheduler/cluster_image.hpp"

namespace voda {

/// The version of the checkpoint form that this library writes.
inline constexpr std::uint32_t checkpoint_version = 3;  // 3: with the latest changes of size

/// The oldest version that it reads.
inline constexpr std::uint32_t oldest_checkpoint_version = 2;  // 2: with pacers

/// A scheduler state as bytes: the magic word `VODACKPT`, the version, the number of bytes that
/// follow the header and their CRC-64/XZ (little endian), then the state in cereal's portable
/// binary form. Equal states give equal bytes on every machine. Curves that several jobs share are
/// written once and are shared again after reading.
[[nodiscard]] std::string write_checkpoint(const ClusterImage& image);

/// Reads the bytes of write_checkpoint(); `source` names them in messages.
///
/// Throws InvalidInput that says what is wrong: no checkpoint, another version, truncated, bytes
/// after the end, checksum, contents that no writer makes. Never holds more memory than a fixed
/// multiple of the number of bytes, whatever they say.
[[nodiscard]] ClusterImage read_checkpoint(std::string_view bytes, const std::string& source);

/// Writes a checkpoint to a file beside `path` and then puts it in its place, so that a full disk
/// leaves the old one whole. Throws Error that names the file.
void save_checkpoint(const std::filesystem::path& path, const ClusterImage& image);

/// Reads a checkpoint from a file; throws as read_checkpoint(), and InvalidInput when the file
/// cannot be read.
[[nodiscard]] ClusterImage load_checkpoint(const std::filesystem::path& path);

}  // namespace voda

#ifndef VODA_COMPILED
#include "voda/io/impl/checkpoint_inl.hpp"
#endif

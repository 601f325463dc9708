#pragma once

#include "voda/io/checkpoint.hpp"

#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "voda/io/impl/bytes.hpp"
#include "voda/io/impl/state_fields.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace checkpoint_detail {

inline constexpr std::string_view magic = "VODACKPT";
inline constexpr std::size_t header_size = 8 + 4 + 8 + 8;

struct Contents {
  std::string_view bytes{};
  std::uint16_t fields_version = 0;
};

/// The bytes after the header, checked against it.
[[nodiscard]] inline Contents contents(std::string_view bytes, const std::string& source) {
  const auto refuse = [&source](const std::string& message) {
    throw InvalidInput(fmt::format("{}: {}", source, message));
  };
  if (!bytes.starts_with(magic.substr(0, bytes.size())) || bytes.empty()) {
    refuse(fmt::format(
        "not a checkpoint: it begins with '{}'; expected '{}'", shown(bytes.substr(0, 8)), magic));
  }
  if (bytes.size() < header_size) {
    refuse(fmt::format(
        "truncated checkpoint: {} bytes; expected at least {}", bytes.size(), header_size));
  }
  bytes.remove_prefix(magic.size());
  const auto version = bytes_detail::take<std::uint32_t>(bytes);
  if (version < oldest_checkpoint_version || version > checkpoint_version) {
    refuse(fmt::format("checkpoint of version {}; expected {} to {}",
                       version,
                       oldest_checkpoint_version,
                       checkpoint_version));
  }
  const auto length = bytes_detail::take<std::uint64_t>(bytes);
  const auto expected = bytes_detail::take<std::uint64_t>(bytes);
  if (bytes.size() < length) {
    refuse(fmt::format(
        "truncated checkpoint: {} bytes after the header; expected {}", bytes.size(), length));
  }
  if (bytes.size() > length) {
    refuse(fmt::format("{} bytes after the end of the checkpoint; expected none",
                       bytes.size() - length));
  }
  const std::uint64_t found = bytes_detail::checksum(bytes);
  if (found != expected) {
    refuse(fmt::format("damaged checkpoint: checksum {:016x}; expected {:016x}", found, expected));
  }
  if (bytes.empty())
    refuse("damaged checkpoint: nothing after the header; expected a state");
  return {.bytes = bytes,
          .fields_version = static_cast<std::uint16_t>(version - oldest_checkpoint_version + 1)};
}

}  // namespace checkpoint_detail

VODA_INLINE std::string write_checkpoint(const ClusterImage& image) {
  state_detail::Writer writer;
  state_detail::carry<state_detail::Writer>(writer, image);
  const std::string contents = std::move(writer).take();
  std::string result(checkpoint_detail::magic);
  bytes_detail::append(result, checkpoint_version);
  bytes_detail::append(result, std::uint64_t{contents.size()});
  bytes_detail::append(result, bytes_detail::checksum(contents));
  return result + contents;
}

VODA_INLINE ClusterImage read_checkpoint(std::string_view bytes, const std::string& source) {
  const auto contents = checkpoint_detail::contents(bytes, source);
  try {
    state_detail::Reader reader(
        contents.bytes, source + ": damaged checkpoint", contents.fields_version);
    ClusterImage image;
    state_detail::carry<state_detail::Reader>(reader, image);
    reader.finish();
    state_detail::check_jobs(image, reader);
    return image;
  } catch (const cereal::Exception& error) {
    throw InvalidInput(fmt::format("{}: damaged checkpoint: {}", source, error.what()));
  }
}

VODA_INLINE void save_checkpoint(const std::filesystem::path& path, const ClusterImage& image) {
  const std::string bytes = write_checkpoint(image);
  std::filesystem::path beside = path;
  beside += ".new";
  std::ofstream file(beside, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (!file) {
    std::filesystem::remove(beside, error);
    throw Error(fmt::format("{}: the checkpoint could not be written; expected room for {} bytes",
                            beside.string(),
                            bytes.size()));
  }
  std::filesystem::rename(beside, path, error);
  if (error)
    throw Error(fmt::format(
        "{}: the checkpoint could not be put in place: {}", path.string(), error.message()));
}

VODA_INLINE ClusterImage load_checkpoint(const std::filesystem::path& path) {
  return read_checkpoint(read_text_file(path), path.string());
}

}  // namespace voda

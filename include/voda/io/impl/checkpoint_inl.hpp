#pragma once

#include "voda/io/checkpoint.hpp"

#include <array>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "voda/io/impl/checkpoint_fields.hpp"
#include "voda/io/text_file.hpp"
#include "voda/model/error.hpp"
#include "voda/model/number_text.hpp"

namespace voda {
namespace checkpoint_detail {

inline constexpr std::string_view magic = "VODACKPT";
inline constexpr std::size_t header_size = 8 + 4 + 8 + 8;

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
  Number result = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    result |= static_cast<Number>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  }
  bytes.remove_prefix(sizeof(Number));
  return result;
}

/// The bytes after the header, checked against it.
[[nodiscard]] inline std::string_view contents(std::string_view bytes, const std::string& source) {
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
  const auto version = take<std::uint32_t>(bytes);
  if (version != checkpoint_version) {
    refuse(fmt::format("checkpoint of version {}; expected {}", version, checkpoint_version));
  }
  const auto length = take<std::uint64_t>(bytes);
  const auto expected = take<std::uint64_t>(bytes);
  if (bytes.size() < length) {
    refuse(fmt::format(
        "truncated checkpoint: {} bytes after the header; expected {}", bytes.size(), length));
  }
  if (bytes.size() > length) {
    refuse(fmt::format("{} bytes after the end of the checkpoint; expected none",
                       bytes.size() - length));
  }
  const std::uint64_t found = checksum(bytes);
  if (found != expected) {
    refuse(fmt::format("damaged checkpoint: checksum {:016x}; expected {:016x}", found, expected));
  }
  if (bytes.empty())
    refuse("damaged checkpoint: nothing after the header; expected a state");
  return bytes;
}

/// What the parts of a job say must fit together; whether jobs, nodes and pools do is for
/// ClusterState to check.
inline void check_jobs(const ClusterImage& image, const Reader& reader) {
  for (const PoolImage& pool : image.pools) {
    for (const JobImage& job : pool.jobs) {
      try {
        check(job.job.spec, job.job.id);
      } catch (const InvalidInput& error) {
        reader.fail(error.what());
      }
    }
  }
}

}  // namespace checkpoint_detail

VODA_INLINE std::string write_checkpoint(const ClusterImage& image) {
  namespace detail = checkpoint_detail;
  detail::Writer writer;
  detail::carry<detail::Writer>(writer, image);
  const std::string contents = std::move(writer).take();
  std::string result(detail::magic);
  detail::append(result, checkpoint_version);
  detail::append(result, std::uint64_t{contents.size()});
  detail::append(result, detail::checksum(contents));
  return result + contents;
}

VODA_INLINE ClusterImage read_checkpoint(std::string_view bytes, const std::string& source) {
  namespace detail = checkpoint_detail;
  const std::string_view contents = detail::contents(bytes, source);
  try {
    detail::Reader reader(contents, source);
    ClusterImage image;
    detail::carry<detail::Reader>(reader, image);
    reader.finish();
    detail::check_jobs(image, reader);
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

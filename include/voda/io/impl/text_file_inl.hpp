#pragma once

#include "voda/io/text_file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda {
namespace text_file_detail {

/// Opens a file for reading; a directory opens too on some systems and must be refused first.
[[nodiscard]] inline std::ifstream open(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InvalidInput(fmt::format("{}: it is a directory; expected a file", path.string()));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const std::string reason =
        errno == 0 ? "unknown reason" : std::generic_category().message(errno);
    throw InvalidInput(fmt::format("{}: cannot be opened: {}", path.string(), reason));
  }
  return file;
}

}  // namespace text_file_detail

VODA_INLINE std::string read_text_file(const std::filesystem::path& path) {
  std::ifstream file = text_file_detail::open(path);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad())
    throw InvalidInput(fmt::format("{}: cannot be read to its end", path.string()));
  return text;
}

}  // namespace voda

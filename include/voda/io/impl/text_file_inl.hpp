#pragma once

#include "voda/io/text_file.hpp"

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <istream>
#include <system_error>
#include <vector>

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
  return read_to_end(file, path.string());
}

VODA_INLINE std::string read_to_end(std::istream& in, const std::string& source) {
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  do {  // by read(): it turns exceptions of the stream's buffer into a bad stream, iterators let them pass
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    text.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
  } while (in);
  if (in.bad())
    throw InvalidInput(fmt::format("{}: cannot be read to its end", source));
  return text;
}

}  // namespace voda

#include "command_line/input_file.hpp"

#include <cerrno>
#include <filesystem>
#include <istream>
#include <system_error>

#include <fmt/format.h>

#include "voda/io/text_file.hpp"
#include "voda/model/error.hpp"

namespace voda::command_line {

InputFile::InputFile(const std::string& path, const Context& context)
    : name_(path), in_(context.in) {
  if (path == "-") {
    name_ = "standard input";
    return;
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InvalidInput(fmt::format("{}: it is a directory; expected a file", path));
  }
  errno = 0;
  file_.open(path, std::ios::binary);
  if (!file_) {
    throw InvalidInput(fmt::format(
        "{}: cannot be opened: {}; expected a file", path, std::generic_category().message(errno)));
  }
  in_ = &file_;
}

std::string InputFile::text() {
  return read_to_end(*in_, name_);
}

void InputFile::check_end() const {
  if (in_->bad())
    throw InvalidInput(fmt::format("{}: cannot be read to its end", name_));
}

}  // namespace voda::command_line

#include "command_line/output_file.hpp"

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "voda/model/error.hpp"

namespace voda::command_line {
namespace {

namespace fs = std::filesystem;

std::string reason_of(int code) {
  return code == 0 ? "no room or a failed device" : std::generic_category().message(code);
}

/// Where a link leads, so that the file is replaced and not the link.
fs::path resolved(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(path, error);
  return error ? path : result;
}

}  // namespace

OutputFile::OutputFile(const fs::path& path, Appears appears)
    : path_(resolved(path)), partial_(path_) {
  std::error_code ignored;
  const bool is_special = fs::exists(path_, ignored) && !fs::is_regular_file(path_, ignored);
  if (!is_special && appears == Appears::whole)
    partial_ += ".partial";
  errno = 0;
  file_.open(partial_, std::ios::binary | std::ios::trunc);
  if (!file_) {
    throw Error(fmt::format("{}: cannot be created: {}; expected a place to write to",
                            path_.string(),
                            reason_of(errno)));
  }
}

OutputFile::~OutputFile() {
  if (is_finished_ || partial_ == path_)
    return;
  file_.close();
  std::error_code ignored;
  fs::remove(partial_, ignored);
}

void OutputFile::fail() const {
  throw Error(fmt::format("{}: cannot be written to its end: {}; expected room for it",
                          path_.string(),
                          reason_of(errno)));
}

void OutputFile::check() {
  if (!file_)
    fail();
}

void OutputFile::write() {
  errno = 0;
  file_.flush();
  check();
}

void OutputFile::finish() {
  write();
  file_.close();
  check();
  std::error_code error;
  if (partial_ != path_)
    fs::rename(partial_, path_, error);
  if (error)
    throw Error(fmt::format("{}: cannot be put in place: {}", path_.string(), error.message()));
  is_finished_ = true;
}

}  // namespace voda::command_line

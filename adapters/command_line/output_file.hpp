#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

namespace voda::command_line {

/// When a file is in its place.
enum class Appears : std::uint8_t {
  whole,   // it is written beside it as `NAME.partial` and renamed when it is finished
  at_once  // and stays as far as it was written, whatever happens
};

/// A file that is written.
///
/// What is no regular file (a device, a pipe) is written directly. Without finish() the partial
/// file is removed.
class OutputFile {
 public:
  /// Throws Error that names the file when it cannot be created.
  explicit OutputFile(const std::filesystem::path& path, Appears appears = Appears::whole);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  [[nodiscard]] std::ofstream& stream() { return file_; }

  /// Throws Error when a write has failed so far.
  void check();

  /// Writes the rest out and puts the file in its place; throws Error when that fails.
  void finish();

  /// Writes out what is buffered, without putting the file in place; throws Error.
  void write();

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_{};
  std::filesystem::path
      partial_{};  // where it is written; `path_` itself for what is no regular file
  std::ofstream file_{};
  bool is_finished_ = false;
};

}  // namespace voda::command_line

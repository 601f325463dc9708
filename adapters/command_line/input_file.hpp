#pragma once

#include <fstream>
#include <iosfwd>
#include <string>

#include "command_line/command.hpp"

namespace voda::command_line {

/// A file, or standard input for `-`, open for reading.
class InputFile {
 public:
  /// Throws InvalidInput that names the file when it cannot be opened.
  InputFile(const std::string& path, const Context& context);

  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  [[nodiscard]] std::istream& stream() { return *in_; }

  /// How messages call it.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Everything that is left; throws InvalidInput when it cannot be read to its end.
  [[nodiscard]] std::string text();

  /// Throws InvalidInput when reading ended early.
  void check_end() const;

 private:
  std::string name_{};
  std::ifstream file_{};
  std::istream* in_ = nullptr;
};

}  // namespace voda::command_line

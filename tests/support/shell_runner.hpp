#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include <sys/wait.h>

#include "support/command_runner.hpp"

namespace voda::test {

/// Runs a line of bash in which $VODA is the built program, and `voda` too, with standard output and error in files of
/// `directory`.
[[nodiscard]] inline CommandResult run_shell(const TestDirectory& directory,
                                             const std::string& line) {
  setenv("VODA", VODA_PROGRAM, 1);
  const std::string folder = std::filesystem::path(VODA_PROGRAM).parent_path();
  const std::string script = directory.write(
      "line.sh",
      "cd " + (directory / ".") + " && PATH=" + folder + ":$PATH && {\n" + line + "\n}\n");
  const std::string command =
      "bash " + script + " >" + (directory / "out.txt") + " 2>" + (directory / "err.txt");
  const int status = std::system(command.c_str());
  std::filesystem::remove(script);
  return {.status = WEXITSTATUS(status),
          .out = bytes_of(directory / "out.txt"),
          .err = bytes_of(directory / "err.txt")};
}

}  // namespace voda::test

#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command_line/program.hpp"

namespace voda::test {

/// What a run of the program left behind.
struct CommandResult {
  int status = 0;
  std::string out{};
  std::string err{};

  [[nodiscard]] nlohmann::ordered_json json() const { return nlohmann::ordered_json::parse(out); }
};

/// Runs the program in this process on string streams.
[[nodiscard]] inline CommandResult run_command(
    const std::vector<std::string>& arguments,
    const std::string& input = "",
    const command_line::Environment& environment = command_line::plain_environment()) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int status = command_line::run(arguments, in, out, err, environment);
  return {.status = status, .out = out.str(), .err = err.str()};
}

/// A directory of the running test, empty at first, removed afterwards.
class TestDirectory {
 public:
  TestDirectory() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            ("voda-" + std::string(test->test_suite_name()) + "-" + test->name() + "-" +
             std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "-" +
             std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }

  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  ~TestDirectory() { std::filesystem::remove_all(path_); }

  /// The path of a file in it.
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return (path_ / name).string();
  }

  /// Writes a file into it and returns its path.
  std::string write(std::string_view name, std::string_view text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return *this / name;
  }

  /// Names of the files in it.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      result.push_back(entry.path().filename().string());
    }
    return result;
  }

 private:
  std::filesystem::path path_{};
};

/// The bytes of a file; a failed check when there is none.
[[nodiscard]] inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path << " cannot be opened";
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace voda::test

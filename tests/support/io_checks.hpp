#pragma once

#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "voda/model/error.hpp"

namespace voda::test {

/// The message of the InvalidInput that `function` throws; "nothing thrown" when it throws none.
template <class F>
[[nodiscard]] std::string message_of(F function) {
  try {
    static_cast<void>(function());
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing thrown";
}

/// A file or folder of the shared reference data.
[[nodiscard]] inline std::filesystem::path shared_path(const std::string& name) {
  return std::filesystem::path(VODA_SHARED_DIR) / name;
}

}  // namespace voda::test

/// Skips the test, saying so, when the shared reference data is not on this machine.
#define VODA_NEED_SHARED(name)                                                          \
  if (!std::filesystem::exists(voda::test::shared_path(name))) {                        \
    GTEST_SKIP() << voda::test::shared_path(name).string() << " is not there: skipped"; \
  }                                                                                     \
  static_assert(true)

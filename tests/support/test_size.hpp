#pragma once

#include <cstdlib>

namespace voda::test {

/// How many random cases a test runs: `few` in every run, `many` in a full one (`./dev test
/// --full`).
[[nodiscard]] inline int cases(int few, int many) {
  return std::getenv("VODA_TEST_FULL") != nullptr ? many : few;
}

}  // namespace voda::test

#pragma once

#include <string>

#include "voda/model/error.hpp"

namespace voda::test {

/// The text of the `Expected` that `function` throws, or "nothing thrown"; other exceptions pass
/// through.
template <class Expected, class Function>
[[nodiscard]] std::string error_text(Function function) {
  try {
    static_cast<void>(function());
  } catch (const Expected& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace voda::test

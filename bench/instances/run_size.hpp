#pragma once

#include <cstdlib>

namespace voda::bench {

/// True in `./dev bench --full`, which may take an hour.
[[nodiscard]] inline bool is_full_run() {
  return std::getenv("VODA_BENCH_FULL") != nullptr;
}

}  // namespace voda::bench

#pragma once

#include <cstdint>

namespace voda::test {

/// How often this program asked the heap so far. Programs that ask link heap_counter.cpp, which replaces operator new.
[[nodiscard]] std::int64_t heap_requests() noexcept;

}  // namespace voda::test

#include "voda/voda.hpp"

// Called by nobody: that both files define the library's functions is what the linker is asked about.
std::size_t count_policies() {
  const auto allocators = voda::builtin_allocators();
  return allocators.entries().size();
}

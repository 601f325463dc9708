#include "voda/policy/policy_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "voda/allocators/builtin.hpp"
#include "voda/model/error.hpp"

/// Any text is a policy of the registry or is refused as bad input or as an unknown name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  static const auto registry = voda::builtin_allocators();
  try {
    const voda::PolicySpec spec = voda::parse_policy_spec(text);
    if (spec.name.empty())
      std::abort();
    if (registry.make(spec.name, spec.options) == nullptr)
      std::abort();
  } catch (const voda::InvalidInput&) {
    return 0;
  } catch (const voda::UnknownName&) {
    return 0;
  }
  return 0;
}

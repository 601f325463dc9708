#include "voda/io/snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "voda/model/error.hpp"

/// Whatever the bytes are, reading throws InvalidInput or gives a snapshot that its own JSON form
/// reproduces.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  std::string written;
  try {
    written = voda::to_json(voda::read_snapshot(text, "fuzz")).dump();
  } catch (const voda::InvalidInput&) {
    return 0;
  }
  const auto again = voda::to_json(voda::read_snapshot(written, "written")).dump();
  if (again != written)
    std::abort();
  return 0;
}
